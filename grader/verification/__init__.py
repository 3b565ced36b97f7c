"""Measure the tests themselves: which known mistakes, in a bank of submissions, does each test catch?"""
