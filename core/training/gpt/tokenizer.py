"""The byte-level BPE vocabulary of gpt-mini, trained on its own text.

Radford et al., "Language Models are Unsupervised Multitask Learners", 2019, section 2.2.
https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf
"""

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

END_OF_TEXT = "<|endoftext|>"
END = 0  # its id; it parts documents


def train_tokenizer(text: Iterable[str], *, size: int) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(text, trainer)
    return tokenizer


def save_tokenizer(
    tokenizer: Tokenizer,
    folder: Path,
    *,
    max_length: int,
    start: str = END_OF_TEXT,
    end: str = END_OF_TEXT,
    **others: str,
) -> None:
    """Write tokenizer.json and tokenizer_config.json, which `AutoTokenizer` reads.

    others: more special tokens by their names there, such as `pad_token`.
    """
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        model_input_names=["input_ids", "attention_mask"],
        bos_token=start,
        eos_token=end,
        **others,
    ).save_pretrained(folder)
