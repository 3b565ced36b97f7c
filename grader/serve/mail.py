"""Mails with sign-in links, and of answers: the server that takes them, and the thread that sends them."""

from __future__ import annotations

import logging
import os
import smtplib
import sqlite3
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from pathlib import Path
from threading import Event, Thread
from typing import Final
from urllib.parse import unquote, urlsplit

from grader.api import CourseRules
from grader.errors import GraderError, InputError
from grader.languages import DEFAULT, catalogue
from grader.serve.store import answers, credentials, mails
from grader.serve.store.answers import AnswerMail
from grader.serve.store.database import Store
from grader.serve.store.mails import Mail

PASSWORD: Final = "MAZE_GRADER_MAIL_PASSWORD"  # noqa: S105 - the name of a variable
"""The environment holds the password of the mail server in this variable, if no file does."""
_EXPECTED: Final = "expected a mail server such as smtp://maze-lab@mail.example.edu:587 (--mail)"
_PORTS: Final = {"smtp": 587, "smtps": 465}
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_SECONDS: Final = 60.0
"""A mail server has 60 seconds for each answer."""
_LOOK_SECONDS: Final = 1.0
_END_SECONDS: Final = 5.0
_LASTING: Final = 500
"""A mail server refuses with a code from 500 on what it will never take."""
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server, as ``--mail`` names it, with the sender of all mails."""

    url: str
    sender: str
    password: str = field(repr=False)

    def connect(self) -> smtplib.SMTP:
        """Connect and sign in, by TLS where there is a password. Raises OSError (also of smtplib)."""
        parts, trusted = urlsplit(self.url), ssl.create_default_context()
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        if parts.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=trusted)
        else:
            server = smtplib.SMTP(host, port, timeout=_SECONDS)
            server.ehlo()
            if server.has_extn("starttls") or (self.password and host not in _HERE):
                server.starttls(context=trusted)
        if self.password:
            server.login(unquote(parts.username or parseaddr(self.sender)[1]), self.password)
        return server

    def send(self, message: EmailMessage) -> None:
        """Send a mail. Raises OSError (also of smtplib), and ValueError for an address that is none."""
        server = self.connect()
        try:
            server.send_message(message)
        finally:
            server.close()


def read_server(url: str, sender: str, password: str) -> MailServer:
    """Return a mail server; ``password`` is a file that only its owner reads, or "". Raises InputError."""
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in _PORTS and parts.hostname and parts.password is None and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise InputError(f"{_EXPECTED}, with its password in {PASSWORD}, got another address")
    if "@" not in parseaddr(sender)[1]:
        raise InputError(f"expected the address of who sends mails (--sender), got {sender!r}")
    if not password:
        return MailServer(url, sender, os.environ.get(PASSWORD, ""))
    path = Path(password)
    try:
        if path.stat().st_mode & 0o077:
            raise InputError("expected a file that only its owner reads (chmod 600)", path=path)
        return MailServer(url, sender, path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        expected = f"expected a file with the password of the mail server: {error}"
        raise InputError(expected, path=path) from None


def invitation(mail: Mail, rules: CourseRules, sender: str, url: str) -> EmailMessage:
    """Return the mail with a link. Raises ValueError for an address that is none."""
    t = catalogue(DEFAULT if mail.role == "staff" else rules.language)
    days, link = f"{credentials.DAYS[mail.role]:g}", f"{url}/invite/{mail.token}"
    id_ = credentials.digest(mail.token)[:40]
    text = t("serve.mail.text", name=mail.name, course=rules.title, link=link, days=days)
    return _message(sender, mail.email, t("serve.mail.subject", course=rules.title), id_, text)


def answer_mail(mail: AnswerMail, rules: CourseRules, sender: str, url: str) -> EmailMessage:
    """Return the mail that tells of an answer to a request. Raises ValueError for an address that is none."""
    t = catalogue(rules.language)
    id_ = credentials.digest(f"answer {mail.person} {mail.request}")[:40]
    text = t("serve.mail.answer_text", name=mail.name, course=rules.title, link=f"{url}/")
    return _message(sender, mail.email, t("serve.mail.answer_subject", course=rules.title), id_, text)


def _message(sender: str, to: str, subject: str, id_: str, text: str) -> EmailMessage:
    host, message = parseaddr(sender)[1].rpartition("@")[2], EmailMessage()
    message["From"], message["To"] = sender, to
    message["Subject"] = subject
    message["Date"], message["Message-ID"] = formatdate(localtime=True), f"<{id_}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return message


def _is_lasting(error: Exception) -> bool:
    """Tell whether another try would fail as well: a server may refuse who writes for the first time."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= _LASTING for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= _LASTING
    return not isinstance(error, OSError)  # an address that is none


class MailSender(Thread):
    """The thread that sends the mails in the database, one after the other."""

    def __init__(
        self,
        store: Store,
        server: MailServer,
        courses: Mapping[str, CourseRules],
        url: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(name="mails", daemon=True)
        self._store, self._server, self._courses, self._url = store, server, courses, url
        self._clock, self._ended = clock, Event()

    def run(self) -> None:
        """Send the mails that are due, and look again every second."""
        while not self._ended.is_set():
            try:
                self.send_due()
            except (GraderError, sqlite3.Error):
                _LOG.exception("failed to send a mail; trying again")
            self._ended.wait(_LOOK_SECONDS)
        self._store.close()

    def send_due(self) -> None:
        """Send the mails that are due, until the end is asked for."""
        while not self._ended.is_set() and (mail := mails.take(self._store, self._clock())):
            try:
                rules = self._courses[mail.course]
                self._server.send(invitation(mail, rules, self._server.sender, self._url))
            except (OSError, ValueError, LookupError) as error:
                told = str(error) or type(error).__name__
                mails.mark_failed(self._store, mail, told, for_good=_is_lasting(error))
            else:
                mails.mark_sent(self._store, mail, self._clock())
        while not self._ended.is_set() and (answer := answers.take_mail(self._store, self._clock())):
            try:
                rules = self._courses[answer.course]
                self._server.send(answer_mail(answer, rules, self._server.sender, self._url))
            except (OSError, ValueError, LookupError) as error:
                if _is_lasting(error):
                    answers.end_mail(self._store, answer, str(error) or type(error).__name__)
            else:
                answers.end_mail(self._store, answer)

    def end(self) -> None:
        """Stop when the mail that is being sent is gone."""
        self._ended.set()
        self.join(_END_SECONDS)
