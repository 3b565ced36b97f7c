"""Find the template that students start from, in a checkout or in the installed wheel."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def template_folder() -> Path | None:
    """Return the folder of the template; None if it did not come with the lab."""
    spec = find_spec("student_template")
    places = spec.submodule_search_locations if spec else None
    return next((Path(place) for place in places or () if Path(place).is_dir()), None)
