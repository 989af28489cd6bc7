"""What Backstay makes of a tool's saved output: for an operator who wants to see how his device is read."""
