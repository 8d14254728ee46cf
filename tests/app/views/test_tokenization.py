"""What the tokenization page says and sends, without a browser."""

import json

import pytest

from app.components import frame
from app.components.bpe_encoding import EncodingView, bpe_encoding_frame
from app.components.bpe_fork import TwoRuns, bpe_fork_frame
from app.components.bpe_stepper import Stepper, bpe_stepper_frame, read_forced
from app.components.selection import Seed
from app.services import bpe_training
from app.services.bpe_training import Recipe
from app.ui.downloads import csv_bytes
from app.views.tokenization import corpora, fork, lessons, state, steps
from app.views.tokenization.encode import answer_words
from app.views.tokenization.exports import COLUMNS, caption, merge_rows
from core.errors import InputError
from core.tokenization import bpe, typed_counts
from core.tokenization.bpe.lesson import lesson_of, write_lesson

LECTURE = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


@pytest.fixture(scope="module")
def training():
    return bpe.train(LECTURE, 10)


def test_counts_are_read_from_a_line():
    assert typed_counts.read_counts("low 5, lower 2\nnewest: 6; widest × 3") == tuple(
        LECTURE.items()
    )
    assert typed_counts.read_counts("a 1, a 2") == (("a", 3),)


@pytest.mark.parametrize("text", ["", " , ", "low", "5", "low 0", "low 9999999999999"])
def test_nonsense_is_no_count(text):
    with pytest.raises(InputError):
        typed_counts.read_counts(text)


def test_more_words_and_larger_counts_than_there_may_be():
    most, largest = typed_counts.MOST_COUNTED, typed_counts.LARGEST_COUNT
    words = ", ".join(f"w{number} {largest}" for number in range(most))
    assert len(typed_counts.read_counts(words)) == most
    with pytest.raises(InputError, match=f"{most:,} go. Upload a text"):
        typed_counts.read_counts(f"{words}, one 1")
    with pytest.raises(InputError, match=f"1 to {largest:,} go"):
        typed_counts.read_counts(f"one {largest + 1}")


def test_a_lesson_with_more_merges_than_the_page_makes():
    written = json.loads(write_lesson(lesson_of(bpe.train(LECTURE, 10), 0)))
    written["n_merges"] = state.MOST_MERGES + 1
    with pytest.raises(InputError, match=f"makes up to {state.MOST_MERGES:,}"):
        lessons.open_lesson(json.dumps(written))


def test_counts_are_written_only_where_they_come_back():
    assert typed_counts.write_counts(tuple(LECTURE.items())) == state.LECTURE
    assert typed_counts.write_counts((("a,b", 2),)) is None


def test_a_merge_strikes_left_to_right():
    assert steps.places(["a", "a", "a"], ("a", "a")) == [0]
    assert steps.places(["a", "a", "a", "a"], ("a", "a")) == [0, 2]
    assert steps.places(["a", "b"], ("b", "a")) == []


@pytest.mark.parametrize("rule", state.RULES)
def test_what_is_lit_becomes_the_next_state(rule):
    run = bpe.train(LECTURE | {"aaaa": 3}, 14, rule)
    for step in range(len(run.steps)):
        pair = run.steps[step].pair
        for index in range(len(LECTURE) + 1):
            tokens = list(run.state_at(step).word(index).tokens)
            for place in reversed(steps.places(tokens, pair)):
                tokens[place : place + 2] = ["".join(pair)]
            assert tuple(tokens) == run.state_at(step + 1).word(index).tokens


def test_the_deciding_comparison_in_words(training):
    tie = steps.step_values(training, 0)["why"]
    assert tie.startswith("3 pairs stand 9 times each")
    assert "e + s: word 3 “newest”, symbol 4; s + t: word 3 “newest”, symbol 5." in tie
    plain = steps.step_values(training, 2)["why"]
    assert plain == (
        "est + </w> stands 9 times, more often than any other: the next, l + o, stands 7 times."
    )
    assert "as many as the settings ask for" in steps.step_values(training, 10)["why"]


def test_fewer_replacements_than_counts_are_explained():
    run = bpe.train("aaa", 2, end_of_word=None)
    values = steps.step_values(run, 0)
    assert values["overlap"].startswith("Counted 2, replaced 1: in aaa")
    assert values["rows"][0][2:4] == [2, 1]


def test_forced_merges_say_so(training):
    forced = bpe.fork(training, force=(0, ("s", "t")))
    assert steps.step_values(forced, 0)["why"].startswith("Forced: s + t, which stands 9 times.")


def test_a_large_run_is_sent_in_windows():
    text = " ".join(f"{a}{b}{c}{d}" for a in "abcdef" for b in "ghij" for c in "klmn" for d in "op")
    run = bpe.train(text, 400)
    assert len(run.steps) > steps.EVERY_STEP
    assert 200 in steps.window(run, 200)
    assert len(steps.window(run, 200)) <= 3 * steps.AROUND + 1
    assert 200 in steps.window_values(run, 200)
    assert steps.window(run, len(run.steps))[-1] == len(run.steps)


def test_the_frame_holds_the_run_and_its_steps(training, monkeypatch):
    monkeypatch.setattr(steps, "TIME", 60.0)  # a busy machine would send fewer
    values = Stepper(steps.run_values(training), steps.window_values(training, 0), "caption")
    header, arrays = frame.unpack(bpe_stepper_frame(values, seed=Seed(4, serial=3), clicks=2))
    assert header["selection"] == {"serial": 3, "value": 4, "visit": ""}
    assert header["clicks"] == 2
    run = json.loads(arrays["run"].tobytes())
    assert [left + right for left, right, *_ in run["merges"]][:3] == ["es", "est", "est</w>"]
    assert run["lengths"] == list(training.corpus_lengths())
    assert list(json.loads(arrays["steps"].tobytes())) == [str(step) for step in range(11)]


@pytest.mark.parametrize("given", [[1], [1, -1], [99, 0], "1.2", None, [1, "x"]])
def test_a_browsers_nonsense_forces_nothing(given):
    assert read_forced(given, 10) is None


def test_where_two_runs_part_in_words(training):
    other = bpe.fork(training, tie_rule="greatest-strings")
    view = bpe.side_by_side(training, other)
    told = fork.sentence(view, ("first seen", "greatest strings"))
    assert told == (
        "They part at merge 1: first seen takes e + s, greatest strings takes t + </w>; both "
        "stand 9 times."
    )
    same = bpe.side_by_side(training, training)
    assert "the same merges in the same order" in fork.sentence(same, ("a", "b"))
    longer = bpe.side_by_side(training, bpe.train(LECTURE, 8))
    assert "“a” goes on with merge 9" in fork.sentence(longer, ("a", "b"))
    runs = TwoRuns(("a", "b"), (training.steps, other.steps), view, told, "")
    header, _ = frame.unpack(bpe_fork_frame(runs))
    assert header["first"] == 0


def test_a_tree_is_sent_children_first(training):
    encoding = bpe.encode("lowest", training.merges, "</w>")
    header, _ = frame.unpack(bpe_encoding_frame(EncodingView(encoding, "")))
    for i, (_, start, end, _, _, children) in enumerate(header["nodes"]):
        assert all(child < i for child in children)
        if children:
            assert header["nodes"][children[0]][1] == start
            assert header["nodes"][children[-1]][2] == end
    assert header["tokens"] == ["low", "est</w>"]


def test_why_a_token_is_missing_in_words(training):
    encoding = bpe.encode("lowest", training.merges, "</w>")

    def asked(wanted: str) -> str:
        return answer_words(bpe.why_not(encoding, wanted, training.merges)[0], encoding)

    assert asked("low") == "low is one of the tokens."
    assert asked("x").startswith("x is not in the word")
    assert asked("we") == "No rule makes we. And rule 1, e + s, had joined es, across its border."
    assert asked("est") == "est was made, but then rule 3, est + </w>, had joined est</w>."


def test_csv_has_one_line_a_merge(training):
    lines = csv_bytes(caption(training), COLUMNS, merge_rows(training)).decode().splitlines()
    assert lines[1].startswith("merge,left,right,token")
    assert lines[2] == "1,e,s,es,9,9,3,0,12,86"
    assert len(lines) == 12


def test_equal_recipes_are_trained_once():
    recipe = Recipe(tuple(LECTURE.items()), 10)
    first = bpe_training.train(recipe).future.result(10)
    again = bpe_training.train(Recipe(tuple(LECTURE.items()), 10)).future.result(10)
    assert first is again


def test_a_readers_error_reaches_whoever_waits_and_is_not_kept():
    for _ in range(2):
        with pytest.raises(InputError, match="does not compile"):
            bpe_training.train(Recipe("a b", 5, pre_tokenizer="custom", pattern="(")).future.result(
                10
            )


def test_flawed_rules_come_with_reasons():
    checked = bpe_training.read_merges("a b · ab c · a b", "none").future.result(10)
    assert [flaw.rank for flaw in checked.flaws] == [2]
    assert "rank 0 already" in checked.flaws[0].reason


@pytest.mark.parametrize("example", corpora.EXAMPLES, ids=lambda example: example.label)
def test_every_chip_is_a_corpus_and_fits_into_a_link(example):
    corpus = typed_counts.read_counts(example.text) if example.read == "counts" else example.text
    settings = {param.name: value for param, value in example.settings.items()}
    recipe = Recipe(
        corpus,
        settings.get("merges", 10),
        end_of_word="none" if settings.get("bytes") else settings.get("end", "separate"),
        byte_level=settings.get("bytes", False),
        pre_tokenizer=settings.get("split", "whitespace"),
    )
    assert bpe_training.train(recipe).future.result(10).steps
    assert len(example.text) < 2000
