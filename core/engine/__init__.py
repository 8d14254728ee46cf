"""The app's only door to the models: submit a request, get a future.

`embedded` computes in this process. Another engine (`ray`, later) takes the same requests
and gives the same results.
"""

from core.engine.cache import ByteCache
from core.engine.in_process import MEMORY, EmbeddedEngine
from core.engine.jobs import Job, Lane
from core.engine.known_answers import KnownAnswers
from core.engine.requests import Request

__all__ = ["MEMORY", "ByteCache", "EmbeddedEngine", "Job", "KnownAnswers", "Lane", "Request"]
