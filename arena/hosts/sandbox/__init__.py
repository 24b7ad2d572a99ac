"""Fences for bots: which levels this machine offers, and the one that a run asks for."""

from arena.hosts.sandbox.levels import Level, Offer
from arena.hosts.sandbox.probing import probe, resolve

__all__ = ["Level", "Offer", "probe", "resolve"]
