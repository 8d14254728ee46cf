"""What each example of the BERT page, and each lecture's link to masked words, is there to show.

Of a mask, in the text's order: words with the worst rank that makes the point. An example that
shows a failure says so on its chip, and fails here when the model has learnt better.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from app.content.lectures import LECTURES
from app.views.bert.inputs import EXAMPLES, Example
from app.views.bert.word_examples import EXAMPLES as WORDS
from core.explain.embeddings.contextual_vectors import find_word, similarities, word_vector
from core.explain.predictions.token_distribution import token_distribution

Claims = tuple[Mapping[str, int], ...]
CLAIMS: Mapping[str, Claims] = {
    "capital and France": ({"capital": 3}, {"france": 3}),
    "a fact": ({"french": 1},),
    "a cup of coffee": ({"coffee": 1, "tea": 5},),
    "two rooms": ({"door": 1}, {"room": 5}),
    "the answer is in the pair": ({"rome": 1},),
    "milk from where?": ({"supermarket": 2}, {"cup": 5, "glass": 5, "bottle": 5}),
    "see it fail: “not”": ({"fish": 1},),
}


def ranks(bert: Any, example: Example) -> list[dict[str, int]]:
    """Of every mask, the rank of each word that is spoken of."""
    mask = bert.profile().mask_id
    pair = example.pair or None
    edits = tuple((place, mask) for place in example.masks)
    trace = bert.trace_edited(example.text, pair=pair, edits=edits)
    found = []
    for place in np.flatnonzero(trace.encoding.ids == mask):
        seen = token_distribution(trace.logits[place])
        words = CLAIMS[example.label][len(found)]
        ids = {word: bert.tokenizer.convert_tokens_to_ids(word) for word in words}
        found.append({word: seen.rank(token) for word, token in ids.items()})
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.label)
def test_a_chip_keeps_its_claim(bert: Any, example: Example):
    found, claims = ranks(bert, example), CLAIMS[example.label]
    assert len(found) == len(claims)
    for at, claim in zip(found, claims, strict=True):
        assert {word: at[word] for word, worst in claim.items() if at[word] > worst} == {}


def test_a_lectures_masks_are_a_chips():
    """What a lecture shows of masked words is held by the chips' claims."""
    shown = {
        topic.state["text"]
        for _, topics in LECTURES
        for topic in topics
        if topic.page == "bert" and "text" in topic.state
    }
    assert shown <= {example.text for example in EXAMPLES}
    assert len(shown) == 2


@pytest.mark.parametrize("word", WORDS)
def test_an_examples_senses_lie_apart_in_the_last_layer(bert: Any, word: str):
    example = WORDS[word]
    traces = [bert.trace(sentence) for sentence in example.sentences]
    vectors = [
        word_vector(trace.hidden_states()[-1], find_word(trace.encoding, sentence, word))
        for trace, sentence in zip(traces, example.sentences, strict=True)
    ]
    cosines = similarities(np.stack(vectors)[None])[0]
    senses = np.array(list(example.senses))
    same = (senses[:, None] == senses) & ~np.eye(len(senses), dtype=bool)
    other = senses[:, None] != senses
    assert cosines[same].min() > cosines[other].max()
