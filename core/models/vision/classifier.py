"""ViT and its relatives: patches in, attention maps and classes out.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final

import numpy as np
import torch
from jaxtyping import Float, Float32
from torch import Tensor

from core.capture.attention_call import AttentionCall, read_row
from core.capture.gradients import with_gradients
from core.capture.hidden_states import read_states
from core.capture.module_path import module_paths
from core.errors import InputError
from core.interventions import Intervention
from core.long_work import checkpoint
from core.models.attribution.methods import evidence
from core.models.attribution.question import Question
from core.models.attribution.randomization_test import randomised
from core.models.batching import Changes, checked_changes, in_parts, rows_at_once
from core.models.positions.equivariance import vision_equivariance
from core.models.positions.tables import vision_table
from core.models.vision import fine_tuning
from core.models.vision.base import PictureModel
from core.models.vision.denormalize import colours_of
from core.models.vision.layer_grids import layers_of
from core.models.vision.logit_lens import patch_logits
from core.models.vision.patch_embedding import patch_embedding
from core.models.vision.patch_grid import prefix_of
from core.models.vision.patch_path import PathFinder
from core.models.vision.relative_bias import relative_biases
from core.models.vision.whole_picture import at_its_size, fitting, resampled
from core.outputs.fine_tuning import CheapChange, WeightUpdate
from core.outputs.patch_embedding import PatchEmbedding
from core.outputs.patch_path import PatchPath
from core.outputs.randomization_test import RandomisedEvidence
from core.outputs.vision import (
    AnyPicture,
    ClassPrediction,
    PatchLogits,
    SeenPicture,
)
from core.positions.equivariance import Equivariance, order_of
from core.positions.table import PositionTable
from core.targets import ClassContrast, ClassTarget, Target
from core.trace import AttentionKind, Trace, read_only

BATCH: Final = 8  # pictures a forward


@dataclass(frozen=True)
class VisionModel(PictureModel):
    """A loaded picture model; like all models here it keeps nothing of past runs."""

    @at_its_size
    def seen(self, image: AnyPicture) -> SeenPicture:
        """The picture as the model gets it, and how it is cut into patches."""
        pixels = self._pixels(image)
        grid = self._patches()
        colours = colours_of(pixels, self.transform)[0].permute(1, 2, 0).cpu().numpy()
        return SeenPicture(
            picture=np.round(colours.clip(0, 1) * 255).astype(np.uint8),
            grid=grid,
            patch_pixels=(pixels.shape[-2] // grid.rows, pixels.shape[-1] // grid.columns),
            prefix=prefix_of(self.module),
            resampled=resampled(self.module),
        )

    @at_its_size
    def trace(
        self,
        image: AnyPicture,
        *,
        interventions: Sequence[Intervention] = (),
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass on a picture, with every attention map, in layer order.

        `gradient_of` fills each layer's gradients of that answer. Raises InputError for a model
        without maps over patches, and for interventions that name what isn't there.
        """
        return self._trace_batch(self._pixels(image), [interventions], gradient_of)[0]

    def trace_many(
        self,
        inputs: Sequence[AnyPicture],
        interventions: Sequence[Sequence[Intervention]] | None = None,
    ) -> tuple[Trace, ...]:
        """Traces of many pictures, BATCH to a forward; the i-th interventions act on the i-th."""
        changes = checked_changes(len(inputs), interventions)
        if any(fitting(self, image) is not self for image in inputs):  # of sizes of their own
            each = zip(inputs, changes, strict=True)
            return tuple(self.trace(image, interventions=row) for image, row in each)

        def traced(rows: Sequence[tuple[AnyPicture, Sequence[Intervention]]]) -> list[Trace]:
            pixels = torch.cat([self._pixels(image) for image, _ in rows])
            return self._trace_batch(pixels, [change for _, change in rows], None)

        rows = list(zip(inputs, changes, strict=True))
        return tuple(chain(*in_parts(rows, rows_at_once(changes, BATCH), traced)))

    def _trace_batch(
        self,
        pixels: Float[Tensor, "row 3 height width"],
        interventions: Sequence[Sequence[Intervention]],
        gradient_of: Target | None,
    ) -> list[Trace]:
        """Gradients are of one picture alone."""
        explicit = gradient_of is not None
        recorder = self._state_recorder(interventions, explicit=explicit)
        with torch.inference_mode(mode=not explicit), recorder:
            logits = self.module(self._shown(pixels, interventions))
        recorder.refuse_idle()
        calls: Sequence[AttentionCall] = recorder.calls
        if gradient_of is not None:
            calls = with_gradients(calls, logits[0] if self.n_classes else None, gradient_of)
        patches = self._grid()
        pooling = [call for call in calls if call.kind == AttentionKind.CROSS]
        looking = [call for call in calls if call.kind == AttentionKind.ENCODER]
        layers = layers_of(self.card, self.module, looking, patches, rows=len(pixels))
        return [
            Trace(
                model_id=self.card.id,
                layers={AttentionKind.ENCODER: of_row},
                states={AttentionKind.ENCODER: read_states(recorder.states, row)},
                logits=read_row(logits, row) if self.n_classes else None,
                patches=patches,
                pool=replace(pooling[-1].layer_of(row, {}), key_grid=patches) if pooling else None,
            )
            for row, of_row in enumerate(layers)
        ]

    @at_its_size
    def classify(
        self, image: AnyPicture, *, top_k: int = 5, interventions: Sequence[Intervention] = ()
    ) -> tuple[ClassPrediction, ...]:
        """The most probable classes, most probable first."""
        probabilities = self._probabilities(self._pixels(image), [interventions])[0]
        labels = self.labels
        values, ids = probabilities.topk(min(top_k, len(labels)))
        return tuple(
            ClassPrediction(labels[int(i)], float(p)) for i, p in zip(ids, values, strict=True)
        )

    @at_its_size
    def measure(
        self,
        image: AnyPicture,
        variants: Sequence[Sequence[Intervention]],
        quantity: ClassTarget,
    ) -> Float32[np.ndarray, " variant"]:
        """A class's probability under each of many changes, in batches; no map is kept."""
        if not 0 <= quantity.index < self.n_classes:
            raise InputError(
                f"There is no class {quantity.index}: {self.card.title} has {self.n_classes}, "
                "counted from 0."
            )
        return read_only(self.probabilities(image, variants)[:, quantity.index])

    @at_its_size
    def probabilities(
        self, image: AnyPicture, variants: Sequence[Sequence[Intervention]]
    ) -> Float32[np.ndarray, "variant class"]:
        """Every class's probability under each of many changes, in batches; no map is kept."""
        pixels = self._pixels(image)

        def run(changes: Changes) -> np.ndarray:
            checkpoint()
            rows = pixels.expand(len(changes), -1, -1, -1)
            return self._probabilities(rows, changes).cpu().numpy()

        none = np.zeros((0, self.n_classes), np.float32)
        parts = in_parts(variants, rows_at_once(variants, BATCH), run)
        return read_only(np.concatenate([none, *parts]))

    @at_its_size
    def evidence(
        self,
        image: AnyPicture,
        method: str,
        target: ClassTarget,
        against: ClassTarget | None = None,
    ) -> Float32[np.ndarray, "row column"]:
        """How much each patch speaks for a class.

        `core.explain.attribution.registry.EVIDENCE` names the methods. `against` asks what
        speaks for the one class rather than the other. Raises InputError for a method that this
        model can't be asked with.
        """
        self._refuse_without_classes()
        question = Question(
            title=self.card.title,
            module=self.module,
            paths=self.paths,
            pixels=self._pixels(image),
            patches=self._patches(),
            target=target if against is None else ClassContrast(target.index, against.index),
            trace=partial(self.trace, image),
            measure=partial(self.measure, image),
        )
        return evidence(question, method)

    @at_its_size
    def randomised_evidence(
        self, image: AnyPicture, method: str, target: ClassTarget, *, blocks: int, seed: int = 0
    ) -> RandomisedEvidence:
        """`evidence` of a copy whose head and last `blocks` blocks are fresh (Adebayo et al. 2018).

        Raises InputError as `evidence` does, and for more blocks than there are.
        """
        copy = randomised(self.module, blocks=blocks, seed=seed)
        model = replace(self, module=copy, paths=module_paths(copy))
        (probability,) = model.measure(image, ((),), target)
        return RandomisedEvidence(model.evidence(image, method, target), float(probability), blocks)

    @at_its_size
    def patch_logits(
        self, image: AnyPicture, *, interventions: Sequence[Intervention] = ()
    ) -> PatchLogits:
        """What the model's head says of every layer's tokens. Raises InputError if it can't."""
        self._refuse_without_classes()
        recorder = self._state_recorder([interventions])
        with torch.inference_mode():
            with recorder:
                logits = self.module(self._shown(self._pixels(image), [interventions]))
            recorder.refuse_idle()
            return patch_logits(
                self.card.title,
                self.module,
                recorder.states,
                logits,
                patches=self._patches(),
                prefix=prefix_of(self.module),
                labels=self.labels,
            )

    @at_its_size
    def patch_embedding(self, image: AnyPicture) -> PatchEmbedding:
        """How patches become tokens. Raises InputError without one linear projection."""
        return patch_embedding(self.card, self.module, self._pixels(image), self._grid())

    @at_its_size
    def patch_path(
        self, image: AnyPicture, layer: int, head: int, patch: int, target: ClassTarget | None
    ) -> PatchPath:
        """One patch through one head to a class (None: as far as the head writes).

        Raises InputError for a model whose layers do more than attend and compute an MLP.
        """
        finder = PathFinder(
            self.card.title, self.module, self.transform.transforms[-1], self.trace(image)
        )
        with torch.inference_mode():
            return finder.path(layer, head, patch, target)

    def relative_biases(self) -> tuple[Float32[np.ndarray, "_ _ _"], ...]:
        """Swin's number for every offset: (head, 2M − 1, 2M − 1) a layer. InputError without."""
        return relative_biases(self.card.title, self.module)

    def weight_updates(self) -> dict[str, WeightUpdate]:
        """What fine-tuning did to each matrix of the blocks. InputError without its start."""
        return fine_tuning.weight_updates(self.card, self.module)

    @at_its_size
    def cheap_probabilities(
        self, image: AnyPicture, changes: Sequence[CheapChange]
    ) -> Float32[np.ndarray, "change class"]:
        """Every class's probability with low-rank updates, or with 8-bit weights."""
        self._refuse_without_classes()
        logits = fine_tuning.cheap_logits(self.card, self.module, self._pixels(image), changes)
        return read_only(logits[:, 0].float().softmax(-1).cpu().numpy())

    def position_table(self) -> PositionTable:
        """The model's own table of positions. Raises InputError for a model without one."""
        return vision_table(self.card, self.module, self._grid())

    @at_its_size
    def permutation_test(self, image: AnyPicture, *, seed: int = 0) -> Equivariance:
        """How far the answer is from not minding the order of a picture's patches."""
        grid = self._patches()

        def run(
            pixels: Tensor, changes: Sequence[Intervention]
        ) -> tuple[Sequence[AttentionCall], Tensor]:
            recorder = self._recorder([changes])
            with torch.inference_mode(), recorder:
                logits = self.module(pixels)
            return recorder.calls, logits

        order = order_of(grid.n_patches, seed)
        return vision_equivariance(run, self._pixels(image), grid, order)
