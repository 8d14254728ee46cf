"""The app's only door to the models: submit a request, get a future.

`EmbeddedEngine` computes in this process. Another engine takes the same requests and gives the same
results.
"""

from core.engine.cache import ByteCache
from core.engine.engine import MEMORY, Engine
from core.engine.in_process import EmbeddedEngine
from core.engine.jobs import Job, Lane
from core.engine.known_answers import KnownAnswers
from core.engine.requests import Request

__all__ = [
    "MEMORY",
    "ByteCache",
    "EmbeddedEngine",
    "Engine",
    "Job",
    "KnownAnswers",
    "Lane",
    "Request",
]
