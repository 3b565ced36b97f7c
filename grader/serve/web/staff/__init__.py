"""The pages for staff, which are in English."""
