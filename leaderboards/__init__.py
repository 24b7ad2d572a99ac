"""Leaderboards: from finished matches to ratings, statistics and reports. Knows no executor and no database."""
