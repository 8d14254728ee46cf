"""One step of gpt-mini's training, its settings, its state and its snapshots."""

from typing import cast

import numpy as np
import torch
from transformers import GPT2LMHeadModel

from core.training.common.optimisers import Optimisers
from core.training.common.precision import autocast
from core.training.common.schedule import learning_rate
from core.training.gpt.corpus import Prepared, batch
from core.training.gpt.moments import moment
from core.training.gpt.network import next_token_loss

SEED = 0
LEARNING_RATE = 2e-3
WARMUP = 0.03  # of the training
MATRICES_FACTOR = 2.0  # Muon's learning rate, in the matrices inside the layers, is so much higher
BETAS = (0.9, 0.95)
EPSILON = 1e-8
WEIGHT_DECAY = 0.01
CLIP = 1.0  # gradient norm
SEQUENCES = {"cpu": 16, "cuda": 256}  # of a whole context each, in a batch


class GptRecipe:
    """Next-token loss on one batch of text, one optimiser step."""

    def __init__(self, model: GPT2LMHeadModel, prepared: Prepared, *, device: str) -> None:
        self.model = model.to(device)  # pyright: ignore[reportArgumentType]
        self._prepared = prepared
        self._device = device
        self.steps = 0  # done; each has its own random numbers
        self._loss = next_token_loss
        matrices = [p for p in model.transformer.h.parameters() if p.ndim == 2]
        inner = {id(p) for p in matrices}
        self.optimisers = Optimisers(
            matrices,
            [p for p in model.parameters() if id(p) not in inner],
            betas=BETAS,
            eps=EPSILON,
            weight_decay=WEIGHT_DECAY,
            matrices_factor=MATRICES_FACTOR,
        )

    def compile(self) -> None:
        """A graph of the whole loss."""
        self._loss = torch.compile(next_token_loss, dynamic=False)

    def step(self, fraction: float) -> float:
        generator = np.random.default_rng([SEED, self.steps])
        shape = (SEQUENCES[self._device], self.model.config.n_positions)
        ids = batch(self._prepared, shape, generator)
        with autocast(self._device):
            loss = self._loss(self.model, torch.from_numpy(ids).to(self._device))
        loss.backward()
        rate = learning_rate(fraction, peak=LEARNING_RATE, warmup=WARMUP)
        self.optimisers.step(learning_rate=rate, clip=CLIP)
        self.steps += 1
        return float(loss.detach())

    def state(self) -> dict[str, object]:
        return {
            "model": self.model.state_dict(),
            "optimisers": self.optimisers.state(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, object]) -> None:
        self.model.load_state_dict(cast("dict[str, torch.Tensor]", state["model"]))
        self.optimisers.restore(cast("list[dict[str, object]]", state["optimisers"]))
        self.steps = cast("int", state["steps"])

    def snapshot(self) -> dict[str, torch.Tensor]:
        model = self.model
        positions = model.transformer.wpe.weight
        return moment(model, positions, self._prepared, context=model.config.n_positions)
