"""What models of pictures can be asked: classifiers and masked autoencoders."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from jaxtyping import Bool, Float32

from core.interventions import Intervention
from core.outputs.autoencoder import ErrorByRatio, Reconstruction
from core.outputs.families.model import Model, Positioned
from core.outputs.fine_tuning import CheapChange, WeightUpdate
from core.outputs.patch_embedding import PatchEmbedding
from core.outputs.patch_path import PatchPath
from core.outputs.randomization_test import RandomisedEvidence
from core.outputs.vision import AnyPicture, ClassPrediction, PatchLogits, SeenPicture
from core.positions.equivariance import Equivariance
from core.targets import ClassTarget, Target
from core.trace import Trace


class VisionModel(Model[AnyPicture, ClassTarget], Positioned, Protocol):
    """ViT and its relatives: a picture in patches, and classes where there is a head."""

    def trace(
        self,
        image: AnyPicture,
        *,
        interventions: Sequence[Intervention] = (),
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass, with every attention map, in layer order.

        gradient_of: keep each layer's gradients of this answer with respect to its weights, too.
        """
        ...

    def measure(
        self,
        image: AnyPicture,
        variants: Sequence[Sequence[Intervention]],
        quantity: ClassTarget,
    ) -> Float32[np.ndarray, " variant"]:
        """A class's probability under each of many changes; no map is kept."""
        ...

    def seen(self, image: AnyPicture) -> SeenPicture:
        """The picture as the model gets it, and how it is cut into patches."""
        ...

    def classify(
        self, image: AnyPicture, *, top_k: int = 5, interventions: Sequence[Intervention] = ()
    ) -> tuple[ClassPrediction, ...]:
        """The most probable classes, most probable first."""
        ...

    def probabilities(
        self, image: AnyPicture, variants: Sequence[Sequence[Intervention]]
    ) -> Float32[np.ndarray, "variant class"]:
        """Every class's probability under each of many changes; no map is kept."""
        ...

    def evidence(
        self,
        image: AnyPicture,
        method: str,
        target: ClassTarget,
        against: ClassTarget | None = None,
    ) -> Float32[np.ndarray, "row column"]:
        """How much each patch speaks for a class, by a method of `core.EVIDENCE`.

        against: what speaks for the one class rather than this other.
        """
        ...

    def randomised_evidence(
        self, image: AnyPicture, method: str, target: ClassTarget, *, blocks: int, seed: int = 0
    ) -> RandomisedEvidence:
        """`evidence` of a copy whose head and last `blocks` blocks are fresh."""
        ...

    def patch_logits(
        self, image: AnyPicture, *, interventions: Sequence[Intervention] = ()
    ) -> PatchLogits:
        """What the model's head says of every layer's tokens: the logit lens."""
        ...

    def patch_embedding(self, image: AnyPicture) -> PatchEmbedding:
        """How patches become tokens."""
        ...

    def patch_path(
        self, image: AnyPicture, layer: int, head: int, patch: int, target: ClassTarget | None
    ) -> PatchPath:
        """One patch through one head to a class; None: as far as the head writes."""
        ...

    def relative_biases(self) -> tuple[Float32[np.ndarray, "_ _ _"], ...]:
        """Swin's number for every offset: (head, 2M − 1, 2M − 1) a layer."""
        ...

    def weight_updates(self) -> dict[str, WeightUpdate]:
        """What fine-tuning did to each matrix of the blocks."""
        ...

    def cheap_probabilities(
        self, image: AnyPicture, changes: Sequence[CheapChange]
    ) -> Float32[np.ndarray, "change class"]:
        """Every class's probability with low-rank updates, or with 8-bit weights."""
        ...

    def permutation_test(self, image: AnyPicture, *, seed: int = 0) -> Equivariance:
        """How far the answer is from not minding the order of the patches."""
        ...


class MaskedAutoencoder(VisionModel, Protocol):
    """An encoder that was trained to paint hidden patches, and the decoder that paints them."""

    def reconstruct(
        self,
        image: AnyPicture,
        mask: Bool[np.ndarray, "row column"] | None = None,
        ratio: float = 0.75,
        seed: int = 0,
    ) -> Reconstruction:
        """Hide the patches that are True in `mask`, or a random share, and paint them."""
        ...

    def reconstruct_hidden(self, image: AnyPicture, hidden: tuple[int, ...]) -> Reconstruction:
        """The same with the hidden patches by number."""
        ...

    def error_by_ratio(
        self, image: AnyPicture, ratios: tuple[float, ...], seeds: tuple[int, ...]
    ) -> ErrorByRatio:
        """How the error at hidden patches grows with their share."""
        ...
