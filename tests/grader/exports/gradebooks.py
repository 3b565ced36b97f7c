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


ADA = "Ada Lovelace"
HEADS = {
    "canvas, the name in two columns": (
        "canvas", "101",
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 2 (7002),Final Score\n"
        "    Points Possible,,,,,,50,(read only)\nLovelace,Ada,101,s1,ada,G 1,{},91\n"
    ),
    "canvas, a row of posting and more numbers": (
        "canvas", "s1",
        "Student,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section,Lab 2 (7002),"
        "Labs Current Score\n"
        ",,,,,,,Manual Posting,\n    Points Possible,,,,,,,50,(read only)\n"
        "\"Lovelace, Ada\",101,s1,ada,,example.org,G 1,{},\n\"Student, Test\",999,,x,,,G 1,,\n"
    ),
    "canvas, without numbers of an institution": (
        "canvas", "ada@example.org",
        "Student,ID,SIS Login ID,Section,Lab 2 (7002)\n    Points Possible,,,,50\n"
        "\"Lovelace, Ada\",101,ada@example.org,G 1,{}\n"
    ),
    "canvas, with semicolons": (
        "canvas", "101",
        "Student;ID;SIS User ID;SIS Login ID;Section;Lab 2 (7002)\n    Points Possible;;;;;50,00\n"
        "Lovelace, Ada;101;s1;ada;G 1;{}\n"
    ),
    "moodle, with an online text": (
        "moodle", "55",
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (submission),Online text,Last modified (grade),Feedback comments\n"
        "Participant 55,Ada Lovelace,ada@example.org,Submitted,{},50.00,Yes,-,,-,\n"
    ),
    "moodle, with a workflow and numbers": (
        "moodle", "s1",
        "Identifier,Full name,ID number,Email address,Status,Marking workflow state,Marker,Grade,"
        "Maximum Grade,"
        "Grade can be changed\nParticipant 55,Ada Lovelace,s1,ada@example.org,Submitted,"
        "Not marked,,{},50.00,Yes\n"
    ),
    "moodle, with a scale of its own": (
        "moodle", "55",
        "Identifier,Full name,Status,Grade,Maximum grade,Last modified (grade)\n"
        "Participant 55,Ada Lovelace,Submitted,{},50.00,-\n"
    ),
    "blackboard, as CSV with times of access": (
        "blackboard", "ada",
        "Last Name,First Name,Username,Student ID,Last Access,Availability,"
        "Lab 2 [Total Pts: 50 Score] |1281892\n"
        "Lovelace,Ada,ada,s1,2026-02-03 00:15:38,Yes,{}\n"
    ),
    "blackboard, without a number of the column": (
        "blackboard", "ada",
        "Last Name,First Name,Username,Lab 2: search [Total Pts: 50 Score],Grading Notes,Notes Format,"
        "Feedback to Learner,Feedback Format\nLovelace,Ada,ada,{},,,,\n"
    ),
    "blackboard, with brackets and no unit": (
        "blackboard", "s1",
        "Last Name,First Name,Username,Student ID,Child Course ID,"
        "Lab 2 [EXTRA CREDIT] [Total Pts: 50] |66461\n"
        "Lovelace,Ada,ada,s1,c1,{}\n"
    ),
    "blackboard, with the most": (
        "blackboard", "ada",
        "Last Name,First Name,Username,Weighted Total [Total Pts: up to 90 Score] |1,"
        "Lab 2 [Total Pts: up to 50 Score] |2\nLovelace,Ada,ada,,{}\n"
    ),
    "brightspace, without weights": (
        "brightspace", "112",
        "OrgDefinedId,Last Name,First Name,Lab 2 Points Grade <Numeric MaxPoints:50>,End-of-Line Indicator\n"
        "#112,Lovelace,Ada,{},#\n"
    ),
    "brightspace, with a weight": (
        "brightspace", "ada",
        "Username,Lab 2 Points Grade <Numeric MaxPoints:50 Weight:4.34782609>,"
        "End-of-Line Indicator\n#ada,{},#\n"
    ),
    "brightspace, with a category": (
        "brightspace", "112",
        "OrgDefinedId,Username,Last Name,First Name,Email,"
        "Lab 2 Points Grade <Numeric MaxPoints:50 Weight:10 Category:Weekly work CategoryWeight:15>,"
        "Calculated Final Grade Numerator,Calculated Final Grade Denominator,End-of-Line Indicator\n"
        "#112,#ada,Lovelace,Ada,ada@example.org,{},,,#\n"
    ),
    "brightspace, with a weight first and a category alone": (
        "brightspace", "ada@example.org",
        "OrgDefinedId,Email,\"Lab 2, search Points Grade <Numeric Weight:10 MaxPoints:50.0>\","
        "End-of-Line Indicator\n"
        "#112,ada@example.org,{},#\n"
    ),
    "gradescope, in two columns with sections": (
        "gradescope", "0012",
        "First Name,Last Name,SID,Email,Sections,section_name,Total Score,Max Points,Status,Submission ID,"
        "Submission Time,Lateness (H:M:S),View Count,Submission Count,1: Search (25.0 pts),"
        "2: DFS (25.0 pts)\n"
        "Ada,Lovelace,0012,ada@example.org,,,{},50.0,Missing,,,,,,,\n"
    ),
    "gradescope, without numbers": (
        "gradescope", "ada@example.org",
        "First Name,Last Name,Email,Total Score,Max Points,Status,Submission ID\n"
        "Ada,Lovelace,ada@example.org,{},50,Graded,11\n"
    ),
    "teams, with several assignments": (
        "teams", ADA,
        "First Name,Last Name,Email Address,Lab 1,Points,Feedback,Lab 2,Points,Feedback\n"
        "Ada,Lovelace,ada@example.org,9,10,,{},50,\n"
    ),
    "classroom, with a mean": (
        "classroom", ADA,
        "Last Name,First Name,Email Address,Lab 2,Overall Grade\n,Date,,2026-10-03,\n,Points,,50,\n"
        "Lovelace,Ada,ada@example.org,{},\n,Class Average,,,\n"
    ),
}  # fmt: skip
"""The heads that platforms write into public gradebooks, by what is special about them: the platform, whose
mark is filled in, and the file, with the place of the mark; it is worth 50 points."""


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
