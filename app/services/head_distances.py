"""How alike the heads of a kind are on a text that a model has read; computed once for all."""

from app.services import engine
from app.services.engine import TextTrace
from core.engine import Job, Lane
from core.explain.attention.head_distances import HeadDistances, head_distances
from core.long_work import Progress, Report
from core.trace import AttentionKind

ABANDONED = 5.0  # seconds without anybody asking, after which it ends


def of_text(traced: TextTrace, kind: AttentionKind) -> Job[HeadDistances]:
    """On its way: 144 heads on 512 tokens take some time. Raises what `head_distances` raises."""

    def work(report: Report) -> HeadDistances:
        report(Progress("comparing the heads", 0, 0))
        return head_distances(traced.trace.layers[kind])

    return engine.start(
        ("head distances", traced.request, kind), work, Lane.MEASUREMENTS, patience=ABANDONED
    )
