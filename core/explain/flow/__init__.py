"""How attention mixes over layers: rollout, flow, relevance."""
