"""The built-in sentences are trees of known labels; what is no tree is refused with its line."""

import pytest

from core.data.treebank import parsed_sentences, read_treebank
from core.errors import InputError
from core.explain.attention.head_roles import ENOUGH
from core.explain.attention.relations import NOUNS, ROOT, ParsedSentence

# Of Universal Dependencies 2, with the subtypes that are used for English.
KNOWN = """
acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp compound compound:prt conj cop
csubj det discourse expl fixed flat iobj mark nmod nmod:poss nsubj nsubj:pass nummod obj obl
parataxis punct root vocative xcomp
"""
KNOWN_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ VERB"
LABELS, TAGS = frozenset(KNOWN.split()), frozenset(KNOWN_TAGS.split())
SENTENCES = parsed_sentences()
every_sentence = pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: one.text)

LINES = ["1 It 2 nsubj", "2 rains 0 root", "3 . 2 punct"]


def conllu(*lines: str) -> str:
    rows = []
    for line in lines:
        number, form, head, label, *misc = line.split(" ")
        rows.append("\t".join([number, form, "_", "X", "_", "_", head, label, "_", *(misc or "_")]))
    return "\n".join(rows) + "\n"


def test_there_are_enough_sentences_for_a_label_and_none_comes_twice():
    assert len({one.text for one in SENTENCES}) == len(SENTENCES) >= ENOUGH


@every_sentence
def test_a_sentence_is_a_tree_of_known_labels(sentence: ParsedSentence):
    assert set(sentence.relations) <= LABELS
    assert set(sentence.tags) <= TAGS
    (root,) = (word for word, head in enumerate(sentence.heads) if head == ROOT)
    assert [label == "root" for label in sentence.relations].index(True) == root
    assert sentence.relations.count("root") == 1
    assert "".join(sentence.words) == sentence.text.replace(" ", "")
    for word, (start, end) in zip(sentence.words, sentence.spans, strict=True):
        assert sentence.text[start:end] == word
    for one, tag in zip(sentence.relations, sentence.tags, strict=True):
        assert (one == "punct") == (tag == "PUNCT")
        assert one != "det" or tag == "DET"
        assert one != "amod" or tag == "ADJ"
        assert not one.startswith("aux") or tag == "AUX"
        assert one != "case" or tag in ("ADP", "PART")


@every_sentence
def test_no_two_links_cross(sentence: ParsedSentence):
    """Simple English is projective: a crossing would be a slip of the annotator's."""
    spans = [
        (min(word, head), max(word, head))
        for word, head in enumerate(sentence.heads)
        if head != ROOT
    ]
    crossing = [(a, b) for a in spans for b in spans if a[0] < b[0] < a[1] < b[1]]
    assert crossing == []


@every_sentence
def test_a_pronoun_stands_for_a_noun_and_every_he_she_it_and_they_for_one(sentence: ParsedSentence):
    for pronoun, antecedent in sentence.antecedents:
        assert sentence.tags[pronoun] == "PRON"
        assert sentence.tags[antecedent] in NOUNS | {"PRON"}
        assert pronoun != antecedent
    third = {"he", "him", "his", "she", "her", "it", "they", "them", "their"}
    said = {place for place, word in enumerate(sentence.words) if word in third}
    assert said == {pronoun for pronoun, _ in sentence.antecedents}


def test_a_sentence_as_written():
    (one,) = read_treebank("# a comment\n" + conllu("1 It 2 nsubj Antecedent=2", *LINES[1:]))
    assert one.text == "It rains ."
    assert one.spans == ((0, 2), (3, 8), (9, 10))
    assert one.heads == (1, ROOT, 1)
    assert one.antecedents == ((0, 1),)
    (glued,) = read_treebank(conllu(LINES[0], "2 rains 0 root SpaceAfter=No", LINES[2]))
    assert glued.text == "It rains."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\tIt\n", "10 columns"),
        (conllu("2 It 0 root"), "not numbered"),
        (conllu("1 It 3 nsubj", "2 rains 0 root"), "“3” is none of its 2 words"),
        (conllu("1 It x nsubj", "2 rains 0 root"), "“x” is none"),
        (conllu("1 It 0 root", "2 rains 0 root"), "2 roots"),
        (conllu("1 It 2 nsubj", "2 rains 1 obj", "3 now 0 root"), "word 1 hangs on itself"),
        (conllu("1 It 2 nsubj Antecedent=0", *LINES[1:]), "“0” is none"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(text: str, reason: str):
    with pytest.raises(InputError, match=reason) as told:
        read_treebank(conllu(*LINES) + "\n" + text)
    assert "begins in line 5" in str(told.value)
