"""Many texts in few forwards: those of one shape run together, and none is padded."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from core.models.batching import in_parts
from core.models.text.replaced_tokens import Prepared

BATCH: Final = 16  # texts a forward
Answer = TypeVar("Answer")


def in_batches(
    prepared: Sequence[Prepared],
    run: Callable[[Sequence[Prepared], Sequence[int]], Sequence[Answer]],
    size: int = BATCH,
) -> tuple[Answer, ...]:
    """What `run` gives for each; it is called with up to `size` of one shape, and their places."""
    by_shape: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (source, target) in enumerate(prepared):
        by_shape[len(source), len(target) if target else 0].append(index)
    found: dict[int, Answer] = {}

    def answered(indices: Sequence[int]) -> None:
        answers = run([prepared[index] for index in indices], indices)
        found.update(zip(indices, answers, strict=True))

    for same_shape in by_shape.values():
        in_parts(same_shape, size, answered)
    return tuple(found[index] for index in range(len(prepared)))
