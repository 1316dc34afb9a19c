"""The camera: finds the board, watches it, and proposes what it saw. The referee disposes."""
