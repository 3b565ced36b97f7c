"""The answers to the six exercises, laid out exactly as a submission; students never see them."""
