"""The image of boxes, built here from any base with Python, and named after its contents.

The tag is the hash of all inputs (the base's id, the Dockerfile, the contents), so an existing image is
always right, and a missing one is built. No registry is needed if a base is on the machine;
scripts/base-image.sh makes one.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import docker
from docker.errors import ImageNotFound

from grader.errors import SandboxError
from grader.sandbox.contents import digest, sources
from grader.sandbox.docker.engine import FAILURES, connect

REPOSITORY: Final = "maze-grader-box"
LOCAL_BASES: Final = "maze-grader-base"
DEFAULT_BASE: Final = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
_DOCKERFILE: Final = Path(__file__).with_name("Dockerfile")
_BUILD_SECONDS: Final = 600
"""How long building an image may take."""
_ADVICE: Final = (
    "where there is no network, bring it from another machine by docker save and docker load, "
    "or name an image with Python that is here: grader image build --base IMAGE"
)


@dataclass(frozen=True, slots=True)
class Image:
    """An existing image of a box."""

    tag: str
    id: str
    base: str
    note: str
    """Says how it was found or built."""


def build_image(base: str | None = None) -> Image:
    """Build the image, even if it exists. Raises SandboxError."""
    return find_or_build(base, anew=True)


def find_or_build(base: str | None = None, *, anew: bool = False) -> Image:
    """Return the image of the box, building it from the base if necessary. Raises SandboxError."""
    client = connect()
    try:
        base, base_id, note = _find_base(client, base)
        tag = f"{REPOSITORY}:{_version(base_id)}"
        there = None if anew else _id(client, tag)
        if there is None:
            _build(client, tag, base_id)
            note = f"{note}; built {tag}"
        return Image(tag, there or _id(client, tag) or "", base, note)
    except FAILURES as error:
        raise SandboxError(f"cannot get the image of the box: {error}") from error


def _find_base(client: docker.APIClient, wanted: str | None) -> tuple[str, str, str]:
    """Return a base's name, its id, and where it was found: on the machine first, then in a registry."""
    names = [wanted] if wanted else [DEFAULT_BASE, *_local_bases(client)]
    for name in names:
        found = _id(client, name)
        if found is not None:
            return name, found, f"base {name}, which was on the machine"
    name = names[0]
    try:
        lines = client.pull(*_name_and_tag(name), stream=True, decode=True)
        said = [str(line["error"]) for line in lines if "error" in line]
        found = _id(client, name)
    except FAILURES as error:
        said, found = [str(error)], None
    if found is None:
        why = said[-1] if said else "it is not there afterwards"
        raise SandboxError(
            f"no base image: {name} is not on the machine and cannot be pulled ({why}); {_ADVICE}"
        )
    return name, found, f"base {name}, pulled"


def _local_bases(client: docker.APIClient) -> list[str]:
    """Return the names of bases that scripts/base-image.sh made, the newest first."""
    images = client.images(name=LOCAL_BASES)
    return [tag for image in sorted(images, key=lambda image: -image["Created"]) for tag in image["RepoTags"]]


def _name_and_tag(name: str) -> tuple[str, str | None]:
    """Split an image's name; the default tag is "latest", since the engine would take all tags."""
    if "@" in name or ":" in name.rsplit("/", 1)[-1]:
        return name, None
    return name, "latest"


def _version(base_id: str) -> str:
    parts = f"{base_id}\0{digest(sources())}\0".encode() + _DOCKERFILE.read_bytes()
    return hashlib.sha256(parts).hexdigest()[:16]


def _id(client: docker.APIClient, name: str) -> str | None:
    try:
        found: dict[str, str] = client.inspect_image(name)  # type: ignore[no-untyped-call]
        return found["Id"]
    except ImageNotFound:
        return None


def _build(client: docker.APIClient, tag: str, base_id: str) -> None:
    """Build from a context in memory. Raises SandboxError with the last output of the build."""
    lines = client.build(
        fileobj=_context(),
        custom_context=True,
        tag=tag,
        buildargs={"BASE": base_id},
        network_mode="none",
        rm=True,
        forcerm=True,
        decode=True,
        labels={REPOSITORY: "1"},
        timeout=_BUILD_SECONDS,
    )
    said: list[str] = []
    for line in lines:
        said.append(str(line.get("stream", "")))
        if "error" in line:
            raise SandboxError(
                f"cannot build {tag}: {line['error']}; it said: {''.join(said)[-500:].strip()}"
            )


def _context() -> io.BytesIO:
    """Return a reproducible tar file with the Dockerfile and the contents of the box."""
    files = {"Dockerfile": _DOCKERFILE.read_bytes()}
    files |= {f"box/{path}": content for path, content in sources().items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path, content in files.items():
            member: Any = tarfile.TarInfo(path)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    packed.seek(0)
    return packed
