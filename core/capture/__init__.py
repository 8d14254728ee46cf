"""The one interceptor of a forward pass, and what rides on it.

module_mode      a mode of its own thread around a forward; all below ride on it
recorder         every attention call: q, k, v, mask, scale, or the weights of a softmax
attention_edits  interventions on the tensors of one call; position_edits, on positions;
                 mask_override, masks that the model was not trained with
gradients        of an answer with respect to every map
residual_stream, hidden_states, activation, embeddings   what the layers hand on
module_path      which module made a call
"""

from core.capture.recorder import Recorder

__all__ = ["Recorder"]
