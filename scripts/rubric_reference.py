"""Write the page of the keys of a course's files: ``python scripts/rubric_reference.py``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.course.key_reference import reference_page

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "rubric.md"

if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(reference_page(), encoding="utf-8")
    print(f"The keys of a course's files: {PAGE}")
