"""Every sentence of the table itself, whatever the game."""

from companion.words import Words

WORDS = Words(
    {
        # what a person may not do
        "host_only": "Only the host may do that.",
        "not_your_seat": "That is {seat}'s to do.",
        "is_paused": "The game is paused. The host can let it go on.",
        "paused_already": "The game is paused already.",
        "not_paused": "The game is not paused.",
        "agree_first": "First everybody agrees to the house rules. Still missing: {seats}.",
        "agreed_already": "{seat} has agreed already.",
        "owes_nothing": "{seat} owes nothing now.",
        "gone_already": "{seat} has left the game.",
        "take_back_own_only": "You can take back only your own last move. The host can take back more.",
        "take_back_host_only": "Somebody has acted since. Only the host can take that back now.",
        "touch_is_free": "At this table a touched piece need not be moved.",
        "touch_later": "Nothing can be touched for a move now.",
        "touched": "You touched the {piece}, so you must move it.",
        "decided_already": "{reading} is {value} already.",
        "impossible_now": "That reading cannot hold in this position: {reason}",
        # what the table announces
        "let_stand": "The host lets {seat}'s move stand: {move}.",
        "corrected": "The host has corrected the position.",
        "skipped": "{seat} is passed over.",
        "turn_lost": "{seat} loses the turn, as this table agreed for a move against the rules.",
        "left": "{seat} has left the game.",
        "paused": "The game is paused.",
        "goes_on": "The game goes on.",
        "has_touched": "{seat} has touched the {piece} and must move it.",
        "took_back": "Taken back by {who}: {count} from number {number} on.",
        "took_back_roll": "With it goes {seat}'s roll of {dice}.",
        "agreed": "{seat} agrees to the house rules.",
        "all_agreed": "Everybody agrees to the house rules. Let us begin.",
        "voted": "{seat} has voted. Still missing: {seats}.",
        "vote_tied": "The vote on {reading} is tied. The host decides.",
        "needs_everybody": "{reading} stays {value}: in the middle of a game only all together can change it.",
        "decided": "The table has decided: {meaning}",
        # past acts
        "host_act": "That was an act of the host, not a move.",
        "was_legal": "Number {number} was legal.",
        "let_stand_then": "Number {number} was against the rules, and the host let it stand.",
        "stands_now": "Number {number} was against the rules. It stands, because play has gone on.",
        "rewind_now": "Number {number} was against the rules. By this table's rule the host takes the game back to it.",
    },
    {"host": "the host"},
)
