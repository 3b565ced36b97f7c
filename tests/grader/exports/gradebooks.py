"""Gradebooks as the platforms export them, and how tests write and read one."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from grader.platforms.base import Grade

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7001),Lab 2 (7002),Final Score\r\n"
    "    Points Possible,,,,,10,50,(read only)\r\n"
    '"Lovelace, Ada",101,s1,ada,Group 1,9,,91\r\n'
    '"Turing, Alan",102,s2,alan,Group 1,8,12,80\r\n'
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Feedback comments\n"
    'Participant 55,Ada Lovelace,ada@example.org,Submitted for grading,,"100,00",Yes,\n'
    "Participant 56,Alan Turing,alan@example.org,No submission,,100.00,Yes,=1+1\n"
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t'
    '"Lab 2 [Total Pts: 20 Score] |9001"\n'
    '"Lovelace"\t"Ada"\t"ada"\t"s1"\t"Yes"\t""\n'
    '"Turing"\t"Alan"\t"alan"\t"s2"\t"Yes"\t"3"\n'
)
GERMAN = (
    'ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,"Bewertung kann geändert werden",'
    '"Zuletzt geändert (Abgabe)","Texteingabe online","Zuletzt geändert (Bewertung)",'
    '"Feedback als Kommentar"\n'
    'Teilnehmer/in55,"Ada Lovelace",ada@example.org,"Zur Bewertung abgegeben",,"100,00",Ja,'
    '"Dienstag, 6. Oktober 2026, 18:21","",-,\n'
    'Teilnehmer/in56,"Alan Turing",alan@example.org,"Keine Abgabe",,"100,00",Ja,-,,-,\n'
)
BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,"
    "Lab 2 Points Grade <Numeric MaxPoints:50 Weight:10 Category:Labs CategoryWeight:20>,"
    "Calculated Final Grade Numerator,End-of-Line Indicator\r\n"
    "#0012,#ada,Lovelace,Ada,,9,#\r\n#0014,#alan,Turing,Alan,12,20,#\r\n"
)
GRADESCOPE = (
    "Name,SID,Email,Total Score,Max Points,Status,Submission ID,Submission Time,Lateness (H:M:S)\n"
    "Ada Lovelace,0012,ada@example.org,,50,Missing,,,\n"
    "Alan Turing,13,alan@example.org,30,50,Graded,9,2026-10-03 20:13:23 +0200,00:00:00\n"
)
TEAMS = (
    "First Name,Last Name,Email Address,Lab 2,Points,Feedback\r\n"
    "Ada,Lovelace,ada@example.org,,20,\r\nAlan,Turing,alan@example.org,,20,\r\n"
)
CLASSROOM = (
    "Last Name,First Name,Email Address,Lab 1,Lab 2\n,Date,,2026-09-03,2026-10-03\n,Points,,10,20\n"
    "Lovelace,Ada,ada@example.org,9,\nTuring,Alan,alan@example.org,8,\n"
)
BOOKS = {
    "canvas": CANVAS,
    "moodle": MOODLE,
    "blackboard": BLACKBOARD,
    "brightspace": BRIGHTSPACE,
    "gradescope": GRADESCOPE,
    "teams": TEAMS,
    "classroom": CLASSROOM,
}


def grade(
    id_: str, score: float | None = 80.0, *, student: str = "", submission: str = "x", platform: str = ""
) -> Grade:
    return Grade(submission, student, id_, score, 100.0, "graded", platform, "")


def book(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "gradebook.csv"
    path.write_bytes(text.encode(encoding))
    return path


def cells(content: bytes, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=separator))
