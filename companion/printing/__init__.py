"""Paper: boards, tag frames, move cards and pieces as vector PDFs at true size.

    pen.py      draws in millimetres; the only file that knows the PDF library
    paper.py    sheets of paper: tiles of a large drawing, crop and overlap marks, the check line
    board.py    a board, with or without the tags round it
    frame.py    the tags alone, as strips to lay round one's own board
    cards.py    what a game's moves are, on cards
    pieces.py   pieces to cut out
"""
