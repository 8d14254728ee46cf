"""What a distribution over tokens says: lenses, sampling, surprisal."""

from core.explain.predictions.answer_spans import Spans, span_scores
from core.explain.predictions.largest import largest
from core.explain.predictions.logit_lens import LayerLogits, LayerReading, read_layers
from core.explain.predictions.prediction_change import PredictionChange, prediction_change
from core.explain.predictions.sampling import CutDistribution, Draw, Sampling, distribution, draw
from core.explain.predictions.surprisal import Surprise, surprise, token_bits
from core.explain.predictions.teacher_forcing import TokenLosses, token_losses
from core.explain.predictions.token_distribution import TokenDistribution, token_distribution

__all__ = [
    "CutDistribution",
    "Draw",
    "LayerLogits",
    "LayerReading",
    "PredictionChange",
    "Sampling",
    "Spans",
    "Surprise",
    "TokenDistribution",
    "TokenLosses",
    "distribution",
    "draw",
    "largest",
    "prediction_change",
    "read_layers",
    "span_scores",
    "surprise",
    "token_bits",
    "token_distribution",
    "token_losses",
]
