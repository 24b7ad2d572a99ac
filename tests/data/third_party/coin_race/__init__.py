"""A game of somebody else, installed by the entry-point group `arena.games`; its kernels lie in two files."""
