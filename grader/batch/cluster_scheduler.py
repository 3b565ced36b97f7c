"""A Dask scheduler in this process, to which workers on other machines come by TLS.

Dask runs whatever comes from who can reach its scheduler or its workers. So beyond this machine a service
talks to it by TLS alone, with a certificate at both ends. A service that listens itself makes a certificate,
which signs itself, and accepts no other: who has a copy of its file belongs to the cluster, nobody else.
"""

from __future__ import annotations

import shlex
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from grader.disk import whole
from grader.errors import InputError

LOCAL: Final = "local:"
"""Prefix of the address of a cluster of processes on this machine; their number follows."""
LISTEN: Final = "listen:"
"""Prefix of the address at which the scheduler of this process listens."""
UNWATCHED: Final = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
"""These settings turn off what nobody reads: Dask would profile each worker a hundred times a second, and
wake up every process fifty times a second to measure its delay."""
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DAYS: Final = 300
"""After 300 days another certificate is made at the next start; Dask's are valid for a year."""


@contextmanager
def open_cluster(address: str, certificate: Path) -> Iterator[tuple[str, str]]:
    """Yield the address of a scheduler, which is started here for ``listen:HOST:PORT``, and what to tell.

    The certificate for that lies in the file, which only its owner can read. Raises InputError, also for a
    scheduler beyond this machine that is not reached by TLS.
    """
    if not address.startswith(LISTEN):
        host = address.rpartition("://")[2].rpartition(":")[0].strip("[]")
        if not address.startswith((LOCAL, "tls://")) and host not in _HERE:
            raise InputError(f"expected tls:// before a Dask scheduler on another machine, got {address!r}")
        yield address, ""
        return
    host, _, port = address.removeprefix(LISTEN).rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise InputError(f"expected listen:HOST:PORT, as workers reach this machine, got {address!r}")
    dask, family = load_dask(), socket.AF_INET6 if ":" in host else socket.AF_INET
    try:  # Dask would say less
        socket.create_server((host.strip("[]"), int(port)), family=family).close()
    except OSError as error:
        raise InputError(f"cannot listen for workers at {host}:{port}: {error}") from None
    _ensure_certificate(dask.Security, certificate)
    with import_module("dask.config").set({**UNWATCHED, **_security(str(certificate))}):
        scheduler = dask.LocalCluster(
            n_workers=0,
            host=host,
            scheduler_port=int(port),
            protocol="tls",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
        )
        try:
            yield scheduler.scheduler_address, _told(scheduler.scheduler_address, certificate)
        finally:
            scheduler.close(timeout=10)


def _ensure_certificate(security: Any, path: Path) -> None:
    """Make the certificate with its key, if there is none or it is old."""
    if path.exists() and path.stat().st_mtime > time.time() - _DAYS * 86400:
        return
    made = security.temporary()
    with whole(path) as partial:
        partial.touch(mode=0o600)
        partial.write_text(made.tls_ca_file + made.tls_scheduler_key, encoding="ascii")


def _security(certificate: str) -> dict[str, object]:
    """Return the settings of Dask by which this process speaks with the certificate alone."""
    ends = {f"distributed.comm.tls.{end}.cert": certificate for end in ("client", "scheduler", "worker")}
    return {
        "distributed.comm.require-encryption": True,
        "distributed.comm.tls.ca-file": certificate,
        "distributed.scheduler.http.routes": [],  # these would be shown in clear
        **ends,
    }


def _told(address: str, certificate: Path) -> str:
    file = shlex.quote(certificate.name)
    flags = " ".join(f"--tls-{kind} {file}" for kind in ("ca-file", "cert", "key"))
    return (
        f"Workers come to {address}: install the same grader with the extra [cluster] on their machine, copy "
        f"{certificate} there, and run\n  dask worker {address} {flags} --nthreads 1 --nworkers $(nproc) "
        "--dashboard-address 127.0.0.1:0"
    )


def load_dask() -> Any:
    """Import Dask, an optional dependency. Raises InputError if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        raise InputError("--cluster needs Dask: install the extra [cluster]") from None
