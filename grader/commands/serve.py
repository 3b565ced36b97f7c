"""``grader serve``: run a service where students submit and see their feedback at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands import serve_platform
from grader.commands.common import (
    PORT,
    add_cluster,
    add_command,
    add_jobs,
    add_language,
    add_sandbox,
    text_option,
)

HELP = "run a web service where students hand in and get feedback at once"
EXAMPLE = "grader serve --course course --data serve-data --url https://maze.example.org"
_DATA = Path("serve-data")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.set_defaults(task=_serve)
    parser.add_argument(
        "--course",
        type=Path,
        action="append",
        default=[],
        metavar="COURSE",
        help="a rubric, or a folder with a rubric.yaml; may be repeated (default: the one that ships)",
    )
    _add_data(parser)
    parser.add_argument(
        "--host",
        type=text_option,
        default="127.0.0.1",
        help="the address to listen on (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument(
        "--port", type=PORT, default=8080, help="the port (default: 8080); 0 for any free one"
    )
    parser.add_argument(
        "--url",
        type=text_option,
        default="",
        help="the address that browsers use, where the service is behind a proxy",
    )
    parser.add_argument(
        "--proxy",
        type=text_option,
        action="append",
        default=[],
        metavar="NUMBER",
        help="the IP address of a proxy whose headers are trusted; may be repeated",
    )
    add_jobs(parser)
    add_sandbox(parser)
    add_cluster(parser)
    add_language(parser)
    parser.add_argument(
        "--lab",
        type=Path,
        metavar="DIR",
        help="show the lab in the browser, the folder browser/ of a release",
    )
    parser.add_argument(
        "--demo", action="store_true", help="let anybody sign in by any name, to try the service"
    )
    parser.set_defaults(shared=False)
    tasks = parser.add_subparsers(metavar="TASK", title="other tasks")
    _add_invite(
        add_command(
            tasks,
            "invite",
            "make a link for each student and member of staff, for one use each",
            "grader serve invite class.csv --out links.csv",
        )
    )
    _add_backup(
        add_command(
            tasks,
            "backup",
            "copy all data of the service to a file, even while it runs",
            "grader serve backup copy.tar.gz --data serve-data",
        )
    )
    _add_restore(
        add_command(
            tasks,
            "restore",
            "restore a backup into a folder that does not exist yet",
            "grader serve restore copy.tar.gz --data serve-data",
        )
    )
    serve_platform.add_options(
        add_command(tasks, "platform", serve_platform.HELP, serve_platform.EXAMPLE), _add_data
    )


def run(options: argparse.Namespace) -> int:
    """Run the service, or one of its other tasks."""
    status: int = options.task(options)
    return status


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=_DATA,
        metavar="DIR",
        help="the folder for all data (default: ./serve-data)",
    )


def _serve(options: argparse.Namespace) -> int:
    from grader.serve.options import ServeOptions
    from grader.serve.service import serve

    proxies = tuple(options.proxy)
    names = ("data", "host", "port", "url", "jobs", "sandbox", "cluster", "language", "demo", "lab")
    given = {name: getattr(options, name) for name in names}
    return serve(ServeOptions(tuple(options.course), proxies=proxies, **given))


def _add_invite(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_invite)
    parser.add_argument(
        "people",
        type=Path,
        metavar="CLASS.csv",
        help="a table with the columns name and email, and optionally id, role and course",
    )
    _add_data(parser)
    parser.add_argument(
        "--url",
        type=text_option,
        default="",
        help="the address that browsers use (default: the one that the service was started with)",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="LINKS.csv", help="the table of links to write"
    )


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
    parser.add_argument(
        "copy", type=Path, metavar="COPY.tar.gz", help="a file that grader serve backup wrote"
    )
    _add_data(parser)


def _restore(options: argparse.Namespace) -> int:
    from grader.serve.backup import restore

    print(restore(options.copy, options.data))
    return 0
