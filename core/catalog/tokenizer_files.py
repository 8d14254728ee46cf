"""A model's tokenizer without the model: the file on board, or one small file from the hub."""

from contextlib import suppress
from pathlib import Path

from core.catalog import ModelCard, Origin, bases_of
from core.catalog.checkpoints import is_on_board, locate
from core.catalog.hub import reach_hub
from core.errors import InputError, ModelUnavailableError

NAMES = ("tokenizer.json", "vocab.txt")


def tokenizer_file(card: ModelCard) -> Path:
    """The file that holds a model's tokenizer.

    Raises InputError for a directory without one, ModelUnavailableError for a hub model
    that can't be reached.
    """
    if card.origin != Origin.DIRECTORY and not is_on_board(card):
        return _fetched(card)
    owners = (card, *bases_of(card))  # an update without one speaks its base's tokens
    own = card.origin == Origin.DIRECTORY
    folders = [Path(card.id)] if own else [locate(owner.id)[1] for owner in owners]
    files = (folder / name for folder in folders for name in NAMES)
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        raise InputError(
            f"{folders[-1]} has neither {' nor '.join(NAMES)}. Save the tokenizer as a fast one, "
            "or upload its files."
        )
    return found


def _fetched(card: ModelCard) -> Path:
    from httpx2 import HTTPError  # what huggingface_hub speaks through, and lets pass
    from huggingface_hub import hf_hub_download  # pyright: ignore[reportUnknownVariableType]
    from huggingface_hub.errors import LocalEntryNotFoundError

    name = NAMES[0]
    with suppress(LocalEntryNotFoundError):
        return Path(
            hf_hub_download(card.repository, name, revision=card.revision, local_files_only=True)
        )
    try:
        reach_hub()
        return Path(hf_hub_download(card.repository, name, revision=card.revision))
    except (HTTPError, OSError) as error:
        raise ModelUnavailableError(
            f"The tokenizer of {card.title} comes from the hub, which can't be reached now. "
            "Connect to a network and try again, upload its "
            "tokenizer.json, or choose another one."
        ) from error
