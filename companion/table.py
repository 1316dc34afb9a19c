"""The table: one running game with its devices. One queue, one owner.

Devices and phones only put things in, from any thread; one thread takes them out, asks the ledger, writes the journal, and only
then tells anybody. What everyone sees is a `View`, an immutable picture that is replaced as a whole, so reading needs no lock and
no question ever waits for a move.

    table = Table(Journal.open("table.journal"))
    table.subscribe(lambda view, news: …)        # called on the table's thread: hand over and return
    with table:
        table.ask(Start(terms_to_json(terms))).result()
        SerialDice(table.put)                    # dice events, as they are
        table.ask(Do(Played(move), by="red", source="phone:3")).result()
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Self

from companion.acts import KINDS, NAMES, Act, Agreed, Paused, Played, TookBack, Voted, act_from_json, act_to_json
from companion.dice.events import ButtonPressed, DeviceChanged, DeviceHealth, DiceRolled, RollChecked
from companion.events import BadInput, Roll
from companion.game import terms_from_json, terms_to_json
from companion.games import find_game
from companion.journal import ROLLED, Draft, Entry, Journal, Receipt
from companion.ledger import ACCEPTED, HOST, REFUSED, Answer, Ledger, open_ledger
from companion.news import CHATTY, DEVICE, EVENT, PROMPT, ROLL, RULE, RULING, SEEN, URGENT, LastRoll, News, View
from companion.table_requests import Abandon, Choose, Do, DoAll, Notice, Put, Request, Resume, Rolled, SaveAgain, Start, Told
from companion.table_words import WORDS
from companion.words import Say, Translate, say

__all__ = [
    "Abandon", "Do", "Put", "Request", "Resume", "Rolled", "SaveAgain", "Start", "Subscriber", "Table", "Told", "replay",
]  # fmt: skip
log = logging.getLogger(__name__)
STOPS = 10.0  # seconds to answer what was handed in, at the end
RETRY_EVERY = 5.0  # seconds, while the disk refuses
REMEMBERED_ROLLS = 500  # keys of electronic rolls by which a repeat is known

Subscriber = Callable[[View, tuple[News, ...]], None]


class Table:
    def __init__(self, journal: Journal, translate: Translate = str) -> None:
        self.journal = journal
        self.translate = translate
        self.view = View(trouble=journal.trouble)
        self._queue: queue.SimpleQueue[tuple[Put, Future[Told] | None] | None] = queue.SimpleQueue()
        self._subscribers: list[Subscriber] = []
        self._known_rolls: dict[tuple[str, int, int], None] = {}
        self._number = 0  # of the last accepted act of the running game
        self.retry_every = RETRY_EVERY
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._remember_rolls()

    # --- from any thread ---

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def put(self, what: Put) -> None:
        """Hand something in without waiting for the answer."""
        self._queue.put((what, None))

    def ask(self, what: Put) -> Future[Told]:
        """Hand something in; the answer comes when it is durable. Nonsense comes back as `BadInput`."""
        future: Future[Told] = Future()
        self._queue.put((what, future))
        return future

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Answer everything handed in so far, save, and let go of the journal."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(STOPS)
        if not self._thread.is_alive():  # else somebody who is told the news hangs; what was accepted is saved already
            self.journal.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # --- the owner's thread ---

    def _run(self) -> None:
        while (item := self._next()) is not None:
            what, future = item
            try:
                told = self._take(what)
            except BadInput as error:
                self._answer(future, error)
            except Exception as error:  # one bad request must not stop the game; whoever asked hears of it
                self._publish(News(self._tell(say("fault", error=f"{type(error).__name__}: {error}")), URGENT))
                self._answer(future, error)
            else:
                self._answer(future, told)

    def _next(self) -> tuple[Put, Future[Told] | None] | None:
        """What was handed in next. While something is not saved, saving is tried again now and then."""
        try:
            return self._queue.get(timeout=self.retry_every if self.view.trouble else None)
        except queue.Empty:
            return SaveAgain(), None

    @staticmethod
    def _answer(future: Future[Told] | None, answer: Told | Exception) -> None:
        if future is None:
            return
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _take(self, what: Put) -> Told:
        match what:
            case Start():
                return self._start(what)
            case Resume():
                return self._resume(what.game)
            case Abandon():
                return self._abandon(what.why)
            case Do():
                return self._do(what)
            case DoAll():
                return self._do_all(what)
            case Rolled():
                return self._rolled(what.faces, what.seat, what.source, {})
            case Notice():
                return self._notice(what)
            case Choose():
                return self._choose(what)
            case SaveAgain():
                return self._save_again()
            case DiceRolled():
                return self._die_rolled(what)
            case ButtonPressed():
                return self._pressed(what)
            case RollChecked() | DeviceChanged() | DeviceHealth():
                return self._device(what)

    def _save_again(self) -> Told:
        before, receipt = self.view.trouble, self.journal.retry()
        if receipt.trouble and before:
            return Told(REFUSED, (receipt.trouble,), view=self.view)  # nothing has changed, so nobody is told
        return self._settle(receipt, self.view, ())

    # --- games ---

    def _start(self, start: Start) -> Told:
        if self.view.ledger and not self.view.ledger.outcome:
            if not start.instead:
                return self._no("game_runs")
            self._abandon("another game was begun")
        game = find_game(start.terms.get("game"))
        terms = terms_from_json(game, start.terms)
        ledger = open_ledger(game, terms, start.position, self.translate)
        kept = terms_to_json(terms)
        if start.position is not None:
            kept["position"] = start.position
        number = self.journal.start_game(kept)
        receipt = self.journal.append(Draft("started", HOST, {}, number))
        self._number = 0
        view = replace(self.view, game=number, ledger=ledger, held=(), last_roll=None, observed=None)
        return self._settle(receipt, view, (News(self._tell(say("started", game=game.title))), *self._prompts(ledger)))

    def _resume(self, number: int) -> Told:
        running = [g for g in self.journal.games() if g.state == "running"]
        if number:
            kept = next((g for g in self.journal.games() if g.id == number), None)
            if kept is None:
                raise BadInput(f"game: there is no game {number} in the journal")
        elif not running:
            return self._no("nothing_to_resume")
        else:
            kept = running[-1]
        ledger = replay(kept.terms, self.journal.events(kept.id), self.translate)
        if kept.state != "running":
            self.journal.reopen(kept.id)
        self._number = max((line.number for line in ledger.lines), default=0)
        taken = (entry.body.get("number", 0) for entry in self.journal.events(kept.id) if isinstance(entry.body, dict))
        self._number = max(self._number, *taken, 0)
        receipt = self.journal.append(Draft("resumed", HOST, {}, kept.id))
        view = replace(self.view, game=kept.id, ledger=ledger, held=(), observed=None)
        return self._settle(receipt, view, (News(self._tell(say("resumed", game=ledger.game.title))), *self._prompts(ledger)))

    def _abandon(self, why: str) -> Told:
        if not self.view.ledger:
            return self._no("no_game")
        self.journal.append(Draft("abandoned", HOST, {"why": why}, self.view.game))
        receipt = self.journal.abandon(self.view.game, why)
        return self._settle(receipt, replace(self.view, game=0, ledger=None, held=(), observed=None), (News(self._tell(say("abandoned"))),))

    # --- acts ---

    def _do(self, do: Do) -> Told:
        ledger = self.view.ledger
        if ledger is None:
            return self._no("no_game")
        together = isinstance(do.act, Agreed | Voted)  # several phones do these at once, and none of them hurts
        if do.seen is not None and do.seen != self.view.version and not together:
            return Told("stale", (self._tell(say("stale")),), view=self.view)
        if isinstance(do.act, Played) and isinstance(do.act.event, Roll):
            return self._rolled(do.act.event.dice, do.act.event.seat, do.source, {}, do.by)
        return self._apply(ledger, do.act, do.by, do.source)

    def _apply(
        self, ledger: Ledger, act: Act, by: str, source: str, first: tuple[Draft, ...] = (), last_roll: LastRoll | None = None
    ) -> Told:
        """Ask the ledger, write down act and answer, then tell."""
        answer = ledger.apply(act, self._number + 1, by)
        accepted = answer.status == ACCEPTED
        kind = NAMES[type(act)] if accepted else "refused"
        counted = accepted and len(answer.ledger.lines) > len(ledger.lines)  # an agreement or a pause is no move of the game
        body = {"number": self._number + counted} if accepted else {"act": NAMES[type(act)]}
        draft = Draft(kind, source, body | {"by": by} | act_to_json(act), self.view.game, ruling=answer.to_json())
        receipt = self.journal.append_all((*first, draft))
        was_over = bool(ledger.outcome)
        after = answer.ledger
        if accepted:
            self._number += counted
            receipt = self._keep_outcome(after, was_over, receipt)
            if answer.house_rule:
                receipt = self.journal.keep_house_rule(after.game.name, *answer.house_rule)
        view = replace(self.view, ledger=after, last_roll=last_roll or self.view.last_roll, held=())
        told = self._settle(receipt, view, self._news(act, answer, was_over), answer)
        if answer.then:
            self._apply(after, answer.then, HOST, "referee")
        return told

    def _keep_outcome(self, after: Ledger, was_over: bool, receipt: Receipt) -> Receipt:
        outcome = after.outcome
        if outcome and not was_over:
            result = {"winners": list(outcome.winners), "why": self._outcome_text(after)}
            return self.journal.finish(self.view.game, result | {"scores": dict(outcome.scores), "rules": list(outcome.rules)})
        if was_over and not outcome:
            return self.journal.reopen(self.view.game)
        return receipt

    # --- what a camera sees ---

    def _do_all(self, do: DoAll) -> Told:
        told = Told(ACCEPTED, view=self.view)
        for number, (by, act) in enumerate(do.acts):
            told = self._do(Do(act, by, do.source, do.seen if number == 0 else None))
            if told.status != ACCEPTED:
                break
        return told

    def _notice(self, notice: Notice) -> Told:
        """Shown and said, but no act: nobody's next move becomes stale by it, and the journal need not know."""
        self.view = replace(self.view, observed=notice.observed)
        observed = notice.observed
        self._publish(*((News(observed.text, notice.urgency, SEEN),) if observed and observed.text else ()))
        return Told(ACCEPTED, view=self.view)

    def _choose(self, choose: Choose) -> Told:
        observed = self.view.observed
        if observed is None or observed.text != choose.text or not 0 <= choose.choice < len(observed.choices):
            return Told("stale", (self._tell(say("stale")),), view=self.view)
        acts = observed.choices[choose.choice].acts
        if choose.by != HOST and any(by != choose.by for by, _ in acts):
            return self._no("not_yours_to_answer")
        told = self._do_all(DoAll(acts, choose.source))
        if told.status == ACCEPTED:
            self._notice(Notice(None))
        return replace(told, view=self.view)

    # --- dice ---

    def _rolled(self, faces: tuple[int, ...], seat: str, source: str, details: dict[str, Any], by: str = HOST) -> Told:
        """A roll counts only when it is due, from that seat and with so many dice; any other is shown and logged."""
        ledger = self.view.ledger
        roll = Draft(ROLLED, source, {"roll": list(faces), **details}, self.view.game or None)
        if ledger is None:
            return self._only_shown(roll, LastRoll(faces, source, seat, False))
        whole = (*self.view.held, *faces)
        due = ledger.seat_to_roll(len(whole), seat) or ledger.seat_to_roll(len(faces), seat)
        if due:
            dice = whole if ledger.seat_to_roll(len(whole), seat) else faces
            return self._count(ledger, Roll(due, dice), by, source, roll)
        more = [d for d in ledger.due if d.what == "roll" and len(d.dice) > len(whole) and seat in ("", d.seat)]
        if more and not ledger.paused:
            receipt = self.journal.append(roll)
            news = News(self._tell(say("one_more_die", seat=self._name(more[0].seat), faces=whole)), kind=ROLL)
            shown = LastRoll(faces, source, more[0].seat, True)
            return self._settle(receipt, replace(self.view, held=whole, last_roll=shown), (news,))
        why = self._tell(self._why_not(ledger, len(faces), seat))
        return self._only_shown(roll, LastRoll(faces, source, seat, False, why), News(why, CHATTY, ROLL))

    def _count(self, ledger: Ledger, roll: Roll, by: str, source: str, draft: Draft) -> Told:
        shown = LastRoll(roll.dice, source, roll.seat, True)
        return self._apply(ledger, Played(roll), by, source, (draft,), shown)

    def _why_not(self, ledger: Ledger, dice: int, seat: str) -> Say:
        if ledger.paused:
            return say("roll_paused")
        rolls = [d for d in ledger.due if d.what == "roll"]
        if not rolls:
            return say("roll_not_due")
        if seat and seat not in {d.seat for d in rolls}:
            return say("roll_of_another", seat=self._name(rolls[0].seat))
        return say("roll_other_dice", count=len(rolls[0].dice), dice=dice)

    def _only_shown(self, draft: Draft, shown: LastRoll, *news: News) -> Told:
        receipt = self.journal.append(draft)
        told = self._settle(receipt, replace(self.view, last_roll=shown), news or (News(self._roll_text(shown), kind=ROLL),))
        return replace(told, status=REFUSED, why=(shown.why_not,)) if shown.why_not else told

    def _die_rolled(self, event: DiceRolled) -> Told:
        if event.key in self._known_rolls:  # offered again after a restart: it is in the journal already
            event.confirm()
            return Told(ACCEPTED, view=self.view)
        seat = event.cause if self.view.ledger and event.cause in self.view.ledger.terms.seats else ""
        told = self._rolled(event.faces, seat, f"die:{event.source}", {"key": list(event.key), "sides": event.sides})
        self._know(event.key)
        event.confirm()
        return told

    def _know(self, key: tuple[str, int, int]) -> None:
        self._known_rolls[key] = None
        if len(self._known_rolls) > REMEMBERED_ROLLS:
            del self._known_rolls[next(iter(self._known_rolls))]

    def _remember_rolls(self) -> None:
        for entry in self.journal.all_events(kind=ROLLED)[-REMEMBERED_ROLLS:]:
            key = entry.body.get("key") if isinstance(entry.body, dict) else None
            if isinstance(key, list) and len(key) == 3:
                self._know((str(key[0]), int(key[1]), int(key[2])))

    # --- buttons and devices ---

    def _pressed(self, event: ButtonPressed) -> Told:
        event.confirm()
        ledger = self.view.ledger
        if event.button == "repeat":
            self._publish(News("", URGENT))  # an empty sentence asks the voice to repeat
        elif ledger and event.button == "ready":
            for move in ledger.legal_moves():
                if move.do == "ready" and self.view.ledger:
                    self._apply(self.view.ledger, Played(move), move.seat, f"gpio:{event.source}")
        elif ledger and event.button == "take_back" and ledger.lines:
            last = ledger.lines[-1]
            return self._apply(ledger, TookBack(last.number), last.by, f"gpio:{event.source}")
        elif ledger and event.button == "pause":
            return self._apply(ledger, Paused(not ledger.paused), HOST, f"gpio:{event.source}")
        return Told(ACCEPTED, view=self.view)

    def _device(self, event: RollChecked | DeviceChanged | DeviceHealth) -> Told:
        if isinstance(event, RollChecked):
            body = {"key": list(event.key), "verdict": event.verdict, "commitment": event.commitment.hex(),
                    "nonce": event.nonce.hex(), "secret": event.secret.hex()}  # fmt: skip
            receipt = self.journal.append(Draft("roll_checked", f"die:{event.source}", body))
            event.confirm()
            news = (
                (News(self._tell(say("roll_failed", source=event.source)), URGENT, DEVICE),) if event.verdict == "failed" else ()
            )
            return self._settle(receipt, self.view, news)
        if isinstance(event, DeviceChanged):
            event.confirm()
            others = tuple(d for d in self.view.devices if d[0] != (event.source or event.port))
            self.view = replace(self.view, devices=(*others, (event.source or event.port, str(event))))
            self._publish(News(str(event), URGENT if event.state != "linked" else CHATTY, DEVICE))
        return Told(ACCEPTED, view=self.view)

    # --- telling ---

    def _settle(self, receipt: Receipt, view: View, news: tuple[News, ...], answer: Answer | None = None) -> Told:
        """Durable or said not to be: only now anybody hears of it."""
        if receipt.trouble and not self.view.trouble:
            news = (News(self._tell(say("not_saved", why=receipt.trouble)), URGENT), *news)
        elif self.view.trouble and not receipt.trouble:
            news = (News(self._tell(say("saved_again"))), *news)
        self.view = replace(view, version=max(receipt.sequence, self.view.version + 1), trouble=receipt.trouble)
        self._publish(*news)
        if answer is None:
            return Told(ACCEPTED, said=tuple(n.text for n in news), view=self.view)
        return Told(answer.status, answer.why, answer.said, answer.citations, answer, self.view)

    def _publish(self, *news: News) -> None:
        for subscriber in self._subscribers:
            try:
                subscriber(self.view, news)
            except Exception:  # a broken screen or voice must never stop the game
                log.exception("a subscriber failed")

    def _news(self, act: Act, answer: Answer, was_over: bool) -> tuple[News, ...]:
        if answer.status != ACCEPTED:
            book = answer.ledger.game.rulebook
            rules = (News(book.text(id), CHATTY, RULE) for id in answer.citations)
            return (*(News(text, URGENT, RULING) for text in answer.why), *rules)
        news = []
        rolled = isinstance(act, Played) and isinstance(act.event, Roll)
        if isinstance(act, Played) and isinstance(act.event, Roll) and not answer.said:
            news.append(News(self._roll_text(LastRoll(act.event.dice, "", act.event.seat, True)), kind=ROLL))
        news += [News(text, kind=ROLL if rolled else EVENT) for text in answer.said]  # the game's own words for the roll
        if answer.ledger.outcome is None:
            news += self._prompts(answer.ledger)
        elif not was_over:
            ending = self._outcome_text(answer.ledger)
            news = [*(n for n in news if n.text != ending), News(ending, URGENT)]
        return tuple(news)

    def _outcome_text(self, ledger: Ledger) -> str:
        """How the game ended: most moves say it themselves, but a player who leaves may hand the victory to somebody too."""
        assert ledger.outcome
        return ledger.game.words.tell(ledger.outcome.why, self.translate)

    def _prompts(self, ledger: Ledger) -> tuple[News, ...]:
        if ledger.must_agree:
            return (News(self._tell(say("please_agree", seats=[self._name(s, ledger) for s in ledger.must_agree])), kind=PROMPT),)
        prompts = [d for d in ledger.due if not d.optional]
        return tuple(News(ledger.game.words.tell(d.say, self.translate), CHATTY, PROMPT) for d in prompts[:3])

    def _roll_text(self, roll: LastRoll) -> str:
        if not roll.seat:
            return self._tell(say("dice_show", faces=roll.faces))
        return self._tell(say("rolled", seat=self._name(roll.seat), faces=roll.faces))

    def _name(self, seat: str, ledger: Ledger | None = None) -> str:
        ledger = ledger or self.view.ledger
        return ledger.game.words.name(seat, self.translate) if ledger else seat

    def _tell(self, what: Say) -> str:
        return WORDS.tell(what, self.translate)

    def _no(self, key: str) -> Told:
        return Told(REFUSED, (self._tell(say(key)),), view=self.view)


def replay(terms: dict[str, Any], entries: list[Entry], translate: Translate = str) -> Ledger:
    """A game of the journal again: its terms, and every act that was accepted."""
    game = find_game(terms.get("game"))
    position = terms.get("position")
    ledger = open_ledger(game, terms_from_json(game, terms), position, translate)
    forms = game.forms(ledger.terms)
    for entry in entries:
        if entry.kind not in KINDS:
            continue
        body = dict(entry.body)
        number, by = body.pop("number"), body.pop("by")
        act = act_from_json(entry.kind, body, ledger.terms.seats, forms)
        answer = ledger.apply(act, number, by)
        if answer.status != ACCEPTED:
            raise BadInput(
                f"journal: act {number} of this game was accepted then and is {answer.status} now: {' '.join(answer.why)}"
            )
        ledger = answer.ledger
    return ledger
