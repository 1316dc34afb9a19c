"""The player's own boards and unfinished drafts, as files in one folder. What others send is read as if it were meant to harm.

A board file is the same JSON as a built-in board's, with `picture` beside it: {"jpeg": base64} of the empty board, laid flat,
its corners the picture's. A draft is a folder with `draft.json` and its pictures.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import os
import re
import secrets
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

from companion.board import BadBoard, Board, board_from_json, board_to_json
from companion.config import state_folder
from companion.events import BadInput, brief
from companion.games import find_game
from companion.mapping.build import STANDING
from companion.mapping.draft import MOST_STEPS, VERSION, Step, checked_step
from companion.mapping.palette import palette_of
from companion.mapping.picture import picture_size

MOST_FILE = 3_000_000
MOST_REFERENCE = 1_500_000
MOST_BOARDS, MOST_DRAFTS = 60, 20
MOST_PICTURE = 4_000_000  # of a draft's picture, as the eye has coded it again
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
_KEPT = ("game", "name", "title", "standing", "size_mm", "art", "notes", "spaces", "picture")


def boards_folder() -> Path:
    return state_folder() / "boards"


class OwnBoards:
    """The boards of this house. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.RLock()

    # --- boards ---

    def all(self) -> dict[str, Board]:
        """Every board that can still be read, by name; a file that cannot is left alone."""
        out = {}
        for path in sorted(self.folder.glob("*.json"))[:MOST_BOARDS]:
            with contextlib.suppress(BadInput):
                out[path.stem] = self._read(path)[0]
        return out

    def of_game(self, game: str) -> dict[str, Board]:
        return {name: board for name, board in self.all().items() if board.game == game}

    def board(self, name: str) -> Board | None:
        path = self._path(name)
        return self._read(path)[0] if path and path.exists() else None

    def file(self, name: str) -> bytes | None:
        """The board as one file, to be shared."""
        path = self._path(name)
        return path.read_bytes() if path and path.exists() else None

    def picture(self, name: str) -> bytes | None:
        path = self._path(name)
        return self._read(path)[1] if path and path.exists() else None

    def picture_of(self, board: Board) -> bytes:
        """The reference picture of just this board; empty when it has none, or was changed since."""
        path = self._path(board.name)
        with contextlib.suppress(BadInput):
            known, picture = self._read(path) if path and path.exists() else (None, b"")
            if known == board:
                return picture
        return b""

    def keep(self, board: Board, picture: bytes = b"", instead_of: str = "") -> str:
        """Save a board that can be played on; its name in this house comes from its title."""
        with self._lock:
            find_game(board.game).board(board)
            before = self._path(instead_of)
            is_new = before is None or not before.exists()
            if is_new and len(list(self.folder.glob("*.json"))) >= MOST_BOARDS:
                raise BadInput(f"boards: there are {MOST_BOARDS} already; delete some first")
            name = self._free_name(board) if is_new else instead_of
            data: dict[str, Any] = board_to_json(board) | {"name": name}
            if picture:
                data["picture"] = {"jpeg": base64.b64encode(picture).decode("ascii")}
            coded = _readable(data).encode()
            read_shared(coded)  # what cannot be read again is not kept
            self._write(self.folder / f"{name}.json", coded)
            return name

    def bring_in(self, data: bytes) -> str:
        """A board file that somebody sent. Everything in it is checked; nothing but what a board file holds is kept."""
        board, picture = read_shared(data)
        for name, known in self.all().items():
            if known.digest == board_from_json(board_to_json(board) | {"name": name}).digest:
                return name  # the same board came before
        return self.keep(board, picture)

    def delete(self, name: str) -> None:
        path = self._path(name)
        if path is None or not path.exists():
            raise BadInput(f"board: {brief(name)} is not here")
        path.unlink()

    def _free_name(self, board: Board) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", board.title.lower()).strip("-")[:30].strip("-") or "board"
        taken = {path.stem for path in self.folder.glob("*.json")} | set(find_game(board.game).boards())
        return next(name for name in (slug, *(f"{slug}-{n}" for n in range(2, MOST_BOARDS + 3))) if name not in taken)

    def _path(self, name: str) -> Path | None:
        return self.folder / f"{name}.json" if _NAME.fullmatch(name) else None

    def _read(self, path: Path) -> tuple[Board, bytes]:
        try:
            if path.stat().st_size > MOST_FILE:
                raise BadBoard([f"{path.name} is larger than {MOST_FILE // 1_000_000} MB"])
            return read_shared(path.read_bytes())
        except OSError as error:
            raise BadBoard([f"{path.name} cannot be read ({error.__class__.__name__})"]) from error

    def _write(self, path: Path, data: bytes) -> None:
        """Whole or not at all."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            Path(temporary).replace(path)
        except OSError as error:
            raise BadInput(f"The board could not be saved ({error.strerror}). Is the disk full?") from error

    # --- drafts ---

    def drafts(self) -> dict[str, dict[str, Any]]:
        found = {}
        for path in sorted((self.folder / "drafts").glob("*/draft.json"), key=lambda p: p.parent.name):
            with contextlib.suppress(BadInput):
                found[path.parent.name] = self.draft(path.parent.name)
        return found

    def draft(self, id: str) -> dict[str, Any]:
        """`{game, steps}` of an unfinished board; a damaged one keeps the steps that are in order."""
        path = self._draft(id) / "draft.json"
        try:
            data = json.loads(path.read_text("utf-8"))
            game = find_game(data["game"])
            if data["version"] != VERSION or not isinstance(data["steps"], list):
                raise ValueError
        except FileNotFoundError as error:
            raise BadInput(f"draft: {brief(id)} is not here; begin a new one") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(f"draft: {brief(id)} cannot be read any more; begin a new one") from error
        palette, steps = palette_of(game), list[Step]()
        for step in data["steps"][:MOST_STEPS]:
            with contextlib.suppress(BadInput):
                steps.append(checked_step(step, palette))
        return {"game": game.name, "steps": steps, "saved": str(data.get("saved", ""))}

    def begin(self, game: str) -> str:
        with self._lock:
            if len(list((self.folder / "drafts").glob("*"))) >= MOST_DRAFTS:  # damaged ones count too
                raise BadInput(f"draft: {MOST_DRAFTS} boards are unfinished; finish or forget one first")
            id = secrets.token_hex(4)
            self.write_draft(id, game, [])
            return id

    def write_draft(self, id: str, game: str, steps: list[Step], saved: str = "") -> None:
        if len(steps) > MOST_STEPS:
            raise BadInput(f"step: {MOST_STEPS} steps are enough for any board; save it, or begin anew")
        data = {"version": VERSION, "game": game, "steps": steps, "saved": saved}
        with self._lock:
            self._write(self._draft(id) / "draft.json", json.dumps(data).encode())

    def forget(self, id: str) -> None:
        shutil.rmtree(self._draft(id), ignore_errors=True)

    def put_picture(self, id: str, name: str, data: bytes) -> None:
        if len(data) > MOST_PICTURE:
            raise BadInput("picture: it shows too much detail to be kept; take it with a lower resolution")
        self._write(self._draft(id) / f"{name}.jpg", data)

    def get_picture(self, id: str, name: str) -> bytes | None:
        path = self._draft(id) / f"{name}.jpg"
        return path.read_bytes() if path.exists() else None

    def _draft(self, id: str) -> Path:
        if not re.fullmatch(r"[0-9a-f]{8}", id):
            raise BadInput(f"draft: {brief(id)} is not here; begin a new one")
        return self.folder / "drafts" / id


def read_shared(data: bytes) -> tuple[Board, bytes]:
    """A board and its picture from a file of unknown origin."""
    if len(data) > MOST_FILE:
        raise BadBoard([f"the file is larger than {MOST_FILE // 1_000_000} MB; a board file is smaller"])
    try:
        content = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadBoard(["this is not a board file: choose a file that was shared from a companion"]) from error
    if not isinstance(content, dict):
        raise BadBoard(["this is not a board file: it must hold one object"])
    picture = _picture(content.get("picture"))
    content = {key: content[key] for key in _KEPT if key in content and key != "picture"}
    if isinstance(content.get("spaces"), list) and content.get("standing") != STANDING:
        # Only our own boards may claim to be the leaflet's.
        content["standing"] = STANDING
        content["spaces"] = [{**s, "standing": STANDING} if isinstance(s, dict) else s for s in content["spaces"]]
    board = board_from_json(content)
    return find_game(board.game).board(board), picture


def _no_number(text: str) -> float:
    raise ValueError(text)


def _picture(value: object) -> bytes:
    if value is None:
        return b""
    coded = value.get("jpeg") if isinstance(value, dict) else None
    if not isinstance(coded, str) or len(coded) > MOST_REFERENCE * 4 // 3 + 4:
        raise BadBoard(["its picture must be a small JPEG"])
    try:
        data = base64.b64decode(coded, validate=True)
        picture_size(data)
    except (binascii.Error, ValueError, BadInput) as error:
        raise BadBoard([f"its picture cannot be used ({error})"]) from error
    if not data.startswith(b"\xff\xd8"):
        raise BadBoard(["its picture must be a JPEG"])
    return data


def _readable(data: dict[str, Any]) -> str:
    """One line a space, the picture last: a person can read and compare it."""
    head = {key: value for key, value in data.items() if key not in ("spaces", "picture")}
    text = json.dumps(head, indent=1, ensure_ascii=False)[:-2]
    spaces = ",\n  ".join(json.dumps(space, ensure_ascii=False) for space in data["spaces"])
    tail = f',\n "picture": {json.dumps(data["picture"])}' if "picture" in data else ""
    return f'{text},\n "spaces": [\n  {spaces}\n ]{tail}\n}}\n'
