"""Ten translations by the shipped model for its card; right and wrong ones alike are shown."""

from tokenizers import Tokenizer
from transformers import MarianMTModel

from core.training.common.card import Example
from core.training.translation.measure import translate

SENTENCES = (  # (English, German translations that are right)
    ("I am here.", ("Ich bin hier.",)),
    ("Where is the station?", ("Wo ist der Bahnhof?",)),
    ("Tom has a dog and two cats.", ("Tom hat einen Hund und zwei Katzen.",)),
    (
        "She gave him a book yesterday.",
        (
            "Sie gab ihm gestern ein Buch.",
            "Sie hat ihm gestern ein Buch gegeben.",
            "Gestern gab sie ihm ein Buch.",
            "Gestern hat sie ihm ein Buch gegeben.",
        ),
    ),
    (
        "I don't know what you mean.",
        (
            "Ich weiß nicht, was du meinst.",
            "Ich weiß nicht, was Sie meinen.",
            "Ich weiß nicht, was ihr meint.",
        ),
    ),
    (
        "If I had more time, I would learn German.",
        (
            "Wenn ich mehr Zeit hätte, würde ich Deutsch lernen.",
            "Hätte ich mehr Zeit, würde ich Deutsch lernen.",
        ),
    ),
    (
        "We can't go swimming today because it is too cold.",
        (
            "Wir können heute nicht schwimmen gehen, weil es zu kalt ist.",
            "Heute können wir nicht schwimmen gehen, weil es zu kalt ist.",
        ),
    ),
    (
        "The animal didn't cross the street because it was too tired.",
        (
            "Das Tier überquerte die Straße nicht, weil es zu müde war.",
            "Das Tier hat die Straße nicht überquert, weil es zu müde war.",
        ),
    ),
    (
        "My grandmother bakes the best apple pie in the village.",
        (
            "Meine Großmutter backt den besten Apfelkuchen im Dorf.",
            "Meine Großmutter bäckt den besten Apfelkuchen im Dorf.",
            "Meine Oma backt den besten Apfelkuchen im Dorf.",
        ),
    ),
    (
        "Attention is all you need.",
        (
            "Aufmerksamkeit ist alles, was du brauchst.",
            "Aufmerksamkeit ist alles, was Sie brauchen.",
            "Aufmerksamkeit ist alles, was man braucht.",
        ),
    ),
)


def examples(model: MarianMTModel, tokenizer: Tokenizer) -> tuple[Example, ...]:
    """Translate all; an answer is good if it is one of those listed."""
    said = translate(model, tokenizer, [english for english, _ in SENTENCES])
    return tuple(
        Example(english, answer, answer in right)
        for (english, right), answer in zip(SENTENCES, said, strict=True)
    )
