"""The sixth game: a folder outside the product, added without touching it."""
