"""From a forward's attention calls to the layers of its traces: right, or refused.

Every family of models comes through here. A forward must make as many maps as the model
promises, and every call must hold one map a row of the batch; that a map's rows and columns are
the input's tokens or patches is checked where a trace is made (`core.trace.fit`). What fails is
refused with the reason, if it is a known one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from torch import nn

from core.capture.attention_call import AttentionCall
from core.errors import InputError
from core.trace import AttentionKind, AttentionLayer

SCALED_BY_A_SINK: Final = (
    "scales what a head read by a learned sink, after its softmax, so what a row really gives the "
    "tokens is in no softmax that could be seen"
)
DECLINED: Final = {  # a module's class: why its softmaxes aren't maps over tokens or patches
    "XCA": "attends over channels, not over patches",
    "ChannelAttention": "attends over channels in every other block, not over patches",
    "ChannelAttentionV2": "attends over channels in every other block, not over patches",
    "TalkingHeadAttn": "mixes its heads again after the softmax, so no head has a map of its own",
    "PartitionAttentionCl": "attends within blocks and along grids, which aren't put together here",
    "PartitionAttention2d": "attends within blocks and along grids, which aren't put together here",
    "DiffAttention": "subtracts one map from another, so its rows are no shares that sum to one",
    "GPSA": "mixes two softmaxes by a gate, one of content and one of place, and never makes the "
    "mixture by a softmax that could be seen",
    "OutlookAttention": "makes its first stage's weights from one patch alone, for the patches "
    "around it, without queries and keys",
    "MaskUnitAttention": "attends within units of patches, which aren't put together here",
    "NestLevel": "attends within blocks of patches, which aren't put together here",
    "LongformerSelfAttention": "cuts a text into overlapping chunks and attends within them",
    "LEDEncoderSelfAttention": "cuts a text into overlapping chunks and attends within them",
    "PegasusXGlobalLocalAttention": "attends within blocks of a text, and to tokens of its own",
    "BigBirdBlockSparseAttention": "cuts a text into blocks and attends to some of them",
    "ProphetNetNgramSelfAttention": "reads the target in several streams at once, whose maps lie "
    "on one another",
    "DiffLlamaAttention": "subtracts one map from another, so its rows are no shares that sum to "
    "one",
    "GraniteSWAAttention": SCALED_BY_A_SINK,
    "GraniteMoeSWAAttention": SCALED_BY_A_SINK,
}
REASONS: Final = WeakKeyDictionary[nn.Module, str | None]()  # what was looked up once


def layers_by_row(
    title: str,
    module: nn.Module,
    calls: Sequence[AttentionCall],
    promised: Mapping[AttentionKind, int],
    *,
    rows: int,
) -> list[dict[AttentionKind, tuple[AttentionLayer, ...]]]:
    """The layers of every row of a batch, by kind.

    Raises InputError for a family whose softmaxes are no such maps, for another number of maps
    than `promised`, and for calls over pieces of the input.
    """
    refuse_declined(title, module)
    seen = {kind: [call for call in calls if call.kind == kind] for kind in promised}
    for kind, of_kind in seen.items():
        if len(of_kind) != promised[kind]:
            raise InputError(
                f"{title}: {len(of_kind)} {kind} attention maps were seen, but its config promises "
                f"{promised[kind]}. Some of its layers don't attend, or attend in another way than "
                "by one softmax over all keys. This model can't be shown; choose another."
            )
    for call in (call for of_kind in seen.values() for call in of_kind):
        pieces = call.rows / rows
        if pieces != (1 if call.windows is None else call.windows.n_windows):
            raise InputError(
                f"{title} attends within {pieces:g} windows or chunks of its input; only Swin's "
                "windows can be put together to a whole map. Choose another model."
            )
    shared: list[dict[int, Any]] = [{} for _ in range(rows)]
    return [
        {
            kind: tuple(call.layer_of(row, shared[row]) for call in of_kind)
            for kind, of_kind in seen.items()
        }
        for row in range(rows)
    ]


def refuse_declined(title: str, module: nn.Module) -> None:
    """Raises InputError for a family whose softmaxes aren't maps over tokens or patches."""
    if module not in REASONS:
        classes = {type(part).__name__ for part in module.modules()}
        REASONS[module] = next((why for name, why in DECLINED.items() if name in classes), None)
    if (reason := REASONS[module]) is not None:
        raise InputError(
            f"{title} {reason}. Its answers can be asked, its maps can't be shown; choose another "
            "model."
        )
