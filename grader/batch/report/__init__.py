"""The reports of a class: the class page, grades.csv, similar submissions, differences between gradings."""
