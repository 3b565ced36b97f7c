"""The template that students start from, where it came with the lab: in a checkout, and in the wheel."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def template_folder() -> Path | None:
    """Where the template lies; it is a folder without code of its own, so it may lie in several places."""
    spec = find_spec("student_template")
    places = spec.submodule_search_locations if spec else None
    return next((Path(place) for place in places or () if Path(place).is_dir()), None)
