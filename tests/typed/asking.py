"""What a question to the engine says of its answer: read by basedpyright, never run."""

# pyright: reportUnnecessaryTypeIgnoreComment=error
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
from concurrent.futures import Future
from typing import assert_type

from app.services.engine import ask
from core.outputs.encoder import MaskPrediction
from core.outputs.families import Encoder

assert_type(
    ask(Encoder.fill_mask, "bert-mini", "A [MASK].", top_k=3), Future[tuple[MaskPrediction, ...]]
)
ask(Encoder.fill_mask, "bert-mini", "A [MASK].", topk=3)  # pyright: ignore[reportCallIssue]
ask(Encoder.fill_mask, "bert-mini", 3)  # pyright: ignore[reportArgumentType]
ask(Encoder.fil_mask, "bert-mini", "")  # pyright: ignore[reportAttributeAccessIssue]
