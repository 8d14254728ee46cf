"""Which of transformers' models can be opened as text models, and why the others can't.

Asked before the weights are read: what reads sound or pictures, what holds several models in
one, and what has no attention is refused with words that help.
"""

from typing import Any, Final

from core.errors import InputError

READS: Final = {  # what a model's forward is given first, in words
    "input_features": "sound",
    "input_values": "sound",
    "pixel_values": "pictures",
    "inputs": "bytes or arrays of its own",
}


def refuse_unsupported(title: str, config: Any, model_class: Any) -> None:
    """Raises InputError for a model that doesn't read tokens, or has no heads to show."""
    given = str(model_class.main_input_name)
    if given != "input_ids":
        raise InputError(
            f"{title} is a {model_class.__name__}, which reads {READS.get(given, given)} "
            f"({given}), not the tokens of a text. Choose an encoder, a decoder or a translator of "
            "text."
        )
    heads = [getattr(stack, "num_attention_heads", None) for stack in stacks_of(config)]
    if all(isinstance(number, int) for number in heads):
        return
    if parts := sorted(config.sub_configs):
        raise InputError(
            f"{title} is a {model_class.__name__}, several models in one ({', '.join(parts)}). "
            "Save the part that you want to see as a checkpoint of its own: with save_pretrained "
            "of, say, its text model, and the tokenizer beside it."
        )
    raise InputError(
        f"{title} is a {model_class.__name__}: {config.model_type} names no attention heads in its "
        "config, for it mixes tokens in another way, so there is no attention to show. Choose a "
        "Transformer, such as bert-mini or gpt-mini."
    )


def stacks_of(config: Any) -> tuple[Any, Any]:
    """The configs of encoder and decoder, one and the same where a single one speaks of both."""
    encoder, decoder = getattr(config, "encoder", None), getattr(config, "decoder", None)
    both = all(hasattr(one, "num_hidden_layers") for one in (encoder, decoder))
    return (encoder, decoder) if both else (config, config)


def embedding_rows(title: str, module: Any) -> int:
    """How many tokens the model knows. Raises InputError without one table of embeddings."""
    try:
        return int(module.get_input_embeddings().weight.shape[0])
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise InputError(
            f"{title} is a {type(module).__name__}, which doesn't look tokens up in one table of "
            "embeddings (CANINE and Perceiver read characters or bytes), so no token could be "
            "shown. Choose a model with a tokenizer's vocabulary."
        ) from error
