"""Boards for people and programs: text, Markdown, CSV, JSON."""

from leaderboards.report.data import to_csv, to_json, to_markdown
from leaderboards.report.names import safe_name
from leaderboards.report.text import BoardText, LiveText, plain, to_text

__all__ = ["BoardText", "LiveText", "plain", "safe_name", "to_csv", "to_json", "to_markdown", "to_text"]
