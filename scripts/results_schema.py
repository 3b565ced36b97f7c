"""Write the JSON Schema of results.json: ``python scripts/results_schema.py`` (docs/results.schema.json)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.results import schema

SCHEMA = Path(__file__).resolve().parents[1] / "docs" / "results.schema.json"

if __name__ == "__main__":
    SCHEMA.write_bytes(schema())
    print(f"The schema of results.json: {SCHEMA}")
