"""What things cost: ``python -m benchmarks``, or ``python -m benchmarks lab`` for one part."""
