"""What `core.load` says that it returns: read by basedpyright (tests/test_types.py), never run."""

# pyright: reportUnnecessaryTypeIgnoreComment=error
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
from pathlib import Path
from typing import Any, assert_type

import core

assert_type(core.load("bert-mini"), core.Encoder)
assert_type(core.load("gpt2"), core.Decoder)
assert_type(core.load("t5-small"), core.Translator)
assert_type(core.load("vit-mini"), core.VisionModel)
assert_type(core.load("mae-mini"), core.MaskedAutoencoder)
assert_type(core.load("detr-mini"), core.Detector)
assert_type(core.load(Path("a/checkpoint"), core.Encoder), core.Encoder)
assert_type(core.load("a/checkpoint"), core.Model[Any, Any])

# What is wrong is told: a comment that silences nothing is an error itself.
core.load("bert-mini").generate("On")  # pyright: ignore[reportAttributeAccessIssue]
core.load("bert-mini").fill_mask("A [MASK].", topk=3)  # pyright: ignore[reportCallIssue]
core.load("bert-mini").fill_mask(3)  # pyright: ignore[reportArgumentType]
