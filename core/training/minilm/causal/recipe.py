"""One step of minilm-clm's training, its settings, its state and its snapshots."""

from typing import cast

import numpy as np
import torch
from transformers import BertLMHeadModel

from core.training.common.precision import autocast
from core.training.common.schedule import learning_rate
from core.training.gpt.corpus import Prepared, batch
from core.training.gpt.moments import moment
from core.training.minilm.causal.network import CONTEXT, START, next_token_loss
from core.training.minilm.low_rank import PROJECTED_EVERY, PROJECTED_FROM, LowRank

SEED = 0
RANKS = (32, 64, 96, 128, 160, 192, 224, 256)  # tried from the least on; more would not ship
LEARNING_RATE = {"cpu": 5e-4, "cuda": 8e-4}  # as in minilm-mlm's training
WARMUP = 0.05  # of the training
BETAS = (0.9, 0.98)
EPSILON = 1e-6
WEIGHT_DECAY = 0.01
CLIP = 1.0  # gradient norm
SEQUENCES = {"cpu": 16, "cuda": 192}  # of a whole context each, in a batch


class CausalRecipe:
    """Next-token loss on one batch of text, one AdamW step."""

    def __init__(self, model: BertLMHeadModel, prepared: Prepared, *, device: str) -> None:
        self.model = model.to(device)  # pyright: ignore[reportArgumentType]
        self._prepared = prepared
        self._device = device
        self._low_rank = LowRank(model, rank=RANKS[-1])
        self.steps = 0  # done; each has its own random numbers
        self._loss = next_token_loss
        self.optimiser = torch.optim.AdamW(
            [p for p in model.parameters() if p.requires_grad],
            lr=0.0,
            betas=BETAS,
            eps=EPSILON,
            weight_decay=WEIGHT_DECAY,
            fused=True,
        )

    def compile(self) -> None:
        """A graph of the whole loss."""
        self._loss = torch.compile(next_token_loss, dynamic=False)

    def step(self, fraction: float) -> float:
        generator = np.random.default_rng([SEED, self.steps])
        ids = batch(self._prepared, (SEQUENCES[self._device], CONTEXT), generator)
        with autocast(self._device):
            loss = self._loss(self.model, torch.from_numpy(ids).to(self._device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(fraction, peak=LEARNING_RATE[self._device], warmup=WARMUP)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.steps += 1
        if fraction >= PROJECTED_FROM and self.steps % PROJECTED_EVERY == 0:
            self._low_rank.project()
        return float(loss.detach())

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, torch.Tensor]", state["model"]))
        self.optimiser.load_state_dict(cast("dict[str, object]", state["optimiser"]))
        self.steps = cast("int", state["steps"])

    def snapshot(self) -> dict[str, torch.Tensor]:
        positions = self.model.bert.embeddings.position_embeddings.weight
        return moment(self.model, positions, self._prepared, context=CONTEXT, start=START)
