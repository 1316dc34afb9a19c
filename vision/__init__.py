"""The eye: from frames of a real board to what stands on it, and to the move that was made."""
