"""Every sentence of Corner Race."""

from companion.words import Words

WORDS = Words(
    {
        # prompts
        "throw_now": "{seat}, throw the die.",
        "move_now": "{seat}, move your Runner: you threw {number}.",
        # announcements
        "too_far": "{number} is too far for {seat}: the Runner stays.",
        "sent_back": "{seat} is sent back to the first space!",
        "wins": "{seat} has reached the last space and wins!",
        "left": "A player has left. The race ends without a winner.",
        # refusals
        "over": "The race is over.",
        "not_your_turn": "It is the turn of {seat}.",
        "throw_first": "Throw the die first.",
        "already_thrown": "You have thrown already: {number}. Move your Runner.",
        "one_die": "Corner Race is played with one die.",
        "not_your_runner": "That is not your Runner.",
        "stands_elsewhere": "Your Runner stands on {space}.",
        "wrong_step": "With {number} your Runner goes exactly {number} forward.",
        "wrong_short_step": "With {number} your Runner goes one forward or one back.",
    },
    {"sun": "Sun", "moon": "Moon", "red-runner": "red Runner", "blue-runner": "blue Runner"},
)
