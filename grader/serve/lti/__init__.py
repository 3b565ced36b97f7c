"""LTI 1.3: learning platforms launch this service, and receive scores."""
