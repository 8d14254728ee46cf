"""What every page shares: state in links, pickers, charts, exports, projector mode."""
