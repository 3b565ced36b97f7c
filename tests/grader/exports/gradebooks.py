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
NORWEGIAN = (
    "Identifikator,Fullt navn,E-postadresse,Status,Gruppe,Karakter,Maks. karakter,Kan endres,"
    "Sist endret (innlevering),Sist endret (vurdering),Kommentarer\n"
    'Deltaker 55,Ada Lovelace,ada@example.org,Levert,Gruppe 1,"50,00","100,00",Ja,'
    '"tirsdag, 6. oktober 2026, 18:21","onsdag, 7. oktober 2026, 10:00",Se på BFS\n'
    'Deltaker 56,Alan Turing,alan@example.org,Ikke levert,Gruppe 1,,"100,00",Ja,-,-,\n'
)
HIDDEN_NAMES = (
    "Identifikator,Status,Karakter,Maks. karakter,Kan endres,Sist endret (vurdering)\n"
    'Deltaker 55,Levert,,"100,00",Ja,-\nDeltaker 56,Ikke levert,,"100,00",Ja,-\n'
)


def grade(id_: str, score: float | None = 80.0, *, student: str = "", submission: str = "x") -> Grade:
    return Grade(submission, student, id_, score, 100.0, "graded", "", "")


def book(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "gradebook.csv"
    path.write_bytes(text.encode(encoding))
    return path


def cells(content: bytes, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=separator))
