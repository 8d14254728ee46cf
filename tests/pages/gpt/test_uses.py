"""What a language model is used for: examples in its prompt, fine-tuning; and BERT beside it."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from app.services import decoder
from app.style.number_format import three
from core.outputs.decoder import Task
from tests.pages.gpt.shown import TEXT, tokens


def test_few_shots_plot_the_answers_probability(opened, model):
    page = opened(
        view="shots",
        examples="cat -> dog\nsat -> ran",
        query="the",
        answer="animal",
        format="colon",
    )
    zero = model.score_continuation("the:", " animal").probability
    two = model.score_continuation("cat: dog\nsat: ran\nthe:", " animal").probability
    assert f"its probability: from **{three(zero)}** to **{three(two)}**" in page.text
    table = page.table("few-shot.csv")
    assert [row["examples"] for row in table] == ["0", "1", "2"]
    rank = int(table[2]["rank"])
    assert rank > 1
    assert f"would still not say animal: {rank - 1} of " in page.text
    assert float(table[2]["p"]) == pytest.approx(two, rel=1e-4)


def test_fine_tuning_sequences_of_all_tasks(opened, model):
    page = opened(view="tuning", task="similarity", first="the cat sat", second="a dog ran")
    made = model.fine_tuning_inputs("similarity", ("the cat sat", "a dog ran"))
    for index, sequence in enumerate(made.sequences):
        assert tokens(page, f"tuning.sequence.{index}") == list(sequence.tokens)
    states = page.figures["gpt.tuning.states"].arrays["values"]
    assert states.shape == (3, 32)
    np.testing.assert_allclose(states[2], states[0] + states[1], atol=1e-5)
    page.button_group(key="gpt.tuning.task").set_value(Task.MULTIPLE_CHOICE.value).run()
    assert "gpt.tuning.sequence.2" in page.figures
    page.text_area(key="gpt.tuning.second").set_value("He ran.").run()
    assert "A question with 1 answers: give 2 to 8" in page.notices


def test_the_seed_is_read_where_it_is_chosen(opened, monkeypatch: pytest.MonkeyPatch):
    """A widget in the figure reruns the figure's fragment alone."""
    ask, fragments = decoder.fine_tuning_start, []

    def noted(*given):
        fragments.append(ThreadState.get().fragment_id)
        return ask(*given)

    monkeypatch.setattr(decoder, "fine_tuning_start", noted)
    opened(view="tuning")
    assert fragments
    assert all(fragments)


def test_bert_beside_gpt_on_one_scale(opened, offered: dict[str, Path]):
    page = opened(view="beside", bert=str(offered["bert"]))
    keys = ("gpt.beside.beside.0", "gpt.beside.beside.1")
    bert, gpt = (page.figures[key] for key in keys)
    assert bert.header["limit"] == gpt.header["limit"]
    assert bert.arrays["values"].shape == gpt.arrays["values"].shape == (8, 8)
    assert gpt.arrays["values"].sum() == pytest.approx(8, abs=1e-2), "causal rows keep their mass"
    assert bert.arrays["values"].sum() < 8, "what went to [CLS] and [SEP] is told, not drawn"
    assert "On special tokens, not drawn:" in page.text
    assert "The mask leaves exactly 0 there" in page.text
    page.choose(keys[0], [1, 4])
    assert page.figures[keys[1]].header["selection"]["value"] == [1, 4]
    assert "for GPT this word has not been said yet" in page.text
    assert page.link["cell"] == "1.4"
    assert page.text_area(key="gpt.beside.text").value == TEXT
