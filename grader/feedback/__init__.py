"""The feedback that a student reads: the same content as a web page, as plain text and as Markdown."""

from grader.feedback.markdown import render_markdown
from grader.feedback.page import render_html
from grader.feedback.text import render_maze, render_text, render_tried

__all__ = ["render_html", "render_markdown", "render_maze", "render_text", "render_tried"]
