"""What the table itself says, whatever the game."""

from companion.words import Words

WORDS = Words(
    {
        "started": "A game of {game} begins.",
        "resumed": "The game of {game} goes on.",
        "abandoned": "The game is ended without a winner.",
        "please_agree": "Please agree to the house rules: {seats}.",
        "rolled": "{seat} rolled {faces}.",
        "dice_show": "The dice show {faces}.",
        "one_more_die": "{seat} has {faces} so far: throw the other die.",
        "roll_not_due": "No roll is due now, so this one does not count.",
        "roll_paused": "The game is paused, so this roll does not count.",
        "roll_of_another": "It is {seat}'s roll, so this one does not count.",
        "roll_other_dice": "This roll needs {count} dice, not {dice}, so it does not count.",
        "not_saved": "Not saved! {why} The game goes on.",
        "saved_again": "Everything is saved again.",
        "roll_failed": "The die {source} could not prove its roll. Look at it before you trust it.",
        "host_code": "The host's code is:",
        "no_game": "No game is running.",
        "game_runs": "A game is running. End it first, or say that the new one takes its place.",
        "nothing_to_resume": "There is no unfinished game to go on with.",
        "stale": "Something happened meanwhile. Look again, then decide.",
        "not_yours_to_answer": "Only the player whose move it was, or the host, can answer that.",
        "fault": "Something went wrong inside the companion ({error}). The game is as it was.",
    }
)
