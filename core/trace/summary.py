"""A trace in a few lines, as a notebook shows it."""

from core.trace.attention_layer import AttentionKind, AttentionLayer
from core.trace.encoding import Encoding
from core.trace.sink import has_sink
from core.trace.trace import Trace

SHOWN = 12  # tokens


def summary(trace: Trace) -> str:
    """The model, the input, the maps and what else was kept, with its shapes and its size."""
    lines = [f"Trace of {trace.model_id}, {_size(trace.nbytes)}"]
    for name, encoding in (("input", trace.encoding), ("target", trace.target_encoding)):
        if encoding is not None:
            lines.append(f"  {name}: {_tokens(encoding)}")
    if trace.patches is not None:
        grid = trace.patches
        lines.append(f"  patches: {grid.rows} × {grid.columns}, {grid.prefix_tokens} before them")
    lines += [f"  {kind}: {_maps(layers)}" for kind, layers in trace.layers.items()]
    lines += [f"  states of the {stack}: {_states(trace, stack)}" for stack in trace.states]
    if trace.blocks is not None:
        lines.append(f"  blocks of {' and '.join(trace.blocks)}")
    if trace.logits is not None:
        lines.append(f"  logits: {' × '.join(map(str, trace.logits.shape))}")
    return "\n".join(lines)


def _tokens(encoding: Encoding) -> str:
    more = len(encoding) - SHOWN
    shown = " ".join(encoding.tokens[:SHOWN])
    return f"{len(encoding)} tokens: {shown}{f' … and {more} more' if more > 0 else ''}"


def _maps(layers: tuple[AttentionLayer, ...]) -> str:
    heads = sorted({layer.n_heads for layer in layers})
    sizes = dict.fromkeys(" × ".join(map(str, layer.map_shape)) for layer in layers)
    gradients = ", with gradients" if any(one.gradients is not None for one in layers) else ""
    sink = ", and a learned sink" if has_sink(layers) else ""
    return (
        f"{len(layers)} layers of {' to '.join(map(str, heads))} heads, "
        f"maps {', '.join(sizes)}{sink}{gradients}"
    )


def _states(trace: Trace, stack: AttentionKind) -> str:
    states = trace.states[stack]
    return f"{len(states)} of {' × '.join(map(str, states[-1].shape))}" if states else "none"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"
