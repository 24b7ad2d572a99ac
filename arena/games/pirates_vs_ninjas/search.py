"""What Pirates vs. Ninjas tells a search (arena/search/pointers.py)."""

# From `arena tune`; docs/strength.md has the evidence.
TUNED = {"exploration": 0.3, "widening": 0.5, "candidates": 4, "playout_depth": 6}
