"""``grader serve --check``: what is there, and what is missing for the service to start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from grader.api import choose_sandbox, load_course
from grader.disk import hold
from grader.errors import GraderError, InputError
from grader.serve.data_folder import DataFolder
from grader.serve.mail import read_server
from grader.serve.service import (
    NO_PROXY,
    ServeOptions,
    bind_port,
    check_installed,
    find_releases,
    find_rubrics,
)
from grader.serve.store.database import Store


def check(options: ServeOptions) -> int:
    """Print what is there and what is missing for the service to start; return 1 if anything is missing."""
    missing = 0
    courses: dict[str, Callable[[ServeOptions], str]] = {
        f"course {id_}": partial(_course, path) for id_, path in find_rubrics(options.courses).items()
    }
    for about, look in {**_LOOKS, **courses}.items():
        try:
            told = f"{about}: {look(options)}"
        except GraderError as error:
            missing, told = 1, f"{about}: missing: {error}"
        print(told, flush=True)
    return missing


def _packages(_: ServeOptions) -> str:
    check_installed()
    return "all there"


def _data(options: ServeOptions) -> str:
    there = DataFolder(options.data)
    there.create()
    with hold(there.folder):
        Store(there.database).close()
    return str(options.data)


def _port(options: ServeOptions) -> str:
    with bind_port(options) as listening:
        return f"{options.host} {listening.getsockname()[1]}"


def _proxy(options: ServeOptions) -> str:
    if options.url.startswith("https://") and not options.proxies:
        raise InputError(NO_PROXY)
    return ", ".join(options.proxies) or "none"


def _releases(options: ServeOptions) -> str:
    return ", ".join(find_releases(options.releases, find_rubrics(options.courses))) or "none"


def _mail(options: ServeOptions) -> str:
    if options.mail_server:
        try:
            read_server(**options.mail_server).connect().close()
        except OSError as error:
            raise InputError(f"{options.mail}: {error}") from None
    return options.mail or "none: links come as tables to download (--mail)"


def _course(path: Path | None, _: ServeOptions) -> str:
    return load_course(path).rules.title


_LOOKS: Final[Mapping[str, Callable[[ServeOptions], str]]] = {
    "packages": _packages,
    "data": _data,
    "port": _port,
    "address": lambda options: options.address,
    "proxy": _proxy,
    "releases": _releases,
    "mail": _mail,
    "sandbox": lambda options: choose_sandbox(options.sandbox)[1],
}
"""What is looked at, in this order; each raises GraderError where that is missing."""
