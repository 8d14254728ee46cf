"""BERT's second pre-training task: the pooler on [CLS], then two classes.

Devlin et al. 2019, section 3.1 and appendix A.1, https://arxiv.org/abs/1810.04805. The pooler is
tanh(W h + b) on the last layer's [CLS]; class 0 says that the second text follows the first.
"""

from typing import Any

from torch import Tensor, nn

from core.capture.attention_call import copy_row
from core.outputs.encoder import NextSentence
from core.trace import Encoding, read_only


def next_sentence_head(module: nn.Module) -> nn.Linear | None:
    """The linear layer with the two classes, or None for a model without one."""
    head = getattr(getattr(module, "cls", None), "seq_relationship", None)
    return head if isinstance(head, nn.Linear) else None


def next_sentence_of(module: nn.Module, encoding: Encoding, output: Any) -> NextSentence:
    """Read the head's numbers from a forward with hidden states."""
    head = next_sentence_head(module)
    if head is None:
        raise ValueError("ask only a model with a next-sentence head")
    logits: Tensor | None = output.get("seq_relationship_logits")
    state = output.hidden_states[-1]
    base: Any = module.base_model
    return NextSentence(
        encoding=encoding,
        state=copy_row(state[:, 0], 0),
        pooled=copy_row(base.pooler(state), 0),
        weight=read_only(head.weight.detach().float().cpu().numpy()),
        bias=read_only(head.bias.detach().float().cpu().numpy()),
        logits=copy_row(output.logits if logits is None else logits, 0),
    )
