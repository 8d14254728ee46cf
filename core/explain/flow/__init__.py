"""How attention mixes over layers: rollout, flow, relevance."""

from core.explain.flow.attention_flow import attention_flow, flow_of_maps, flow_row
from core.explain.flow.context_mixing import value_zeroing_map
from core.explain.flow.gradient_rollout import gradient_rollout, gradient_rollout_row
from core.explain.flow.patch_pooling import block_side, pool_patches, pool_row, spread_blocks
from core.explain.flow.proximity import attention_residue, proximity, proximity_shares
from core.explain.flow.receptive_field import reach
from core.explain.flow.relevance import (
    gained_row,
    positive_map,
    positive_mean,
    relevance,
    relevance_of_maps,
    relevance_row,
    same_size_layers,
)
from core.explain.flow.rollout import (
    attention_pool_row,
    attention_rollout,
    film_of_maps,
    frames_of_maps,
    fuse_heads,
    fused_layer,
    fused_maps,
    mean_of_patches,
    one_hot,
    rollout_film,
    rollout_of_maps,
    rollout_row,
    row_of_maps,
    rows_to_one,
)
from core.explain.flow.row_masses import RowMasses, row_masses
from core.explain.flow.stage_rollout import film_of_stages, fused_stages
from core.explain.flow.stages import (
    children,
    grid_of,
    merge_map,
    spread_map,
    stage_rollout,
    stage_rollout_row,
)
from core.explain.flow.token_flow import (
    Path,
    TokenFlow,
    edges_kept,
    flow_into,
    flow_of_amounts,
    flow_out,
    strongest_path,
    strongest_worths,
)

__all__ = [
    "Path",
    "RowMasses",
    "TokenFlow",
    "attention_flow",
    "attention_pool_row",
    "attention_residue",
    "attention_rollout",
    "block_side",
    "children",
    "edges_kept",
    "film_of_maps",
    "film_of_stages",
    "flow_into",
    "flow_of_amounts",
    "flow_of_maps",
    "flow_out",
    "flow_row",
    "frames_of_maps",
    "fuse_heads",
    "fused_layer",
    "fused_maps",
    "fused_stages",
    "gained_row",
    "gradient_rollout",
    "gradient_rollout_row",
    "grid_of",
    "mean_of_patches",
    "merge_map",
    "one_hot",
    "pool_patches",
    "pool_row",
    "positive_map",
    "positive_mean",
    "proximity",
    "proximity_shares",
    "reach",
    "relevance",
    "relevance_of_maps",
    "relevance_row",
    "rollout_film",
    "rollout_of_maps",
    "rollout_row",
    "row_masses",
    "row_of_maps",
    "rows_to_one",
    "same_size_layers",
    "spread_blocks",
    "spread_map",
    "stage_rollout",
    "stage_rollout_row",
    "strongest_path",
    "strongest_worths",
    "value_zeroing_map",
]
