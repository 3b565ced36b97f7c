def short(rng):
    return [{"numbers": [rng.randrange(10) for _ in range(length)]} for length in range(12)]
