"""The logit lens: what the model would answer if it stopped after each layer.

A layer's hidden state goes through the final norm, where the family has one, and through the
model's own head. nostalgebraist, "interpreting GPT: the logit lens", 2020,
https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru; cautions in Belrose et al. 2023,
https://arxiv.org/abs/2303.08112: early layers need not speak the last one's language.
"""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.capture import Recorder
from core.errors import InputError
from core.explain.attention.head_circuits import HeadCircuits
from core.explain.predictions.logit_lens import LayerLogits
from core.interventions import Intervention
from core.models.text.attributed import AttributedModel
from core.models.text.circuits import Place, circuits, refuse_many
from core.models.text.readout import final_norm, vocabulary_head
from core.models.text.tokenize import tokens_of
from core.trace import read_only

LARGEST = 256 * 2**20  # bytes of one answer
TOLERANCE = 1e-3  # between the model's logits and its last layer read by the lens


@dataclass(frozen=True)
class LanguageModel(AttributedModel, ABC):
    """A text model with one stack and a head over the vocabulary."""

    def layer_logits(
        self,
        text: str,
        *,
        pair: str | None = None,
        positions: tuple[int, ...] | None = None,
        edits: tuple[tuple[int, int], ...] = (),
        interventions: Sequence[Intervention] = (),
    ) -> LayerLogits:
        """Logits of every layer at `positions` (negative ones count from the end; None: all).

        `edits` put other tokens into the text: (position, token id).

        Raises InputError for a model without a head that can be read layer by layer, and for
        more numbers than fit.
        """
        encoding = self._edited(text, pair, edits)
        places = _places(positions, len(encoding))
        norm, head = final_norm(self.module), vocabulary_head(self.card, self.module)
        self.check_interventions([interventions])
        with torch.inference_mode():
            with Recorder(self.paths, self.kind_of, [interventions]):
                output = self.module(**self.tensors([(encoding, None)]), output_hidden_states=True)
            own = output.get("logits", output.get("prediction_logits"))[0, places]
            states: tuple[Tensor, ...] = output.hidden_states
            self._refuse_too_many(len(states), len(places), own.shape[-1])
            # transformers ends its hidden states with the normed one
            read = [head(norm(state[0, places])) for state in states[:-1]]
            last = head(states[-1][0, places])
            if last.shape != own.shape or not torch.allclose(last, own, atol=TOLERANCE):
                raise self._unreadable()
            logits = torch.stack([*read, own]).float().cpu().numpy()
        return LayerLogits(encoding, places, read_only(logits))

    def circuits(self, text: str, layer: int, head: int) -> HeadCircuits:
        """What one head would write for each token of a text, and which it pairs.

        Raises InputError for a head that is not there, too many tokens, and as `direct_logits`.
        """
        prepared = self._prepared(text)
        refuse_many(prepared[0])
        (kind,) = self.promised_maps()
        return circuits(self, Place(layer, head, kind), prepared, prepared, self._with_blocks)

    def vocabulary(self) -> tuple[str, ...]:
        """Every token by its id, as the tokenizer writes it; ids that it never makes included."""
        size = int(self.module.get_input_embeddings().weight.shape[0])  # pyright: ignore
        return tokens_of(self.tokenizer, range(size))

    def _refuse_too_many(self, layers: int, positions: int, vocabulary: int) -> None:
        a_position = 4 * layers * vocabulary
        if positions * a_position > LARGEST:
            raise InputError(
                f"{positions} positions are too many for the {layers} layers and "
                f"{vocabulary:,} tokens of {self.card.title}: up to {LARGEST // a_position} are "
                "read at a time. Shorten the text."
            )

    def _unreadable(self) -> InputError:
        return InputError(
            f"{self.card.title} does more between its last layer and its logits than a norm and a "
            "head, so its layers can't be read through them. Choose another model."
        )


def _places(positions: tuple[int, ...] | None, length: int) -> tuple[int, ...]:
    chosen = range(length) if positions is None else positions
    if beyond := [place for place in chosen if not -length <= place < length]:
        raise InputError(
            f"There is no position {beyond[0]}: the text has {length} tokens, counted from 0."
        )
    return tuple(place % length for place in chosen)
