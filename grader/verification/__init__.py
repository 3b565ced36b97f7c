"""Measuring the tests themselves: a bank of submissions of known worth shows what each test catches."""
