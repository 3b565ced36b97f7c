"""LTI 1.3: learning platforms that launch this service, and get scores back."""
