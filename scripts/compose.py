"""Do what ``docker compose`` does of compose.yaml, by the SDK: for machines whose Docker lacks it.

    python scripts/compose.py up --detach | logs [--follow] SERVICE | down [--volumes]

It reads compose.yaml in the working folder, with the values of ``.env`` and of the environment, and knows the
keys that stand there; any other is refused.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import docker
import yaml
from docker.errors import NotFound

Values = Mapping[str, str]
_PLACE: Final = re.compile(r"\$\{(?P<name>\w+)(?:(?P<what>:[-?])(?P<other>[^}]*))?\}")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_LABEL: Final = "maze-grader.compose"


def main() -> int:
    """Run a command; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    acts = parser.add_subparsers(required=True)
    for name, act in (("up", _up), ("logs", _logs), ("down", _down)):
        added = acts.add_parser(name)
        added.set_defaults(act=act)
        if name == "logs":
            added.add_argument("--follow", action="store_true")
            added.add_argument("service")
        else:
            added.add_argument("--detach" if name == "up" else "--volumes", action="store_true")
    options = parser.parse_args()
    values = {**_dotenv(Path(".env")), **os.environ}
    read = yaml.safe_load(Path("compose.yaml").read_text(encoding="utf-8"))
    project = values.get("COMPOSE_PROJECT_NAME") or read["name"]
    options.act(docker.from_env(timeout=1800), project, filled_in(read, values), options)
    return 0


def _dotenv(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = (line.partition("=") for line in lines if line.strip() and not line.startswith("#"))
    return {name.strip(): " ".join(shlex.split(value, comments=True)) for name, _, value in pairs}


def filled_in(given: Any, values: Values) -> Any:
    """Return what was read of a compose file, with values in the places of ${...}, as compose has it."""
    if isinstance(given, dict):
        return {key: filled_in(each, values) for key, each in given.items()}
    if isinstance(given, list):
        return [filled_in(each, values) for each in given]
    return _PLACE.sub(lambda found: _value(found, values), given) if isinstance(given, str) else given


def _value(found: re.Match[str], values: Values) -> str:
    name, what, other = found["name"], found["what"], found["other"]
    if not values.get(name) and what == ":?":
        raise SystemExit(f"compose.yaml: {name} is missing: {other}")
    return values.get(name) or (other if what else "")


def _up(client: docker.DockerClient, project: str, read: Any, _: argparse.Namespace) -> None:
    """Build the images, and start the containers, those first on which others depend."""
    _end_containers(client, project)
    network = f"{project}_default"
    if not client.networks.list(names=[network]):
        client.networks.create(network, labels={_LABEL: project})
    for volume in read["volumes"]:
        client.volumes.create(f"{project}_{volume}", labels={_LABEL: project})
    for name, service in sorted(read["services"].items(), key=lambda each: "depends_on" in each[1]):
        print(f"compose: building {name}", file=sys.stderr, flush=True)
        image = f"{project}-{name}"
        client.images.build(path=build_folder(service), tag=image, rm=True, **build_options(service))
        options = run_options(service, project)
        aliases = {network: client.api.create_endpoint_config(aliases=[name])}
        client.containers.run(
            image, detach=True, name=f"{project}-{name}-1", network=network, networking_config=aliases,
            labels={_LABEL: project}, **options,
        )  # fmt: skip


def build_folder(service: Mapping[str, Any]) -> str:
    """Return the context of a service's image."""
    return str(Path(service["build"]["context"]).resolve())


def build_options(service: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a service's image is built, in the words of the SDK."""
    build = {key: value for key, value in service["build"].items() if key != "context"}
    return {"buildargs": build.pop("args"), **build}


def run_options(service: Mapping[str, Any], project: str) -> dict[str, Any]:
    """Return how a service's container is started, in the SDK's words. Raises KeyError for other keys."""
    words: dict[str, Callable[[Any], dict[str, Any]]] = {
        "build": lambda _: {},
        "depends_on": lambda _: {},
        "stop_grace_period": lambda _: {},
        "restart": lambda name: {"restart_policy": {"Name": name}},
        "command": lambda text: {"command": shlex.split(text)},
        "ports": lambda ports: {"ports": dict(map(_port, ports))},
        "volumes": lambda all_: {"volumes": [_bind(each, project) for each in all_]},
        "healthcheck": lambda check: {"healthcheck": {key: _nanoseconds(check[key]) for key in check}},
    }
    plain = ("cap_add", "cap_drop", "environment", "init", "mem_limit", "memswap_limit", "security_opt")
    words |= {key: lambda value, key=key: {key: value} for key in plain}  # type: ignore[misc]
    return {name: value for key in service for name, value in words[key](service[key]).items()}


def _port(text: str) -> tuple[str, int | None]:
    outside, _, inside = text.partition(":")
    return inside if "/" in inside else f"{inside}/tcp", int(outside) or None


def _bind(text: str, project: str) -> str:
    source, _, rest = text.partition(":")
    return f"{Path(source).resolve() if source.startswith('.') else f'{project}_{source}'}:{rest}"


def _nanoseconds(value: Any) -> Any:
    is_time = isinstance(value, str) and value[:-1].isdigit() and value[-1] in _UNITS
    return int(value[:-1]) * _UNITS[value[-1]] * 10**9 if is_time else value


def _logs(client: docker.DockerClient, project: str, _: Any, options: argparse.Namespace) -> None:
    """Print what a service has said, or says."""
    container = client.containers.get(f"{project}-{options.service}-1")
    for piece in container.logs(stream=True, follow=options.follow):
        sys.stdout.write(piece.decode("utf-8", "replace"))
        sys.stdout.flush()


def _down(client: docker.DockerClient, project: str, read: Any, options: argparse.Namespace) -> None:
    """Remove the containers and their network, and the volumes where that is asked for."""
    _end_containers(client, project)
    for network in client.networks.list(names=[f"{project}_default"]):
        network.remove()
    for volume in read["volumes"] if options.volumes else ():
        try:
            client.volumes.get(f"{project}_{volume}").remove(force=True)
        except NotFound:
            print(f"compose: {volume} is not there", file=sys.stderr)


def _end_containers(client: docker.DockerClient, project: str) -> None:
    for container in client.containers.list(all=True, filters={"label": f"{_LABEL}={project}"}):
        container.remove(force=True, v=True)


if __name__ == "__main__":
    sys.exit(main())
