"""The voice: says rolls, turns, rulings and victories aloud, and never keeps the table waiting.

    voice = Voice(find_engine(), find_player(), verbosity="normal")
    table.subscribe(voice.hear)

Speech runs on its own thread. What is urgent goes first, chatter is dropped when too much waits, and a sentence that was just
said twice is not said a third time. Where no engine or no loudspeaker is found the voice stays silent and everything is on the
screens.
"""

from companion.voice.engines import Engine, find_engine
from companion.voice.player import Player, find_player
from companion.voice.voice import VERBOSITIES, Voice

__all__ = ["VERBOSITIES", "Engine", "Player", "Voice", "find_engine", "find_player"]
