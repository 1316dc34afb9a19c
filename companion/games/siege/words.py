"""Every sentence of Siege. A rule that can forbid a move is worded under the name of its function."""

from companion.words import Words

WORDS = Words(
    {
        # prompts
        "place_commander": "Defender, put the Commander on one of the two Crown squares.",
        "your_move": "{seat}, move one of your pieces.",
        "opening_move": (
            "Defender, this is turn {turn} of your first four: move a Defender off the square it started from, to a square "
            "without a dot."
        ),
        "opening_man_move": (
            "Defender, this is turn {turn} of your first four: move a Defender off a dotted square, to a square without a dot."
        ),
        "opening_lifted": (
            "Defender, the rule of your first four turns is lifted now: a piece can be taken on {spaces}. Move as you like."
        ),
        "opening_lifted_for_defenders": (
            "Defender, the rule of your first four turns is lifted now: a piece can be taken on {spaces}. Move any Defender."
        ),
        "may_claim_draw": "{seat}, you may claim a draw: the siege is going nowhere.",
        # announcements
        "commander_placed": "The Commander stands on {end}. The Attacker begins.",
        "captures": "The {piece} captures the {victim} on {end}.",
        "opening_over": "The Defender's first four turns are over. From now on all his pieces move freely.",
        "passes": "{seat} has no move and passes.",
        "commander_captured": "The Commander is captured. The Attacker wins!",
        "knights_captured": "The last Knight is captured. The Defender wins!",
        "siege_lifted": "Fifty turns each without a capture: the siege is lifted and the Defender wins.",
        "drawn": "The game is drawn.",
        "no_move_draw": "{seat} has no move left. The game is drawn.",
        "no_move_loses": "{seat} has no move left and loses.",
        "left": "A player has left. The game ends without a winner.",
        # refusals: of the moment
        "over": "The game is over.",
        "has_left": "The {seat} has left the game.",
        "no_dice": "Siege is played without dice: just move a piece.",
        "not_your_turn": "It is the {seat}'s turn.",
        "not_your_piece": "The {piece} is not yours to move.",
        "no_such_piece": "You have no {piece} on {start}.",
        "must_move": "You must move when you can.",
        "place_first": "First the Commander must be put on a Crown square.",
        "defender_places": "The Defender chooses the Crown square for his Commander.",
        "already_placed": "The Commander stands already.",
        "not_a_crown": "{end} is not a Crown square.",
        "no_draw_threefold_or_50": (
            "A draw can be claimed when the same position has come three times, or after fifty turns each without a capture."
        ),
        "no_draw_threefold": "At this table a draw can be claimed only when the same position has come three times.",
        "no_draw_never": "At this table the game goes on until one side has won.",
        "no_draw_siege_lifted": "At this table there is no draw: after fifty turns each without a capture the Defender wins.",
        # refusals: the way a piece goes
        "stands_still": "You must move a piece to another square.",
        "is_no_leap": "A Knight leaps two squares one way and one square to the side. From {start} to {end} is no such leap.",
        "leaves_castle": "A Knight that is in the Castle may not come out again.",
        "leaps_back": "Outside the Castle a Knight may not leap back, unless he lands in the Castle.",
        "leaps_back_too_flat": "At this table a Knight leaps back into the Castle only two squares back and one to the side.",
        "steps_too_far": "A Defender steps just one square.",
        "steps_on_blue": "A Defender may not step on a blue square.",
        "crosses_wall_slanted": "At this table a Defender may not cross the Castle wall diagonally.",
        "goes_outside": "The Commander must stay in the Castle.",
        "passes_outside": "The Commander must stay in the Castle all the way.",
        "is_off_diagonal": "The Commander moves on diagonals. Only from one Crown to the other may he step sideways.",
        "goes_too_far": "The Commander moves at most three squares.",
        # refusals: who stands where
        "own_piece_there": "One of your own pieces already stands on {square}.",
        "commander_jumps": "The Commander cannot jump: a piece stands on his way to {square}.",
        "knight_on_blue": "A Knight on a blue square cannot be taken by a Defender.",
        "straight_capture": "A Defender can take a Knight only with a diagonal step.",
        "exposes_commander": "At this table you may not leave your Commander where a Knight can take him.",
        # refusals: the first four turns
        "opening_defender_only": "In your first four turns you must move a Defender. This is turn {turn}.",
        "opening_fresh_man": "In your first four turns you must move a Defender that has not moved yet. The one on {square} has.",
        "opening_man_on_dot": "In your first four turns you must move a Defender off a dotted square. {square} has no dot.",
        "opening_no_dot": "In your first four turns the Defender must go to a square without a dot. {square} has a dot.",
        "exempt_defender_only": "The rule of the first four turns is lifted, but at this table only a Defender may use that.",
    },
    {"attacker": "Attacker", "defender": "Defender", "knight": "Knight", "commander": "Commander"},
)
