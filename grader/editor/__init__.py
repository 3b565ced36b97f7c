"""The page on which a test maze is drawn, and the small server that saves the drawing."""
