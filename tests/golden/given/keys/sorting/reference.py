def sort_numbers(numbers):
    return sorted(numbers)
