"""Changes of this node's routing: prepared, guarded, applied, probed, confirmed or restored."""
