"""What pip asks when it installs the lab: this makes the command ``maze``, and needs no package for it."""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: mazes-lab
Version: {version}
Summary: The lab on mazes as graphs: what students are given
Requires-Python: >=3.11
Provides-Extra: completion
Requires-Dist: argcomplete; extra == 'completion'
Provides-Extra: plot
Requires-Dist: matplotlib; extra == 'plot'
Requires-Dist: networkx; extra == 'plot'
Requires-Dist: pillow; extra == 'plot'
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: installing.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
COMMANDS = "[console_scripts]\nmaze = lab.cli:main\n"


def prepare_metadata_for_build_wheel(metadata_directory: str, _settings: object = None) -> str:
    """Write what pip reads first, with any version of Python, and return the folder's name."""
    for name, content in _about().items():
        path = Path(metadata_directory, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return path.parent.name


def build_wheel(wheel_directory: str, _settings: object = None, _metadata: object = None) -> str:
    """Write the wheel, and return its name."""
    paths = [path for path in sorted(Path("lab").rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    files = {**{path.as_posix(): path.read_bytes() for path in paths}, **_about()}
    info = next(reversed(files)).partition("/")[0]
    record = "".join(f"{name},{_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = info.replace(".dist-info", "-py3-none-any.whl")
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def _about() -> dict[str, bytes]:
    code = Path("lab/__init__.py").read_text(encoding="utf-8")
    version = re.findall(r'^__version__ = "(.+)"', code, re.MULTILINE)[0]
    texts = {"METADATA": METADATA.format(version=version), "WHEEL": WHEEL, "entry_points.txt": COMMANDS}
    return {f"mazes_lab-{version}.dist-info/{name}": text.encode() for name, text in texts.items()}


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
