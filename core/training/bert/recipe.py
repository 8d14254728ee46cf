"""One step of bert-mini's training, its settings, its state and its snapshots."""

import json
from typing import cast

import numpy as np
import torch
from transformers import BertForPreTraining

from core.training.bert.batches import BLOCKS_A_STEP, Batches, Question
from core.training.bert.corpus import Corpus
from core.training.bert.examples import NO_QUESTION
from core.training.bert.measure import masked_words, next_sentence, tensors
from core.training.bert.network import Encoder, losses
from core.training.bert.prepare import Prepared
from core.training.common.ahead import Ahead
from core.training.common.device import attention_told
from core.training.common.optimisers import Optimisers
from core.training.common.precision import autocast
from core.training.common.schedule import learning_rate

SEED = 0
# For small and large batches; the paper's 1e-4 is for a model of 110 M parameters.
LEARNING_RATE = {"cpu": 1.4e-3, "cuda": 2e-3}
WARMUP = 0.03  # of the training; the paper's 10,000 of 1,000,000 steps are 0.01
MATRICES_FACTOR = 2.0  # Muon's learning rate, in the matrices inside the layers, is so much higher
BETAS = (0.9, 0.98)  # the paper's β2 is 0.999, for a hundred times as many steps
EPSILON = 1e-6  # as in the authors' code
WEIGHT_DECAY = 0.01  # the paper's L2 weight decay
CLIP = 1.0  # gradient norm, as in the authors' code
FACTS_WEIGHT, SENTENCES_WEIGHT = 0.2, 0.2  # of their loss; the text's two losses count fully
POSITIONS_A_BLOCK = 32  # masked positions are filled up to a multiple: fewer shapes
SNAPSHOT_POSITIONS = 64  # position embeddings kept at every moment
SNAPSHOT_SENTENCE = "The old dog slept, because it was tired."
SNAPSHOT_BLOCKS = 4  # of 64 sequences, for the figures of a moment


class BertRecipe:
    """Text and facts in every step, masked-LM and next-sentence loss, one optimiser step."""

    def __init__(
        self,
        model: BertForPreTraining,
        prepared: Prepared,
        held_out: Corpus,
        *,
        device: str,
        compiled: bool,
    ) -> None:
        self.model = model.to(device)  # pyright: ignore[reportArgumentType]
        self._encoder = torch.compile(model.bert, dynamic=False) if compiled else model.bert
        self._prepared = prepared
        self._held_out = held_out
        self._device = device
        self.generator = np.random.default_rng(SEED)
        self._batches = Batches(prepared, self.generator, device=device)
        self._batch = Ahead(self._batches) if device == "cuda" else self._batches
        matrices = [p for p in model.bert.encoder.parameters() if p.ndim == 2]
        inner = {id(p) for p in matrices}
        self.optimisers = Optimisers(
            matrices,
            [p for p in model.parameters() if id(p) not in inner],
            betas=BETAS,
            eps=EPSILON,
            weight_decay=WEIGHT_DECAY,
            matrices_factor=MATRICES_FACTOR,
        )

    def step(self, fraction: float) -> float:
        self._batches.fraction = fraction
        *text, facts, everyday = self._batch()
        total = torch.zeros((), device=self._device)
        for question in text:
            words, sentences = self._losses(question, self._encoder)
            ((words + sentences) / BLOCKS_A_STEP).backward()
            total += words.detach() / BLOCKS_A_STEP
        for weight, question in ((FACTS_WEIGHT, facts), (SENTENCES_WEIGHT, everyday)):
            words, _ = self._losses(question, self.model.bert)
            (weight * words).backward()
        rate = learning_rate(fraction, peak=LEARNING_RATE[self._device], warmup=WARMUP)
        self.optimisers.step(learning_rate=rate, clip=CLIP)
        return float(total)

    def _losses(self, question: Question, encoder: Encoder) -> tuple[torch.Tensor, torch.Tensor]:
        block, masked = question.block, question.masked
        empty = -len(masked.positions) % POSITIONS_A_BLOCK
        positions = np.pad(masked.positions, (0, empty))
        targets = np.pad(masked.targets, (0, empty), constant_values=NO_QUESTION)
        with autocast(self._device):
            return losses(
                self.model,
                encoder,
                inputs=tensors(block, masked.input_ids, self._device),
                masked=(
                    torch.from_numpy(positions).to(self._device),
                    torch.from_numpy(targets).to(self._device),
                ),
                is_other=torch.from_numpy(block.is_other),
            )

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimisers": self.optimisers.state(),
            "generator": json.dumps(self.generator.bit_generator.state),
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, torch.Tensor]", state["model"]))
        self.optimisers.restore(cast("list[dict[str, object]]", state["optimisers"]))
        self.generator.bit_generator.state = json.loads(cast("str", state["generator"]))

    def snapshot(self) -> dict[str, torch.Tensor]:
        """Position embeddings, one sentence's attention maps, and figures on held-out text."""
        model = self.model.eval()
        encoding = self._prepared.tokenizer.encode(SNAPSHOT_SENTENCE)
        with torch.inference_mode(), attention_told(model):
            maps = model.bert(
                torch.tensor([encoding.ids], device=self._device), output_attentions=True
            ).attentions
        words = masked_words(model, self._held_out, blocks=SNAPSHOT_BLOCKS)
        follows = next_sentence(model, self._held_out, pairs=64 * SNAPSHOT_BLOCKS)
        model.train()
        positions = model.bert.embeddings.position_embeddings.weight[:SNAPSHOT_POSITIONS]
        return {
            "positions": positions.detach().half().cpu(),  # (position, d_model)
            "attention": torch.cat(maps).half().cpu(),  # (layer, head, query, key)
            "metrics": torch.tensor([words.top_1, words.top_5, follows]),
        }
