"""What things cost: ``python -m benchmarks`` runs all, ``python -m benchmarks.lab`` one part."""
