"""Wrong models of the exercises: a table of them for each, and the engines that they stand on."""

from grader.misconceptions.diagnosis import MODELS, diagnose
from grader.misconceptions.model import Model

__all__ = ["MODELS", "Model", "diagnose"]
