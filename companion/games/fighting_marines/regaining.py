"""Lost men come back: by exchange, man for man, or by ransom (FM-31 to FM-37).

In both acts `piece` is the man regained, `start` the seat that holds him and `to` where he goes; the `detail` of an exchange is
the captive given for him. The holder is not asked: he must accept (FM-36).
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Move
from companion.games.fighting_marines.act import NOT_YOURS, Act, Check, Done
from companion.games.fighting_marines.ground import COLOUR, PRICE, RANK
from companion.games.fighting_marines.purse import pay
from companion.games.fighting_marines.state import (
    Captive,
    Debt,
    State,
    given_back,
    held_by,
    lost_by,
    playing,
    purse_of,
    purses_to_ask,
    put,
    vacant_circles,
    waiting_places,
    with_purses,
)
from companion.words import Say, say

# --- the man who comes back, and his place ---


def held(state: State, move: Move) -> list[Captive]:
    """The captives whom the move may mean, the latest captured first."""
    return [c for c in sorted(state.captives, key=lambda c: -c.since) if c.man == move.piece and c.holder == move.start]


def is_not_held_there(state: State, move: Move) -> bool:  # FM-32, FM-34
    return not held(state, move)


def is_too_late(state: State, move: Move) -> bool:  # FM-A23
    return state.ground.regain_in_same_stop and any(c.since != state.stop for c in held(state, move)[:1])


def is_no_place_of_his(state: State, move: Move) -> bool:  # FM-37, FM-A38
    ground, to, colour = state.ground, state.ground.index[move.to], COLOUR[move.piece]
    return to not in ground.circles[colour] and to not in ground.insignia[colour]


def is_taken(state: State, move: Move) -> bool:  # FM-38
    return bool(state.men[state.ground.index[move.to]])


def a_circle_is_vacant(state: State, move: Move) -> bool:  # FM-37
    colour = COLOUR[move.piece]
    return state.ground.index[move.to] in state.ground.insignia[colour] and bool(vacant_circles(state, colour))


def has_nowhere_to_wait(state: State, move: Move) -> bool:  # FM-A22
    return state.ground.no_waiting_in_corner and not vacant_circles(state, COLOUR[move.piece])


def comes_back(rule: str) -> tuple[Check, ...]:
    return (
        NOT_YOURS,
        Check((rule,), is_not_held_there, "not_held_there"),
        Check(("FM-A23",), is_too_late, "too_late"),
        Check(("FM-37", "FM-A38"), is_no_place_of_his, "no_place_of_his"),
        Check(("FM-38",), is_taken, "circle_occupied"),
        Check(("FM-37",), a_circle_is_vacant, "circle_vacant"),
        Check(("FM-A22",), has_nowhere_to_wait, "nowhere_to_wait"),
    )


def regained(state: State, captive: Captive, to: int) -> State:
    captives = list(state.captives)
    captives.remove(captive)
    in_circle = to in state.ground.circles[COLOUR[captive.man]]
    return state._replace(
        captives=tuple(captives), men=put(state.men, captive.man, to), fresh=state.fresh | {to} if in_circle else state.fresh
    )


def concerned(state: State, holder: str) -> tuple[str, ...]:
    """The holder is asked again if he misses men himself: what he got may help him to regain them."""
    return (holder,) if lost_by(state, holder) else ()


# --- exchange ---


def has_none_to_give(state: State, move: Move) -> bool:  # FM-32
    return not any(c.man == move.detail for c in held_by(state, move.seat))


def is_of_another_rank(state: State, move: Move) -> bool:  # FM-33
    return RANK[move.piece] != RANK[move.detail]


def exchanges(state: State, seat: str) -> Iterator[Move]:
    ids = state.ground.ids
    given = dict.fromkeys(c.man for c in held_by(state, seat))
    for man, holder in dict.fromkeys((c.man, c.holder) for c in lost_by(state, seat)):
        for to in waiting_places(state, COLOUR[man]):
            for other in given:
                yield Move(seat, "exchange", man, holder, ids[to], other)


def exchange(state: State, move: Move) -> Done:
    ground = state.ground
    given = next(c for c in held_by(state, move.seat) if c.man == move.detail)
    after = regained(state, held(state, move)[0], ground.index[move.to])
    captives = list(after.captives)
    captives.remove(given)
    owner = ground.owner_of[given.man]
    rules = ["FM-31", "FM-32", "FM-33", "FM-36", "FM-37"]
    if owner == move.start:
        after = given_back(after._replace(captives=tuple(captives)), given.man)
    else:  # the receiver holds him now, with the same duties
        captives.append(given._replace(holder=move.start))
        after = after._replace(captives=tuple(sorted(captives)))
        rules.append("FM-A25")
    said = say("exchanged", seat=move.seat, piece=move.piece, holder=move.start, given=move.detail)
    return Done(after, (said,), tuple(rules), (owner, *concerned(after, move.start)))


EXCHANGE = Act(
    exchanges,
    (
        *comes_back("FM-32"),
        Check(("FM-32",), has_none_to_give, "none_to_give"),
        Check(("FM-33",), is_of_another_rank, "wrong_rank"),
    ),
    exchange,
)


# --- ransom ---


def can_exchange_instead(state: State, move: Move) -> bool:  # FM-34, FM-A17
    when, own = state.ground.ransom_when, held_by(state, move.seat)
    if when == "always":
        return False
    return any(when == "holds_nothing" or RANK[c.man] == RANK[move.piece] for c in own)


def can_pay(state: State, seat: str, amount: int) -> bool:
    purse = purse_of(state, seat)
    return (purse.chips if state.ground.pays_in_chips else purse.value) >= amount


def is_broke(state: State, move: Move) -> bool:  # FM-35, FM-A18
    if can_pay(state, move.seat, PRICE[RANK[move.piece]]) or state.ground.credit:
        return False
    return not any(is_free_by_now(state, captive) for captive in held(state, move))


def is_free_by_now(state: State, captive: Captive) -> bool:  # FM-A18, free_after_round
    return state.ground.free_after_round and state.stop - captive.since >= len(playing(state))


def ransoms(state: State, seat: str) -> Iterator[Move]:
    for man, holder in dict.fromkeys((c.man, c.holder) for c in lost_by(state, seat)):
        for to in waiting_places(state, COLOUR[man]):
            yield Move(seat, "ransom", man, holder, state.ground.ids[to])


def ransom(state: State, move: Move) -> Done:
    price, captives = PRICE[RANK[move.piece]], held(state, move)
    to = state.ground.index[move.to]
    rules = ("FM-31", "FM-34", "FM-36", "FM-37")
    values = {"seat": move.seat, "piece": move.piece, "holder": move.start, "price": price}
    if can_pay(state, move.seat, price):
        after, said, paying = handed_over(regained(state, captives[0], to), move.seat, move.start, price)
        after, settled = with_debts_paid(after, move.start)
        return Done(after, (say("ransomed", **values), *said, *settled), (*rules, "FM-35", *paying), concerned(after, move.start))
    if state.ground.credit:
        after = regained(state, captives[0], to)
        after = after._replace(debts=(*after.debts, Debt(move.seat, move.start, price)))
        return Done(after, (say("ransomed_on_credit", **values),), (*rules, "FM-35", "FM-A18"), concerned(after, move.start))
    after = regained(state, captives[-1], to)
    return Done(after, (say("freed", **values),), (*rules, "FM-A18"), concerned(after, move.start))


RANSOM = Act(
    ransoms,
    (
        *comes_back("FM-34"),
        Check(("FM-34", "FM-A17"), can_exchange_instead, "exchange_instead"),
        Check(("FM-35", "FM-A18"), is_broke, "cannot_pay"),
    ),
    ransom,
)


# --- chips ---


def handed_over(state: State, payer: str, payee: str, amount: int) -> tuple[State, tuple[Say, ...], tuple[str, ...]]:
    """Pay, in value with change, or in chips (FM-07, FM-12, FM-A16)."""
    in_chips = state.ground.pays_in_chips
    paid = pay(purses_to_ask(state, payee), payer, payee, amount, in_chips=in_chips)
    after = with_purses(state, paid.purses)
    if in_chips:
        return after, (), ("FM-A16",)
    if paid.changed:
        return after, (say("changed", seat=payer),), ("FM-07", "FM-12")
    return after, (), ("FM-07",)


def with_debts_paid(state: State, seat: str) -> tuple[State, tuple[Say, ...]]:
    """Whoever owes a ransom pays it from the next chips he gets, as far as they go (FM-A18, credit)."""
    said: tuple[Say, ...] = ()
    left: list[Debt] = []
    for debt in state.debts:
        purse = purse_of(state, seat)
        amount = min(debt.amount, purse.chips if state.ground.pays_in_chips else purse.value) if debt.debtor == seat else 0
        if amount:
            state, _, _ = handed_over(state, seat, debt.creditor, amount)
            said = (*said, say("debt_paid", seat=seat, creditor=debt.creditor, amount=amount))
        if amount < debt.amount:
            left.append(debt._replace(amount=debt.amount - amount))
    return state._replace(debts=tuple(left)), said
