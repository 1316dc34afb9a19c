"""A board of one's own, mapped from a picture: what the host has said so far, and the board that follows from it.

    palette.py   what a game's special spaces are called and what marking one means (from the game's `mapping.toml`)
    draft.py     what was said, step by step, so that each step can be taken back
    outlines.py  from a grid, a ring, a path or a cross to spaces in millimetres
    build.py     the board file, and what is still missing, in words
    picture.py   is this picture a picture, and how large? Told from its first bytes, before anything unpacks it
    store.py     the player's own boards and drafts on disk; shared files from strangers

Nothing here looks at pixels: `vision/mapping.py` does, and hands its suggestions over as steps of a draft.
"""
