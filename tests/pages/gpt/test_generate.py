"""Writing on: the model's own continuation, back and forth, every path kept."""

import numpy as np

from core.explain.predictions.sampling import Sampling, distribution
from tests.pages.gpt.shown import TEXT, tokens
from tests.pages.page import Page


def test_writing_is_models_generate_with_the_same_seed(opened, model):
    page = opened(view="generate", temperature="0.8", top_k="20", seed="5").press("Write 20")
    made = model.generate(TEXT, max_new_tokens=20, temperature=0.8, top_k=20, seed=5)
    assert tokens(page, "path")[8:] == [step.token for step in made.steps]


def test_undo_fork_and_return(opened, model):
    page = opened(view="generate", temperature="0")
    for label in ("Next token", "Next token", "Next token", "Back"):
        page.press(label)
    assert len(tokens(page, "path")) == 8 + 3, "what was undone stays ahead"
    greedy = [step.id for step in model.generate(TEXT, max_new_tokens=3, temperature=0).steps]
    step = model.next_step(TEXT, continuation=tuple(greedy[:2]))
    other = int(distribution(step.logits, Sampling(0)).order[4])
    page.fire("gpt.choices", 4)
    assert tokens(page, "path")[-1] == model.vocabulary()[other]
    assert "forks after 2" in page.text
    assert page.link["tree"] == f"{'.'.join(map(str, greedy))}~0/2.{other}@1.3"
    again = Page("gpt", **page.link)
    assert "forks after 2" in again.text
    again.button(key="gpt.path.0").click().run()
    assert tokens(again, "path")[8:] == [model.vocabulary()[token] for token in greedy]


def test_each_step_shows_where_it_looked(opened, model):
    page = opened(view="generate", temperature="0").press("Next token")
    chosen = model.generate(TEXT, max_new_tokens=1, temperature=0).steps[0].id
    attention = model.next_step(TEXT, continuation=(chosen,)).attention
    assert attention.shape == (3, 4, 9)
    by_layer, heads = (page.figures[f"gpt.{name}"].arrays["values"] for name in ("layers", "heads"))
    np.testing.assert_allclose(by_layer, attention.mean(axis=1), atol=1e-6)
    np.testing.assert_allclose(heads, attention[2], atol=1e-6)
    page.choose("gpt.layers", [1, 0])
    np.testing.assert_allclose(page.figures["gpt.heads"].arrays["values"], attention[1], atol=1e-6)
    assert page.link["layer"] == "1"
