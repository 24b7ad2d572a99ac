"""What can be said of results beside ratings: shares, intervals, seats, head to head, faults."""

from leaderboards.statistics.tables import HeadToHead, SeatRow, head_to_head

__all__ = ["HeadToHead", "SeatRow", "head_to_head"]
