"""One step of minilm-mlm's training, its settings, its state and its snapshots."""

import json
import logging
import time
from typing import cast

import numpy as np
import torch
from torch.nn import functional
from transformers import BertForMaskedLM

from core.training.bert.corpus import Corpus
from core.training.bert.examples import NO_QUESTION
from core.training.bert.masking import Masked
from core.training.common.ahead import Ahead
from core.training.common.device import attention_told
from core.training.common.precision import autocast
from core.training.common.schedule import learning_rate
from core.training.minilm.batches import Batches
from core.training.minilm.low_rank import PROJECTED_EVERY, PROJECTED_FROM, RANKS, LowRank
from core.training.minilm.measure import masked_words
from core.training.minilm.network import PAD
from core.training.minilm.prepare import Prepared

log = logging.getLogger("minilm-mlm")
SEED = 0
# For small and large batches; BERT's 1e-4 is for a model of 110 M parameters.
LEARNING_RATE = {"cpu": 5e-4, "cuda": 8e-4}
WARMUP = 0.05  # of the training
BETAS = (0.9, 0.98)  # the paper's β2 is 0.999, for a hundred times as many steps
EPSILON = 1e-6  # as in the authors' code
WEIGHT_DECAY = 0.01  # the paper's L2 weight decay
CLIP = 1.0  # gradient norm, as in the authors' code
POSITIONS_A_BLOCK = 32  # masked positions are filled up to a multiple: fewer shapes
LOG_EVERY = 100  # steps
SNAPSHOT_POSITIONS = 64  # position embeddings kept at every moment
SNAPSHOT_SENTENCE = "The old dog slept, because it was tired."
SNAPSHOT_BLOCKS = 2  # of 64 sequences, for the figures of a moment


class MiniLmRecipe:
    """Running text and short sentences in every step, masked-LM loss, one AdamW step."""

    def __init__(
        self,
        model: BertForMaskedLM,
        prepared: Prepared,
        held_out: Corpus,
        *,
        device: str,
        compiled: bool,
    ) -> None:
        self.model = model.to(device)  # pyright: ignore[reportArgumentType]
        self._encoder = torch.compile(model.bert, dynamic=False) if compiled else model.bert
        self.prepared = prepared
        self._low_rank = LowRank(model.bert, rank=RANKS[-1])
        self._held_out = held_out
        self._device = device
        self.generator = np.random.default_rng(SEED)
        draw = Batches(prepared, self.generator, device=device)
        self._batch = Ahead(draw) if device == "cuda" else draw
        self.optimiser = torch.optim.AdamW(
            model.parameters(),
            lr=0.0,
            betas=BETAS,
            eps=EPSILON,
            weight_decay=WEIGHT_DECAY,
            fused=True,
        )
        self.tokens_read = 0
        self.steps = 0
        self._pace = (time.monotonic(), 0)  # when, and after how many tokens, was last told

    def step(self, fraction: float) -> float:
        blocks = self._batch(self.steps)
        asked = sum(len(block.targets) for block in blocks)
        total = torch.zeros((), device=self._device)
        for block in blocks:
            loss = self._summed_loss(block) / asked
            loss.backward()
            self.tokens_read += int((block.input_ids != PAD).sum())
            total += loss.detach()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(fraction, peak=LEARNING_RATE[self._device], warmup=WARMUP)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.steps += 1
        if fraction >= PROJECTED_FROM and self.steps % PROJECTED_EVERY == 0:
            self._low_rank.project()
        told = float(total)
        self._tell(fraction, told)
        return told

    def _summed_loss(self, block: Masked) -> torch.Tensor:
        empty = -len(block.positions) % POSITIONS_A_BLOCK
        places = torch.from_numpy(np.pad(block.positions, (0, empty))).to(self._device)
        wanted = np.pad(block.targets, (0, empty), constant_values=NO_QUESTION)
        inputs = {"input_ids": torch.from_numpy(block.input_ids).to(self._device)}
        if not (block.input_ids != PAD).all():
            inputs["attention_mask"] = (inputs["input_ids"] != PAD).long()
        with autocast(self._device):
            hidden = self._encoder(**inputs)[0]
            logits = self.model.cls.predictions(hidden.flatten(0, 1)[places])
            return functional.cross_entropy(
                logits.float(),
                torch.from_numpy(wanted).to(self._device),
                ignore_index=NO_QUESTION,
                reduction="sum",
            )

    def _tell(self, fraction: float, loss: float) -> None:
        if self.steps % LOG_EVERY:
            return
        now, (before, tokens) = time.monotonic(), self._pace
        pace = (self.tokens_read - tokens) / (now - before)
        self._pace = now, self.tokens_read
        log.info(
            "%.1f %%, step %d: loss %.3f, %.2f M tokens, %.0f tokens/s",
            *(100 * fraction, self.steps, loss, self.tokens_read / 1e6, pace),
        )

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "generator": json.dumps(self.generator.bit_generator.state),
            "tokens_read": self.tokens_read,
            "steps": self.steps,
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, torch.Tensor]", state["model"]))
        self.optimiser.load_state_dict(cast("dict[str, object]", state["optimiser"]))
        self.generator.bit_generator.state = json.loads(cast("str", state["generator"]))
        self.tokens_read = cast("int", state["tokens_read"])
        self.steps = cast("int", state["steps"])
        self._pace = time.monotonic(), self.tokens_read

    def snapshot(self) -> dict[str, torch.Tensor]:
        """Position embeddings, one sentence's attention maps, and figures on held-out text."""
        model = self.model.eval()
        ids = self.prepared.tokenizer.encode(SNAPSHOT_SENTENCE).ids
        with torch.inference_mode(), attention_told(model):
            maps = model.bert(
                torch.tensor([ids], device=self._device), output_attentions=True
            ).attentions
        words = masked_words(model, self._held_out, blocks=SNAPSHOT_BLOCKS)
        model.train()
        positions = model.bert.embeddings.position_embeddings.weight[:SNAPSHOT_POSITIONS]
        return {
            "positions": positions.detach().half().cpu(),  # (position, d_model)
            "attention": torch.cat(maps).half().cpu(),  # (layer, head, query, key)
            "metrics": torch.tensor([words.top_1, words.top_5]),
        }
