"""Wrong models of the exercises: a table of them for each, and the engines that they stand on."""

from grader.misconceptions.by_checks import told_by_checks
from grader.misconceptions.diagnosis import IDS, MODELS, diagnose
from grader.misconceptions.model import Model

__all__ = ["IDS", "MODELS", "Model", "diagnose", "told_by_checks"]
