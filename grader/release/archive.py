"""A reproducible zip: the same bytes for the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final

_TIME: Final = (2026, 1, 1, 0, 0, 0)
_UNIX: Final = 3


def make_zip(folder: str, files: Mapping[str, bytes]) -> bytes:
    """Zip the files, with paths below a folder; below none if it is ""."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}".lstrip("/"), _TIME)
            entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
