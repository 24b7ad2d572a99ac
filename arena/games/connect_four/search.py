"""What Connect Four tells a search (arena/search/pointers.py)."""

# From `arena tune`; docs/strength.md has the evidence.
TUNED = {"exploration": 0.6, "widening": 1.0, "candidates": 7, "playout_depth": 2}
