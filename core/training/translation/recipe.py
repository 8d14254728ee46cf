"""One step of the translation model's training, its settings, its state and its snapshots."""

from typing import cast

import torch
from torch import nn
from transformers import MarianMTModel

from core.training.common.device import attention_told
from core.training.common.precision import autocast
from core.training.common.schedule import inverse_square_root
from core.training.translation.batches import Batch, Batches
from core.training.translation.measure import bleu, translate
from core.training.translation.network import as_tensors, smoothed_loss
from core.training.translation.pairs import Prepared
from core.training.translation.tokenizer import START

SEED = 0
# Its peak; the paper's for this d_model, after 4,000 steps, is 0.99e-3. The large batches of a GPU,
# with dropout everywhere, learned nothing at 1.5e-3.
LEARNING_RATE = {"cpu": 1.5e-3, "cuda": 7e-4}
WARMUP = 0.06  # of the training; the paper's 4,000 of 100,000 steps are 0.04
COOLDOWN = 0.25  # of the training, at its end
BETAS = (0.9, 0.98)
EPSILON = 1e-9
CLIP = 1.0  # gradient norm
SNAPSHOT_PAIR = (
    "I have never seen such a beautiful house before.",
    "Ich habe noch nie ein so schönes Haus gesehen.",
)
SNAPSHOT_QUESTIONS = 200  # held-out sentences, for the figures of a moment


class TranslationRecipe:
    """Label-smoothed cross-entropy on one batch of pairs, one step of Adam."""

    def __init__(
        self, model: MarianMTModel, prepared: Prepared, batches: Batches, *, device: str
    ) -> None:
        self.model = model.to(device)  # pyright: ignore[reportArgumentType]
        self._prepared = prepared
        self._batches = batches
        self._stream = batches.after(0)
        self._steps = 0
        self._device = device
        self._loss = smoothed_loss
        self.optimiser = torch.optim.Adam(
            [p for p in model.parameters() if p.requires_grad],
            lr=0.0,
            betas=BETAS,
            eps=EPSILON,
            fused=True,
        )

    def compile(self) -> None:
        """One graph a shape of batch: half as slow again without."""
        self._loss = torch.compile(smoothed_loss, dynamic=False)

    def step(self, fraction: float) -> float:
        loss = self.loss(next(self._stream))
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        peak = LEARNING_RATE[self._device]
        rate = inverse_square_root(fraction, peak=peak, warmup=WARMUP, cooldown=COOLDOWN)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self._steps += 1
        return float(loss.detach())

    def loss(self, batch: Batch) -> torch.Tensor:
        tensors = as_tensors(batch.source, batch.decoder_input, batch.labels, device=self._device)
        with autocast(self._device):
            return self._loss(self.model, *tensors)

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self._steps,
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, torch.Tensor]", state["model"]))
        self.optimiser.load_state_dict(cast("dict[str, object]", state["optimiser"]))
        self._steps = cast("int", state["steps"])
        self._stream = self._batches.after(self._steps)

    def snapshot(self) -> dict[str, torch.Tensor]:
        """One pair's attention maps of all three kinds, and BLEU on held-out sentences, greedy."""
        model = self.model.eval()
        english, german = (self._prepared.tokenizer.encode(side).ids for side in SNAPSHOT_PAIR)
        with torch.inference_mode(), attention_told(model):
            output = model(
                input_ids=torch.tensor([english], device=self._device),
                decoder_input_ids=torch.tensor([[START, *german[:-1]]], device=self._device),
                output_attentions=True,
            )
        questions = self._prepared.held_out[:SNAPSHOT_QUESTIONS]
        said = translate(model, self._prepared.tokenizer, [q.english for q in questions], beams=1)
        model.train()
        return {
            "encoder": torch.cat(output.encoder_attentions).half().cpu(),  # (layer, head, q, k)
            "decoder": torch.cat(output.decoder_attentions).half().cpu(),
            "cross": torch.cat(output.cross_attentions).half().cpu(),
            "metrics": torch.tensor([bleu(said, questions)]),
        }
