"""What a head can be looked for by, in plain words: a pair, a role, a relation of grammar."""

from collections.abc import Mapping
from typing import Final

from core.explain.attention.relations import ALL, COREFERENCE, Relation
from core.explain.attention.role_patterns import ALIGNED, ROLES, SYNTACTIC, role_patterns
from core.trace import AttentionKind, Trace

PAIR: Final = "pair"
OF_PICTURES: Final = ("local", "row", "column", "sink")
RELATIONS: Final[Mapping[Relation, str]] = {
    Relation(ALL, "head"): "from a word to the word that it hangs on",
    Relation("det", "head"): "from a determiner to its noun",
    Relation("det", "dependent"): "from a noun to its determiner",
    Relation("amod", "head"): "from an adjective to its noun",
    Relation("amod", "dependent"): "from a noun to its adjective",
    Relation("nsubj", "head"): "from a subject to its verb",
    Relation("nsubj", "dependent"): "from a verb to its subject",
    Relation("obj", "head"): "from an object to its verb",
    Relation("obj", "dependent"): "from a verb to its object",
    Relation("case", "head"): "from a preposition to its noun",
    Relation("case", "dependent"): "from a noun to its preposition",
    Relation("nmod:poss", "head"): "from a possessor to what it owns",
    Relation("nmod:poss", "dependent"): "from what is owned to its possessor",
    Relation("obl", "head"): "from a noun after a preposition to its verb",
    Relation("obl", "dependent"): "from a verb to a noun after a preposition",
    Relation(COREFERENCE, "antecedent"): "from a pronoun to what it stands for",
}
LABELS: Final[Mapping[str, str]] = {
    PAIR: "looks from one token to another",
    **{
        role: f"looks at {places}"
        for role, places in ROLES.items()
        if role not in (SYNTACTIC, ALIGNED, *OF_PICTURES)
    },
    **{f"{label}.{towards}": f"looks {said}" for (label, towards), said in RELATIONS.items()},
}


def relation(asked: str) -> Relation | None:
    """The relation that an option is about."""
    return next((one for one in RELATIONS if f"{one.label}.{one.towards}" == asked), None)


def offered(trace: Trace, kind: AttentionKind) -> list[str]:
    """What can be asked of the heads of a kind."""
    queries, keys = trace.query_encoding(kind), trace.key_encoding(kind)
    roles = () if queries is None or keys is None else role_patterns(queries, keys)
    of_text = kind == trace.kinds[0]  # whose words the annotated sentences have
    return [
        asked
        for asked in LABELS
        if asked == PAIR or asked in roles or asked == "broad" or (of_text and relation(asked))
    ]
