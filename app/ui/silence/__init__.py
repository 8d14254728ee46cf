"""Silence heads beside a prediction: the same section on every page that shows one."""

from app.ui.silence.params import Silence
from app.ui.silence.section import Asked, Effect, silence_heads, with_effect

__all__ = ["Asked", "Effect", "Silence", "silence_heads", "with_effect"]
