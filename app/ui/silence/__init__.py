"""Silence heads beside a prediction: the same section on every page that shows one."""

from app.ui.silence.asked import Asked, Effect, heads_of, with_effect
from app.ui.silence.params import Silence
from app.ui.silence.section import silence_heads

__all__ = ["Asked", "Effect", "Silence", "heads_of", "silence_heads", "with_effect"]
