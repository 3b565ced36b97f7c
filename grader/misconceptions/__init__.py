"""Wrong models of the exercises, and the hints for those who hold them."""

from grader.misconceptions.diagnosis import diagnose
from grader.misconceptions.model import Misconception, Model
from grader.misconceptions.models import MODELS

__all__ = ["MODELS", "Misconception", "Model", "diagnose"]
