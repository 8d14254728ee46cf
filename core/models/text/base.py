"""What all text models share: tokenizing, one traced forward, batches of equal shape."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float32
from torch import Tensor, nn

from core.capture import Recorder
from core.capture.attention_call import AttentionCall, read_row
from core.capture.fitting_layers import layers_by_row
from core.capture.gradients import with_gradients
from core.capture.residual_stream import SublayerRecorder
from core.catalog import ModelCard
from core.errors import InputError
from core.explain.attention.word_looks import WordLooks
from core.interventions import Intervention
from core.long_work import WithdrawnError
from core.models.batching import bytes_of, checked_changes, logits_at, measured, rows_at_once
from core.models.positions.equivariance import text_equivariance
from core.models.positions.tables import text_table
from core.models.text.head_measures import head_measures, known_outputs, looks_of_words
from core.models.text.one_stream import one_stream
from core.models.text.projections import head_projections
from core.models.text.refusals import refuse_misfits
from core.models.text.replaced_tokens import Prepared, replaced
from core.models.text.same_shape import BATCH, in_batches
from core.models.text.tokenize import replace_tokens, token_limit
from core.models.text.variants import logits_of, under_each
from core.outputs.head_measures import HeadMeasures, WordedText
from core.outputs.projections import HeadProjections
from core.positions.equivariance import Equivariance, order_of
from core.positions.table import PositionTable
from core.targets import Measured, Target
from core.trace import AttentionKind, AttentionLayer, Trace


@dataclass(frozen=True)
class TextModel(ABC):
    """A loaded model. It holds no state of past runs, and its module is never changed."""

    card: ModelCard
    module: nn.Module
    tokenizer: Any
    paths: Mapping[int, str]

    batched: ClassVar = frozenset({"text", "pair", "target", "interventions"})

    @property
    def nbytes(self) -> int:
        """Bytes of parameters and buffers."""
        return bytes_of(self.module)

    @property
    def device(self) -> torch.device:
        return next(self.module.parameters()).device

    @property
    def token_limit(self) -> int:
        """Tokens that fit: the app's limit, or the model's positions if those are fewer."""
        return token_limit(self.module, self.tokenizer)

    def trace(
        self,
        text: str,
        *,
        interventions: Sequence[Intervention] = (),
        blocks: bool = False,
        gradient_of: Target | None = None,
        **given: str | None,
    ) -> Trace:
        """One forward pass on a text (and a `pair`, or a `target`), with every attention map.

        blocks: keep every sublayer's output and norm, too (`Trace.block`); takes longer.
        gradient_of: keep each layer's gradients of this logit with respect to its weights, too.
        """
        if blocks or gradient_of is not None:
            prepared = self._prepared({"text": text, **given})
            return self._trace_batch(
                [prepared], [interventions], blocks=blocks, gradient_of=gradient_of
            )[0]
        return self.trace_many([{"text": text, **given}], [interventions])[0]

    def trace_many(
        self,
        inputs: Sequence[str | Mapping[str, str | None]],
        interventions: Sequence[Sequence[Intervention]] | None = None,
    ) -> tuple[Trace, ...]:
        """Traces of many inputs; those of the same shape run as one batch, none is padded.

        The i-th interventions act on the i-th input.
        """
        changes = checked_changes(len(inputs), interventions)

        def traced(rows: Sequence[Prepared], indices: Sequence[int]) -> Sequence[Trace]:
            return self._trace_batch(rows, [changes[index] for index in indices])

        return in_batches([*map(self._prepared, inputs)], traced, rows_at_once(changes, BATCH))

    def head_measures(
        self, texts: Sequence[str], *, only: Sequence[str] | None = None
    ) -> tuple[Mapping[AttentionKind, HeadMeasures], ...]:
        """What every head does on each text, by kind, for `core.explain.head_roles`.

        only: of these roles. A translator decodes its targets greedily.
        """
        outputs = {kind: self._outputs(kind) for kind in self.promised_maps()}
        return head_measures(self.trace_many(texts), outputs, only)

    def word_looks(
        self,
        texts: Sequence[WordedText],
        *,
        kind: AttentionKind | None = None,
        written: bool = False,
        ahead: bool = False,
    ) -> tuple[WordLooks | None, ...]:
        """Where each word looks in every head: see `core.outputs.families.TextModel`."""
        kind = kind or next(iter(self.promised_maps()))
        by, given = self._outputs(kind) or () if written else None, [one.given for one in texts]
        return looks_of_words(self.trace_many(given), texts, kind, by, ahead=ahead)

    def _outputs(self, kind: AttentionKind) -> list[np.ndarray] | None:
        return known_outputs(self.card, self.module, lambda path: self.kind_of(path) == kind)

    def measure(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        quantity: Measured,
        *,
        edits: Sequence[tuple[int, int]] = (),
        **given: Any,
    ) -> Float32[np.ndarray, " variant"]:
        """A probability, or a logit, under each of many changes, in batches; no map is kept.

        edits: other tokens in some places of the text, (position, token id). given: a `pair`, or
        a `target`, as the family takes them.
        Raises InputError for a token or a position that isn't there, or without a head.
        """
        prepared = self._answering(text, edits, **given)
        return under_each(self, prepared, variants, lambda logits: measured(logits, quantity))

    def logits_at(
        self,
        text: str,
        variants: Sequence[Sequence[Intervention]],
        position: int,
        *,
        edits: Sequence[tuple[int, int]] = (),
        **given: Any,
    ) -> Float32[np.ndarray, "variant vocabulary"]:
        """All logits at one position under each of many changes. Raises InputError as `measure`."""

        def read(logits: Tensor | None) -> np.ndarray:
            return logits_at(logits, position).cpu().numpy()

        return under_each(self, self._answering(text, edits, **given), variants, read)

    def _answering(self, text: str, edits: Sequence[tuple[int, int]], **given: Any) -> Prepared:
        """What is read where a text is asked about."""
        source, target = self.prepare(text, **given)
        return replace_tokens(self.tokenizer, source, edits), target

    def _prepared(self, given: str | Mapping[str, str | None]) -> Prepared:
        if isinstance(given, str):
            return self.prepare(given)
        optional = {name: value for name, value in given.items() if name != "text"}
        return self.prepare(given["text"] or "", **optional)

    def position_table(self) -> PositionTable:
        """The model's own table of positions. Raises InputError for a model without one."""
        return text_table(self.card, self.module)

    def permutation_test(self, text: str, *, seed: int = 0, **given: str | None) -> Equivariance:
        """How far this text's states are from moving with their tokens (of the first stack)."""
        source, target = self.prepare(text, **given)
        order = order_of(len(source), seed)
        return text_equivariance(
            lambda shown, changes: self._trace_batch([(shown, target)], [changes])[0],
            source,
            order,
            self.device,
        )

    @abstractmethod
    def prepare(self, text: str, **given: str | None) -> Prepared:
        """Tokenize. Raises InputError for what this family can't take."""

    @abstractmethod
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        """How many attention layers of each kind the config promises."""

    @abstractmethod
    def kind_of(self, path: str) -> AttentionKind:
        """The kind of attention that a module computes."""

    @abstractmethod
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Tensor]:
        """The forward's arguments for inputs of one shape."""

    @abstractmethod
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        """The hidden states of one row, by stack."""

    def _trace_batch(
        self,
        batch: Sequence[Prepared],
        interventions: Sequence[Sequence[Intervention]],
        *,
        blocks: bool = False,
        gradient_of: Target | None = None,
    ) -> tuple[Trace, ...]:
        """Gradients are of one input alone, not of a batch."""
        self.check_interventions(interventions, replacing=True)
        batch = replaced(self.tokenizer, batch, interventions)
        explicit = gradient_of is not None
        recorder = Recorder(self.paths, self.kind_of, interventions, explicit=explicit)
        sublayers = SublayerRecorder(self.module, self.paths) if blocks else None
        with (
            self._reading(),
            torch.inference_mode(mode=not explicit),
            recorder,
            sublayers or nullcontext(),
        ):
            output = self.module(**self.tensors(batch), output_hidden_states=True)
        logits = logits_of(output)
        calls: Sequence[AttentionCall] = recorder.calls
        if gradient_of is not None:
            calls = with_gradients(calls, None if logits is None else logits[0], gradient_of)
        layers = self._layers(calls, len(batch))
        with self._reading():  # PEGASUS-X gives two states a layer
            every = [self.states_of(output, row) for row in range(len(batch))]
            states = [one_stream(self.card.title, of_row) for of_row in every]
        return tuple(
            Trace(
                model_id=self.card.id,
                layers=layers[row],
                states=states[row],
                blocks=sublayers and sublayers.blocks(self.kind_of, states[row], row),
                encoding=source,
                target_encoding=target,
                logits=None if logits is None else read_row(logits, row),
            )
            for row, (source, target) in enumerate(batch)
        )

    def _with_blocks(self, prepared: Prepared, changes: Sequence[Intervention]) -> Trace:
        """Of one input."""
        return self._trace_batch([prepared], [changes], blocks=True)[0]

    @contextmanager
    def _reading(self) -> Generator[None]:
        """Raises InputError where the model's own code stops at an input (Nyströmformer, X-MOD)."""
        try:
            yield
        except (InputError, WithdrawnError, torch.OutOfMemoryError, MemoryError):
            raise
        except Exception as error:  # whatever transformers raises of a config that doesn't fit
            raise InputError(
                f"{self.card.title}: transformers' own {type(self.module).__name__} stopped at "
                f"this text ({type(error).__name__}: {error}). Its config asks for another length "
                "or for settings that the checkpoint lacks; try a longer or shorter text, or "
                "another model."
            ) from error

    def _layers(
        self, calls: Sequence[AttentionCall], rows: int
    ) -> list[dict[AttentionKind, tuple[AttentionLayer, ...]]]:
        return layers_by_row(self.card.title, self.module, calls, self.promised_maps(), rows=rows)

    def head_projections(
        self, layer: int, head: int, *, kind: AttentionKind | None = None
    ) -> HeadProjections:
        """W^Q, W^K, W^V and W^O of one head; `kind` may be left out where there is one."""
        kinds = self.promised_maps()
        if kind is None and len(kinds) > 1:
            raise InputError(f"Say which kind of attention: {', '.join(kinds)}.")
        wanted = next(iter(kinds)) if kind is None else kind
        place = layer, head
        return head_projections(
            self.card, self.module, lambda path: self.kind_of(path) == wanted, place
        )

    def check_interventions(
        self, interventions: Sequence[Sequence[Intervention]], *, replacing: bool = False
    ) -> None:
        """Raises InputError for a change that this model can't make; replacing: of tokens, too."""
        promised, paths = self.promised_maps(), self.paths.values()
        refuse_misfits(self.card, promised, paths, interventions, replacing=replacing)
