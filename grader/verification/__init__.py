"""Are these tests any good? A bank of submissions of known worth says what each test caught."""
