"""``grader serve``: students hand in, and see why, in a minute."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands import serve_platform
from grader.commands.common import PORT, add_jobs, add_language, words
from grader.sandbox.registry import AUTO, BACKENDS

HELP = "a service to hand in to, with feedback at once"
_DATA = Path("serve-data")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.set_defaults(task=_serve)
    parser.add_argument(
        "--course",
        type=Path,
        action="append",
        default=[],
        metavar="COURSE",
        help="a folder with a rubric.yaml, or a rubric; may be given again; default: the one that ships",
    )
    _add_data(parser)
    parser.add_argument(
        "--host", type=words, default="127.0.0.1", help="default: 127.0.0.1, this machine only"
    )
    parser.add_argument("--port", type=PORT, default=8080, help="default: 8080; 0 for any that is free")
    parser.add_argument(
        "--url", type=words, default="", help="how browsers call it, where a proxy stands before it"
    )
    parser.add_argument(
        "--proxy",
        type=words,
        action="append",
        default=[],
        metavar="NUMBER",
        help="of the machine with the proxy, which says from where others come; may be given again",
    )
    add_jobs(parser)
    parser.add_argument("--sandbox", choices=(AUTO, *BACKENDS), default=AUTO, help="default: auto")
    parser.add_argument("--cluster", type=words, metavar="ADDRESS", help="of a Dask scheduler, or local:N")
    add_language(parser)
    parser.add_argument("--demo", action="store_true", help="anybody may sign in, by any name: for a look")
    parser.set_defaults(shared=False)
    tasks = parser.add_subparsers(metavar="TASK", title="tasks beside")
    _add_invite(tasks.add_parser("invite", help="links for students and staff, for one use each"))
    _add_backup(tasks.add_parser("backup", help="a copy of all that the service has, while it runs"))
    _add_restore(tasks.add_parser("restore", help="put a copy back, into a folder that is not there yet"))
    serve_platform.add_options(tasks.add_parser("platform", help=serve_platform.HELP), _add_data)


def run(options: argparse.Namespace) -> int:
    """Run the service, or a task beside it."""
    status: int = options.task(options)
    return status


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=_DATA, metavar="DIR", help="where all is kept; default: ./serve-data"
    )


def _serve(options: argparse.Namespace) -> int:
    from grader.serve.options import ServeOptions
    from grader.serve.service import serve

    proxies = tuple(options.proxy)
    names = ("data", "host", "port", "url", "jobs", "sandbox", "cluster", "language", "demo")
    given = {name: getattr(options, name) for name in names}
    return serve(ServeOptions(tuple(options.course), proxies=proxies, **given))


def _add_invite(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_invite)
    parser.add_argument(
        "people", type=Path, metavar="CLASS.csv", help="columns name, email; id, role, course"
    )
    _add_data(parser)
    parser.add_argument(
        "--url", type=words, default="http://127.0.0.1:8080", help="how browsers call the service"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="LINKS.csv", help="where the links go")


def _invite(options: argparse.Namespace) -> int:
    from grader.serve.invitations import make_invitations

    print(make_invitations(options.data, options.people, options.url, options.out))
    return 0


def _add_backup(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_backup)
    parser.add_argument("copy", type=Path, metavar="COPY.tar.gz", help="the file to write")
    _add_data(parser)


def _backup(options: argparse.Namespace) -> int:
    from grader.serve.backup import back_up

    print(back_up(options.data, options.copy))
    return 0


def _add_restore(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_restore)
    parser.add_argument("copy", type=Path, metavar="COPY.tar.gz", help="what backup wrote")
    _add_data(parser)


def _restore(options: argparse.Namespace) -> int:
    from grader.serve.backup import restore

    print(restore(options.copy, options.data))
    return 0
