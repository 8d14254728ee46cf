"""Explainers: one file a method, pure functions of traces or arrays, no model code.

Each is reached here by its name; the rooms' faces list them.
"""

from core.explain import attention, attribution, embeddings, flow, objectives, predictions
from core.explain.attention import *  # noqa: F403
from core.explain.attribution import *  # noqa: F403
from core.explain.embeddings import *  # noqa: F403
from core.explain.flow import *  # noqa: F403
from core.explain.objectives import *  # noqa: F403
from core.explain.predictions import *  # noqa: F403

__all__: list[str] = []
__all__ += attention.__all__
__all__ += attribution.__all__
__all__ += embeddings.__all__
__all__ += flow.__all__
__all__ += objectives.__all__
__all__ += predictions.__all__
