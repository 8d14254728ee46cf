"""Which processor trains, what it is quick with, and its name for the card."""

import os
from collections.abc import Generator
from contextlib import contextmanager

import torch
from transformers import PreTrainedModel

from core.errors import InputError
from core.training.common.precision import precision

CHOICES = ("auto", "cpu", "cuda")


def pick_device(choice: str) -> str:
    """The choice "auto" is a GPU where there is one; "cuda" without one is an error."""
    there_is_one = torch.cuda.is_available()
    if choice == "cuda" and not there_is_one:
        raise InputError("--device cuda: torch finds no GPU here; use --device cpu or auto")
    if choice == "auto":
        return "cuda" if there_is_one else "cpu"
    return choice


def quickest_attention(device: str) -> str:
    """Of transformers' implementations: without the fused kernel, a CPU's backward is twice as
    fast."""
    return "sdpa" if device == "cuda" else "eager"


@contextmanager
def attention_told(model: PreTrainedModel) -> Generator[None, None, None]:
    """Within, the model tells its attention maps, which the fused kernel never makes.

    Afterwards it has the quickest of its device, which the recipes train with.
    """
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(quickest_attention(model.device.type))


def device_name(device: str) -> str:
    """The GPU, or the processor and how many threads compute on it."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    instructions = torch.backends.cpu.get_cpu_capability()
    threads = f"{torch.get_num_threads()} of torch's threads"
    return f"{os.cpu_count()} CPU cores, {threads}, {instructions}, {precision(device)}"
