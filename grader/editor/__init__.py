"""The page on which a test maze is drawn, and the little server that saves what was drawn."""
