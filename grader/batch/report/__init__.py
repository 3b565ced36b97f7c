"""What is written about a class: the class page, grades.csv, similarity, differences."""
