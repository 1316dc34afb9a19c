"""A demonstration evening: computer players at a rendered table. Nothing is scripted but what they choose."""
