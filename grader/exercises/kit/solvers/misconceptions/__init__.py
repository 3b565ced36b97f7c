"""Wrong models of solvers."""

from grader.exercises.kit.solvers.misconceptions import answers, visits

MASKS = answers.MASKS
MODELS = (*visits.MODELS, *answers.MODELS)
