"""Which processor trains, and its name for the card."""

import os

import torch

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


def device_name(device: str) -> str:
    """The GPU, or the processor and how many threads compute on it."""
    if device == "cuda":
        return torch.cuda.get_device_name()
    instructions = torch.backends.cpu.get_cpu_capability()
    threads = f"{torch.get_num_threads()} of torch's threads"
    return f"{os.cpu_count()} CPU cores, {threads}, {instructions}, {precision(device)}"
