"""The pages of staff: in English, as all pages for staff are."""
