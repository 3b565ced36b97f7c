"""Find a Docker engine, and build the image of boxes.

The image is built from any base with Python, and named after its contents: the tag is the hash of all inputs
(the base's id, the Dockerfile, the contents), so an existing image is always right, and a missing one is
built. No registry is needed if a base is on the machine; scripts/base-image.sh makes one.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import io
import os
import socket
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import docker
from docker.context import ContextAPI
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from requests.exceptions import Timeout
from urllib3.exceptions import HTTPError

from grader.errors import SandboxError
from grader.sandbox.cgroup import identity, is_over
from grader.sandbox.contents import digest, sources, zones

OWN_SOCKET: Final = "unix:///run/maze-grader/docker.sock"
"""The socket of the engine that scripts/docker-engine.sh starts."""
USUAL_SOCKET: Final = "unix:///var/run/docker.sock"
ADVICE: Final = (
    "install and start a Docker engine (Debian, Ubuntu: apt-get install docker.io), "
    "or set DOCKER_HOST to one that this user may use"
)
_FLAGS: Final = {"memory": "MemoryLimit", "processes": "PidsLimit", "processor": "CpuCfsQuota"}
"""What an engine says of the limits that it keeps, by promise; rootless ones may drop limits in silence."""
TIMEOUT_SECONDS: Final = 20
"""How long each answer of the engine may take."""
FAILURES: Final = (DockerException, OSError, HTTPError, LookupError, ValueError, TypeError, AttributeError)
"""What the docker package raises if an engine is unreachable, refuses, or gives an unexpected answer."""
_WAYS: Final = ("unix://", "http+unix://", "tcp://", "http://")


def connect() -> docker.APIClient:
    """Return a client of the first engine that answers, kept as long as it answers.

    Raises SandboxError.
    """
    client = current_client()
    try:
        client.ping()
    except FAILURES:
        _connected.cache_clear()
        client = current_client()
    return client


def current_client() -> docker.APIClient:
    """Return the kept client without checking whether its engine still answers. Raises SandboxError."""
    return _connected(os.getpid(), os.environ.get("DOCKER_HOST"))


@lru_cache(maxsize=1)
def _connected(_process: int, chosen: str | None) -> docker.APIClient:
    failures = []
    for address in dict.fromkeys(_addresses(chosen)):
        try:
            _knock(address)
            client = docker.APIClient(base_url=address, version="auto", timeout=TIMEOUT_SECONDS)
            parts = client.version().get("Components") or []
            if any("podman" in str(part.get("Name")).lower() for part in parts):
                raise SandboxError(
                    "Podman answers there, which does not bound how many files a box makes (it refuses "
                    "nr_inodes); name a Docker engine, or grade with --sandbox bubblewrap"
                )
            return client
        except (SandboxError, *FAILURES) as error:
            failures.append(f"{address} ({_first_line(error)})")
    raise SandboxError(f"no Docker engine answers: tried {', '.join(failures)}")


def dropped_limits(client: docker.APIClient) -> dict[str, str]:
    """Return the promises about limits that the engine drops here, each with what it says."""
    info = client.info()
    return {
        promise: f"the engine says {flag}: false; it needs the control groups of root, or delegated ones"
        for promise, flag in _FLAGS.items()
        if info.get(flag) is False
    }


def _knock(address: str) -> None:
    """Check that something listens at the address, or else the package would leave a socket open.

    Raises OSError, and SandboxError for an unsupported address.
    """
    if not address.startswith(_WAYS):
        raise SandboxError(
            "expected an address that begins with unix:// or tcp://; for an engine that is reached by ssh, "
            "have ssh -N -L /tmp/docker.sock:/var/run/docker.sock HOST run, and name unix:///tmp/docker.sock"
        )
    if address.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(TIMEOUT_SECONDS)
            door.connect(address.removeprefix("unix://"))


def _addresses(chosen: str | None) -> Iterator[str]:
    """Yield the addresses at which an engine may listen; only the chosen one, if there is one."""
    if chosen:
        yield chosen
        return
    try:
        context = ContextAPI.get_current_context()
    except Exception as error:  # the package raises nothing more precise
        raise SandboxError(
            f"the current Docker context cannot be read ({_first_line(error)}): "
            "choose another (docker context use default), or set DOCKER_HOST"
        ) from error
    if context is not None and context.Host:
        yield str(context.Host).replace("http+unix://", "unix://")
    yield USUAL_SOCKET
    yield OWN_SOCKET


def _first_line(error: BaseException) -> str:
    cause: BaseException = error
    while cause.__cause__ or cause.__context__:
        cause = cause.__cause__ or cause.__context__ or cause
    if isinstance(cause, PermissionError):
        return "this user may not use it: that takes the group that the socket belongs to, or root"
    limit = 400 if isinstance(cause, SandboxError) else 160
    return (str(cause) or type(cause).__name__).split("\n", 1)[0][:limit]


# --- leftovers --------------------------------------------------------------------------------------
# Containers that a grader left behind: labelled when created, removed by the next grader that starts.
#
# A grader also removes leftovers when it ends: its own and those of its workers, which may have been killed,
# or whose engine may not have answered.

BOX_LABEL: Final = "maze-grader.box"
_OWNER_LABEL: Final = "maze-grader.owner"
_TRIES: Final = 3
"""How often the engine is asked to remove a container."""
_LAST_SECONDS: Final = 5
"""How long each answer of the engine may take when the grader ends."""
_swept: Final[set[tuple[int, str]]] = set()
"""Processes and engines whose leftovers were removed already."""


def labels() -> dict[str, str]:
    """Return the labels that identify a container's grader."""
    return {BOX_LABEL: "1", _OWNER_LABEL: identity(os.getpid())}


def sweep(client: docker.APIClient) -> int:
    """Remove this machine's containers whose grader no longer runs; return their number."""
    swept = 0
    for container in client.containers(all=True, filters={"label": BOX_LABEL}):
        if is_over(container["Labels"].get(_OWNER_LABEL, "")):
            with contextlib.suppress(SandboxError):
                remove(client, container["Id"])
                swept += 1
    return swept


def sweep_once(client: docker.APIClient) -> None:
    """Remove leftovers on this process's first call, and when it ends."""
    key = (os.getpid(), str(client.base_url))
    if key not in _swept:
        sweep(client)
        _swept.add(key)
        atexit.register(_leave, client, os.getpid())


def _leave(client: docker.APIClient, process: int) -> None:
    """Remove the containers of this grader and its workers, as far as the engine answers."""
    if process != os.getpid():  # a fork
        return
    client.timeout = _LAST_SECONDS
    with contextlib.suppress(SandboxError, *FAILURES):
        for container in client.containers(all=True, filters={"label": BOX_LABEL}):
            owner = container["Labels"].get(_OWNER_LABEL, "")
            if owner == identity(process) or is_over(owner):
                remove(client, container["Id"])


def remove(client: docker.APIClient, container: str) -> None:
    """Kill and remove a container. Raises SandboxError if the engine fails in three tries."""
    failure: Exception | None = None
    for _ in range(_TRIES):
        try:
            client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code == 409:  # another caller's removal is under way
                return
            failure = error
        except Timeout as error:
            failure = error
            break
        except FAILURES as error:
            failure = error
        else:
            return
    raise SandboxError(f"the engine does not remove the container {container[:12]}: {failure}") from failure


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
        parts = f"{base_id}\0{digest(sources())}\0".encode() + _DOCKERFILE.read_bytes()
        tag = f"{REPOSITORY}:{hashlib.sha256(parts).hexdigest()[:16]}"
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
    files |= {f"box/{path}": content for path, content in (sources() | zones()).items()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path, content in files.items():
            member: Any = tarfile.TarInfo(path)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    packed.seek(0)
    return packed
