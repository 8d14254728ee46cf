import numpy as np
import pytest

from core.errors import InputError
from core.models.text.one_stream import one_stream
from core.trace import AttentionKind


def test_states_of_one_stream_are_as_they_were():
    states = {AttentionKind.DECODER: (np.zeros((3, 8), np.float32),) * 2}
    assert one_stream("a model", states) is states


def test_a_model_of_several_streams_is_refused_with_the_reason():
    states = {AttentionKind.DECODER: (np.zeros((3, 4, 8), np.float32), np.zeros((3, 8)))}
    with pytest.raises(InputError, match=r"a model: .* 3 × 4 × 8 numbers, 4 streams a token"):
        one_stream("a model", states)
