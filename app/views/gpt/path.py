"""What was written so far, as a row of tokens: the prompt's end, the path, what lies ahead."""

from typing import Final

import numpy as np

from app.components.token_row import Chip
from app.style.number_format import three
from app.views.gpt.inputs import Opened
from app.views.gpt.tree import Tree
from core.outputs.decoder import NextStep

AHEAD: Final = ("ahead on this path: Forward goes there",)
PROMPT_SHOWN: Final = 40  # its last tokens


def path_chips(opened: Opened, step: NextStep, place: Tree) -> tuple[Chip, ...]:
    """The prompt's end, the path so far, and faintly what follows on this path."""
    tokens, ids = step.encoding.tokens, step.encoding.ids.tolist()
    prompt = [
        Chip(tokens[at], state="quiet", token_id=ids[at])
        for at in range(max(0, step.prompt_length - PROMPT_SHOWN), step.prompt_length)
    ]
    written = [
        _chip(token, own, float(p), rank, lit=index == place.length - 1)
        for index, (token, own, p, rank) in enumerate(
            zip(
                tokens[step.prompt_length :],
                ids[step.prompt_length :],
                np.exp(step.log_probabilities),
                step.ranks,
                strict=True,
            )
        )
    ]
    ahead = [
        Chip(name_of(opened, token), state="quiet", tip=AHEAD, token_id=token)
        for token in place.whole[place.length :]
    ]
    return (*prompt, *written, *ahead)


def _chip(token: str, own: int, p: float, rank: int, *, lit: bool) -> Chip:
    return Chip(
        token,
        note=three(p),
        shade=p,
        hue="decoder",
        state="lit" if lit else "plain",
        token_id=own,
        tip=(f"P = {three(p)} · rank {rank}", "A click comes back to right after this token."),
    )


def name_of(opened: Opened, token: int) -> str:
    """A token as the tokenizer writes it; of a link, an id that it lacks."""
    return opened.vocabulary[token] if token < len(opened.vocabulary) else f"⟨{token}⟩"
