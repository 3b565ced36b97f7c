"""``grader serve`` and ``forget``: run the web service, and delete what is known of a person."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    PORT,
    Command,
    add_command,
    add_jobs,
    add_language,
    add_sandbox,
    add_shared,
    add_submission,
    text_option,
)
from grader.text import visible

if TYPE_CHECKING:
    from grader.serve.lti.platforms import RegisteredPlatform
    from grader.serve.store.database import Store

PLATFORM_HELP = "manage the learning platforms that may launch the service by LTI 1.3"
PLATFORM_EXAMPLE = "grader serve platform list"
_EXAMPLE_ADD = (
    "grader serve platform add --issuer https://moodle.example.org --client-id abc123 --deployment 1 \\\n"
    "    --auth-url https://moodle.example.org/mod/lti/auth.php \\\n"
    "    --token-url https://moodle.example.org/mod/lti/token.php \\\n"
    "    --jwks-url https://moodle.example.org/mod/lti/certs.php"
)
_AT_THE_PLATFORM = """Enter at the platform, with the address of your service before each:
  login   /lti/login    "initiate login URL", "OpenID Connect initiation URL", "login initiation URL"
  launch  /lti/launch   "tool URL", "target link URI", "redirect(ion) URI"
  keys    /lti/jwks     "public keyset URL", "public JWK URL", "tool JWKS URL\""""


def add_platform_options(
    parser: argparse.ArgumentParser, add_data: Callable[[argparse.ArgumentParser], None]
) -> None:
    """Add the actions with their options; ``add_data`` adds the option for the folder of the service."""
    acts = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    add = add_command(
        acts, "add", "register a platform, or another deployment of it", _EXAMPLE_ADD, allow_abbrev=False
    )
    for option, about in (
        ("--issuer", "the name of the platform itself (issuer, platform id)"),
        ("--client-id", "the platform's id of this service"),
        (
            "--auth-url",
            "the address where users sign in (authentication request URL, OIDC auth request endpoint)",
        ),
        ("--token-url", "the address that issues tokens (access token URL)"),
        ("--jwks-url", "the address of the platform's public keys (public keyset URL)"),
    ):
        add.add_argument(option, type=text_option, required=True, help=about)
    add.add_argument(
        "--deployment",
        type=text_option,
        required=True,
        action="append",
        metavar="ID",
        help="a deployment id; may be repeated",
    )
    add.add_argument(
        "--audience",
        type=text_option,
        default="",
        help="the audience of requests for tokens, where the platform names one (default: the token URL)",
    )
    allow = add_command(
        acts,
        "allow",
        "let another course of a platform launch one of your courses",
        "grader serve platform allow 1 4711 mazes",
    )
    allow.add_argument("platform", type=int, help="the number of the platform, as list prints it")
    allow.add_argument(
        "context", type=text_option, help="the platform's id of its course, which a refused launch shows"
    )
    allow.add_argument("course", type=text_option, help="the id of your course")
    remove = add_command(
        acts, "remove", "remove a platform; no more scores are sent to it", "grader serve platform remove 1"
    )
    remove.add_argument("platform", type=int, help="the number of the platform, as list prints it")
    listed = add_command(
        acts,
        "list",
        "list the platforms, and which of their courses launch which of yours",
        "grader serve platform list",
    )
    register = add_command(
        acts,
        "register",
        "make a link by which one platform registers itself for a course, within an hour",
        "grader serve platform register mazes",
    )
    register.add_argument("course", type=text_option, help="the id of your course")
    register.add_argument(
        "--allow-host",
        type=text_option,
        action="append",
        default=[],
        metavar="HOST",
        help="a host of the platform that may be at a private address; may be repeated",
    )
    tasks = {add: _add, allow: _allow, remove: _remove, listed: _list, register: _register}
    for act, task in tasks.items():
        add_data(act)
        act.set_defaults(task=partial(_run, task))


def _run(task: Callable[[Store, argparse.Namespace], None], options: argparse.Namespace) -> int:
    """Run an action on the service's database, whether the service is running or not."""
    from grader.serve.data_folder import DataFolder
    from grader.serve.store.database import Store

    data = DataFolder(options.data)
    data.create()
    with closing(Store(data.database)) as store:
        task(store, options)
    return 0


def _add(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    new = platforms.Registration(
        issuer=options.issuer,
        client_id=options.client_id,
        deployments=frozenset(options.deployment),
        auth_url=options.auth_url,
        token_url=options.token_url,
        jwks_url=options.jwks_url,
        audience=options.audience,
    )
    print(*_describe(platforms.add(store, new)), sep="\n")
    print(_AT_THE_PLATFORM)


def _list(store: Store, _: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    known = platforms.list_platforms(store)
    if not known:
        print("No platform is registered: grader serve platform add")
    bindings = platforms.list_bindings(store)
    for platform in known:
        print(*_describe(platform), sep="\n")
        for bound in bindings:
            if bound.platform == platform.id:
                title = f" ({visible(bound.title, one_line=True)})" if bound.title else ""
                print(f"  course      {bound.course} is launched from {visible(bound.context)}{title}")


def _allow(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    platform = platforms.get(store, options.platform)
    platforms.allow_course(store, platforms.CourseBinding(options.course, platform.id, options.context, ""))
    print(f"{options.course} may be launched from {visible(options.context)} of {visible(platform.issuer)}")


def _remove(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    print(f"{visible(platforms.remove(store, options.platform).issuer)} is no longer registered")


def _register(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import registration

    link = registration.open_link(store, options.course, options.allow_host, time.time())
    print("Give this link to the platform, as its registration URL. It is open for an hour, to one platform:")
    print(link)
    print(
        f"Then a teacher of {options.course} confirms on the page Scores what came: nobody is let in before."
    )


def _describe(platform: RegisteredPlatform) -> Iterator[str]:
    """Yield the lines that describe a platform."""
    yield f"platform {platform.id}  {visible(platform.issuer)}"
    yield f"  client id   {visible(platform.client_id)}"
    yield f"  deployments {', '.join(map(visible, sorted(platform.deployments)))}"
    yield f"  auth        {platform.auth_url}"
    yield f"  token       {platform.token_url}"
    if platform.audience:
        yield f"  audience    {visible(platform.audience)}"
    yield f"  keys        {platform.jwks_url}"
    if platform.course is not None:
        yield f"  only for    {platform.course}, for which it registered itself"


_DATA = Path("serve-data")


def _add_serve(parser: argparse.ArgumentParser) -> None:
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
        "--check", action="store_true", help="say what is missing for the service to start, and end"
    )
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
    parser.add_argument(
        "--cluster",
        type=text_option,
        metavar="ADDRESS",
        help="grade on other machines, whose workers come to listen:HOST:PORT of this one; or on the Dask "
        "cluster with this scheduler, or local:N for N processes here",
    )
    add_language(parser)
    parser.add_argument(
        "--lab",
        type=Path,
        metavar="DIR",
        help="show the lab in the browser, the folder browser/ of a release",
    )
    parser.add_argument(
        "--mail",
        type=text_option,
        default="",
        metavar="URL",
        help="the mail server that takes links to people, such as smtp://maze-lab@mail.example.edu:587; its "
        "password is in the variable MAZE_GRADER_MAIL_PASSWORD, or in a file",
    )
    parser.add_argument(
        "--sender", type=text_option, default="", metavar="ADDRESS", help="from whom these mails are"
    )
    parser.add_argument(
        "--mail-password",
        type=Path,
        metavar="FILE",
        help="a file with the password of the mail server, which only its owner may read",
    )
    parser.add_argument(
        "--release",
        type=text_option,
        action="append",
        default=[],
        metavar="[COURSE=]DIR",
        help="give students the kit, the handout and the lab in the browser that grader release wrote into "
        "this folder; may be repeated, with the id of each course",
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
    _add_access(
        add_command(
            tasks,
            "access",
            "list and end what lets people in: sign-ins, tokens, links that were not used",
            "grader serve access list",
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
    add_platform_options(add_command(tasks, "platform", PLATFORM_HELP, PLATFORM_EXAMPLE), _add_data)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=_DATA,
        metavar="DIR",
        help="the folder for all data (default: ./serve-data)",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE.toml",
        help="a file with options, such as port = 8080; options on the command line take their places",
    )


def _serve(options: argparse.Namespace) -> int:
    from grader.serve.readiness import check
    from grader.serve.service import ServeOptions, serve

    proxies, releases = tuple(options.proxy), tuple(options.release)
    plain = "data host port url jobs sandbox cluster language demo lab mail sender mail_password"
    given = {name: getattr(options, name) for name in plain.split()}
    asked = ServeOptions(tuple(options.course), proxies=proxies, releases=releases, **given)
    return check(asked) if options.check else serve(asked)


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


def _add_access(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    listed = add_command(acts, "list", "list all of them, with their ids", "grader serve access list")
    end = add_command(acts, "end", "end some of them", "grader serve access end 3f2a9c0b17de")
    end.add_argument("ids", nargs="+", type=text_option, metavar="ID", help="an id, as list prints it")
    for act, task in ((listed, _list_access), (end, _end_access)):
        _add_data(act)
        act.set_defaults(task=task)


def _list_access(options: argparse.Namespace) -> int:
    from grader.serve.invitations import list_access

    print(list_access(options.data))
    return 0


def _end_access(options: argparse.Namespace) -> int:
    from grader.serve.invitations import end_access

    print(end_access(options.data, options.ids))
    return 0


def _add_backup(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_backup)
    parser.add_argument("copy", type=Path, metavar="COPY.tar.gz", help="the file to write")
    _add_data(parser)


def _backup(options: argparse.Namespace) -> int:
    from grader.serve.data_folder import back_up

    print(back_up(options.data, options.copy))
    return 0


def _add_restore(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_restore)
    parser.add_argument(
        "copy", type=Path, metavar="COPY.tar.gz", help="a file that grader serve backup wrote"
    )
    _add_data(parser)


def _restore(options: argparse.Namespace) -> int:
    from grader.serve.data_folder import restore

    print(restore(options.copy, options.data))
    return 0


def _with_config(arguments: Sequence[str]) -> list[str]:
    from grader.serve.config_file import with_config

    return with_config(arguments)


SERVE = Command(
    "run a web service where students hand in and get feedback at once",
    "grader serve --course course --data serve-data --url https://maze.example.org",
    _add_serve,
    lambda options: int(options.task(options)),
    _with_config,
)


def _add_forget(parser: argparse.ArgumentParser) -> None:
    add_submission(parser)
    add_shared(parser)


def _run_forget(options: argparse.Namespace) -> int:
    """Delete the results, and print which files still name the student."""
    from grader.batch.open_results import forget
    from grader.serve.data_folder import DataFolder, forget_person

    if DataFolder(options.results).database.is_file():
        print(forget_person(options.results, options.submission))
    else:
        print(forget(options.results, options.submission, options.key))
    return 0


FORGET = Command(
    "delete a student's results and everything that mentions the student",
    "grader forget results ada",
    _add_forget,
    _run_forget,
)
