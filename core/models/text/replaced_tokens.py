"""Other tokens in a text, as an intervention: what stands where a word is hidden."""

from collections.abc import Sequence
from typing import Any

from core.errors import InputError
from core.interventions import Intervention, ReplaceTokens
from core.models.text.tokenize import replace_tokens
from core.trace import Encoding

Prepared = tuple[Encoding, Encoding | None]  # the input, and the target of a second stack


def stand_in(title: str, tokenizer: Any) -> int:
    """What a hidden word becomes: the mask, else the unknown token, else the end of a text.

    Raises InputError for a vocabulary without any of them.
    """
    for name in ("mask_token_id", "unk_token_id", "eos_token_id"):
        if (index := getattr(tokenizer, name, None)) is not None:
            return int(index)
    raise InputError(
        f"{title} has no mask, no unknown token and no end of a text that could stand for a hidden "
        "word. Choose another model."
    )


def replaced(
    tokenizer: Any, batch: Sequence[Prepared], interventions: Sequence[Sequence[Intervention]]
) -> Sequence[Prepared]:
    """The batch with every row's own tokens in place; a target stays as it is."""
    edits = [
        tuple(edit for one in changes if isinstance(one, ReplaceTokens) for edit in one.edits)
        for changes in interventions
    ]
    if not any(edits):
        return batch
    return [
        (replace_tokens(tokenizer, source, own), target) if own else (source, target)
        for (source, target), own in zip(batch, edits, strict=True)
    ]
