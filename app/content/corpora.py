"""Texts of our own writing for tokenizers: small corpora, and one sentence in many languages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

LECTURE: Final = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUG: Final = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
STORY: Final = (Path(__file__).parent / "corpora.txt").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus behind a name: a text, or counted words."""

    title: str
    content: str | dict[str, int]


CORPORA: Final = {
    "story": Corpus("A story of our own: 1,256 words on dogs, fog and machines", STORY),
    "lecture": Corpus("low ×5, lower ×2, newest ×6, widest ×3", LECTURE),
    "hug": Corpus("hug ×10, pug ×5, pun ×12, bun ×4, hugs ×5", HUG),
}

LANGUAGES: Final = {
    "English": "The children walked slowly to the old school because the bridge was closed.",
    "German": "Die Kinder gingen langsam zur alten Schule, weil die Brücke gesperrt war.",
    "Dutch": "De kinderen liepen langzaam naar de oude school, omdat de brug dicht was.",
    "French": "Les enfants marchaient lentement vers la vieille école car le pont était fermé.",
    "Spanish": "Los niños caminaron despacio a la vieja escuela porque el puente estaba cerrado.",
    "Polish": "Dzieci szły powoli do starej szkoły, ponieważ most był zamknięty.",
    "Finnish": "Lapset kävelivät hitaasti vanhaan kouluun, koska silta oli suljettu.",
    "Turkish": "Köprü kapalı olduğu için çocuklar eski okula yavaş yavaş yürüdüler.",
    "Russian": "Дети медленно шли к старой школе, потому что мост был закрыт.",
    "Greek": "Τα παιδιά περπάτησαν αργά προς το παλιό σχολείο, γιατί η γέφυρα ήταν κλειστή.",
    "Arabic": "مشى الأطفال ببطء إلى المدرسة القديمة لأن الجسر كان مغلقًا.",
    "Hindi": "बच्चे धीरे-धीरे पुराने स्कूल की ओर चले क्योंकि पुल बंद था।",
    "Chinese": "因为桥关闭了，孩子们慢慢地走向那所旧学校。",
    "Japanese": "橋が閉まっていたので、子どもたちは古い学校へゆっくり歩いて行った。",
    "Korean": "다리가 닫혀 있어서 아이들은 오래된 학교로 천천히 걸어갔다.",
}
"""The same sentence, written for this page; the first is what the others compare with."""
