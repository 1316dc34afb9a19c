"""companion run and companion announce: the table in the evening."""

from __future__ import annotations

import importlib.util
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.draughtsman import find_draughtsman
from companion.cli.stand_ins import RENDERED, look_round, players_at, say_all, seats_of_guests, without_pins
from companion.config import Config, load_config, state_folder
from companion.console import Console
from companion.devices import Devices
from companion.dice.events import DeviceChanged, DeviceHealth, DiceEvent, DiceRolled
from companion.dice.serial_port import find_ports
from companion.dice.typed import TypedRollError, parse_roll
from companion.events import BadInput
from companion.games import find_game
from companion.journal import Journal, JournalUnavailable
from companion.languages import language
from companion.mapping.store import OwnBoards, boards_folder
from companion.news import URGENT, News, View
from companion.service import RoundTrip, Service, camera_answers, pages_answer, table_answers
from companion.table import Resume, Table
from companion.table_words import WORDS
from companion.voice import Voice, find_engine, find_player

if TYPE_CHECKING:
    from companion.demonstration.players import Players
    from vision.at_table import CameraAtTable

config_option = click.option(
    "--config", "config_file", default="", metavar="FILE", help="Another settings file than the usual one."
)


def settings(file: str) -> Config:
    return load_config(Path(file) if file else None)


def open_journal(path: Path) -> Journal:
    """The journal, or one in memory that says with every receipt that nothing is saved: the game goes on either way."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Journal.open(path)
    except (JournalUnavailable, OSError) as error:
        click.secho(f"{error} Nothing will be saved.", fg="red", err=True)
        return Journal.without_file()


def make_voice(config: Config) -> Voice:
    words = language(config["table", "language"])
    engine = find_engine(words, config["voice", "piper_voice"], config["voice", "engine"])
    return Voice(engine, find_player(), config["voice", "verbosity"], words)


@click.command()
@config_option
@click.option("--journal", "journal_file", default="", metavar="FILE", help="Another journal than the usual one.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the pages (default: from the settings).")
@click.option("--web/--no-web", "web", default=None, help="Serve pages for phones and TV, or only this keyboard.")
@click.option("--emulated-die", is_flag=True, help="Run the die's real firmware in its emulator and use it as a die.")
@click.option(
    "--camera", "source", default="", metavar="SOURCE", help="Let a camera watch the board (see: companion camera --help)."
)
@click.option("--stand-ins", is_flag=True, help="For each device that is not here take a stand-in: a rendered table, an emulated die.")
@click.option("--demo", default=None, metavar="GAME", help="Begin with a demonstration evening of GAME: computer players, a rendered table.")
@click.option("--pace", type=click.FloatRange(0.2, 10), default=1.0, help="How fast the computer players are (2: twice).")
def run(
    config_file: str, journal_file: str, port: int | None, web: bool | None, emulated_die: bool, source: str, stand_ins: bool,
    demo: str | None, pace: float,
) -> None:  # fmt: skip
    """The referee of the evening: electronic dice, buttons, voice, a camera, pages for phones, and this keyboard.

    An unfinished game goes on where it stopped. Type 'help' for what can be typed.

    \b
    Examples:  companion run
               companion run --port 8080 --emulated-die
               companion run --no-web
               companion run --camera 0
               companion run --stand-ins
               companion run --demo siege
    """
    config = settings(config_file)
    if demo is not None:
        find_game(demo)
        source = source or RENDERED
    path = Path(journal_file) if journal_file else config.journal
    journal = open_journal(path)
    for notice in journal.notices:
        click.secho(notice, fg="yellow")
    with ExitStack() as evening:
        for ending in ENDINGS:
            evening.callback(signal.signal, ending, signal.signal(ending, stop))
        evening.callback(click.echo, "The table is closed.")
        voice = evening.enter_context(make_voice(config))
        table = evening.enter_context(Table(journal, language(config["table", "language"])))
        throw: Throw = simulated_throw
        if stand_ins:
            found = look_round(config, source, emulated_die, voice)
            source, emulated_die, config = found.camera, found.emulate_die, without_pins(config)
            say_all(found.lines)
        if emulated_die and (die := emulator(must=not stand_ins)):
            evening.enter_context(die)
            config = replace(config, values=config.values | {("dice", "ports"): [*config["dice", "ports"], die.path]})
            throw = partial(tap, die)
        devices = evening.enter_context(Devices(config, table.put))
        for hear in (show_news, voice.hear, devices.follow):
            table.subscribe(hear)
        served = config["web", "on"] if web is None else web
        rounds = [table_answers(table)]
        camera = None
        players = None
        if source := source or config["camera", "source"]:
            camera = watch_with(evening, table, source, path.parent, config["camera", "pictures_mb"], pace)
            rounds.append(camera_answers(camera.look_now))
            if source.startswith(RENDERED) and camera.eye:
                own_die = bool(config["dice", "ports"] or find_ports()) and not emulated_die
                players = players_at(evening, table, camera.eye, throw, own_die, pace)
        if served:
            rounds.append(serve(evening, table, voice, config, path, port, throw, camera, players))
        if any(g.state == "running" for g in journal.games()):
            table.ask(Resume()).result()
            if demo is not None and players:
                players.join()
        elif demo is not None and players:
            players.begin(demo)
        else:
            click.echo("Type 'start GAME' to begin, 'help' for more.")
        if not emulated_die and not stand_ins and shutil.which("avr-gcc"):
            click.echo(
                "No die at hand? 'throw' and the phones throw for you; 'companion run --emulated-die' runs the real firmware."
            )
        evening.enter_context(Service(rounds))
        keyboard(Console(table, throw))
        if served and not (sys.stdin and sys.stdin.isatty()):  # a service has no keyboard: it ends when it is told to
            threading.Event().wait()


ENDINGS = (signal.SIGTERM, signal.SIGINT)


def stop(*_: object) -> None:
    """SIGTERM or Ctrl-C: leaves every `with` of the evening in order, so that all is saved. Told twice, it does not stop in the middle of that."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    sys.exit(0)


def keyboard(console: Console) -> None:
    """Take lines until 'quit' or the end."""
    for line in sys.stdin or ():
        if line.strip() in ("quit", "exit"):
            sys.exit(0)
        for text in console.line(line):
            click.echo(text)


def watch_with(evening: ExitStack, table: Table, source: str, folder: Path, megabytes: int, pace: float = 1.0) -> CameraAtTable:
    """A camera watches the table, in a process of its own; the game goes on without it whenever it cannot."""
    from vision.at_table import CameraAtTable
    from vision.pictures import Pictures
    from vision.process import EyeProcess

    kept = folder / "pictures"
    given = {"source": source, "calibrations": str(state_folder() / "calibrations"), "most_bytes": megabytes * 1_000_000, "speed": pace}
    rendered = source.startswith(RENDERED)
    factory = "vision.rendered.stage:from_settings" if rendered else "vision.lookout:from_settings"
    pictures = Pictures(kept, megabytes * 1_000_000) if megabytes else None
    camera = CameraAtTable(table, pictures=pictures)
    eye = EyeProcess(factory, given | ({"pictures": str(kept)} if megabytes else {}), camera.hear)
    camera.eye = eye
    table.subscribe(camera.follow)
    eye.start()
    evening.callback(eye.stop)
    camera.start()
    evening.callback(camera.stop)
    if not rendered:
        click.echo(f"Camera {source}: it will watch the board. A board that it does not know yet is taught by `companion calibrate`.")
    return camera


def serve(
    evening: ExitStack, table: Table, voice: Voice, config: Config, journal: Path, port: int | None, throw: Throw,
    camera: CameraAtTable | None = None, players: Players | None = None,
) -> RoundTrip:  # fmt: skip
    """Start the pages and tell how to reach them; what comes back asks whether they still answer."""
    from web.server import Server  # late, so that `companion check` starts without a web server

    given, wanted = (config["web", "certificate"], config["web", "key"]), port or config["web", "port"]
    if any(given) and not all(given):
        raise BadInput("web.certificate and web.key: HTTPS needs both, or none")
    server = Server(
        table, port=wanted, voice=voice, guests_file=journal.with_suffix(".guests"),
        names=config["web", "names"], certificate=given if all(given) else None, throw=throw,
    )  # fmt: skip
    server.room.config, server.room.camera, server.room.demonstration = config, camera, players
    if players:
        players.humans, players.changed = seats_of_guests(server.room.access), server.room.hub.refresh
    server.room.boards = OwnBoards(boards_folder())
    server.room.draughtsman = find_draughtsman()
    evening.enter_context(server)
    if camera:
        evening.callback(camera.release)  # before the pages stop: nobody's page then waits for a picture
    access, shown = server.room.access, [server.room.access.host_code]

    def new_code() -> None:
        """A host's code is used up by one use; the next one is shown here, on the TV page and to hosts."""
        if access.host_code != shown[0]:
            shown[0] = access.host_code
            click.echo(f"The next host's code is {shown[0]}.")

    access.listen(new_code)
    if server.port != wanted:
        why = "another program has it, or it is not allowed here"
        click.secho(f"Port {wanted} is not to be had: {why}. The pages are at port {server.port}.", fg="yellow")
    click.echo(server.room.qr_text())
    click.echo("1. Scan the code with a phone, or open " + server.room.join_url)
    click.echo(f"2. On your own phone, tap Host and type the code {access.host_code}")
    if voice and not any(guest.is_host for guest in access.guests()):  # a box without a screen has no other way to tell
        voice.spell(voice.language(WORDS.sentences["host_code"]), access.host_code)
    if players:
        click.echo("3. Tap 'Watch a demonstration': computer players play an evening, and you may take over a seat at any time.")
    else:
        click.echo("3. Start a game there, or type 'start' here.")
    return pages_answer(server.port, secure=all(given))


Throw = Callable[[int], tuple[int, ...] | None]


def simulated_throw(dice: int) -> tuple[int, ...]:
    return tuple(secrets.randbelow(6) + 1 for _ in range(dice))


def emulator(must: bool = True) -> Any:
    """The die's firmware in its emulator, built if need be. It lies outside the product: see firmware/emulator/README.md.

    Where it need not be, None and a word are enough."""
    try:
        return _emulator()
    except BadInput as error:
        if must:
            raise
        click.echo(f"{error}. The companion throws instead.")
        return None


def _emulator() -> Any:
    file = Path(__file__).parents[2] / "firmware" / "emulator" / "emulated_die.py"
    spec = importlib.util.spec_from_file_location("emulated_die", file)
    if spec is None or spec.loader is None or not file.exists():
        raise BadInput("emulated-die: the folder firmware/ is not here; run it from a checkout of the project")
    module = importlib.util.module_from_spec(spec)
    sys.modules["emulated_die"] = module
    spec.loader.exec_module(module)
    try:
        if not module.is_built():
            click.echo("Building the die's firmware and its emulator …")
            module.build()
        return module.EmulatedDie(seed=secrets.randbits(31))
    except module.EmulatorError as error:
        raise BadInput(f"emulated-die: {error}") from error


def tap(die: Any, dice: int) -> None:
    """Press the emulated die's button; its roll comes by itself, over the line."""
    die.tap("A")


def show_news(_: View, news: tuple[News, ...]) -> None:
    for item in news:
        if item.text:
            click.secho(item.text, bold=True, fg="red" if item.urgency == URGENT else None)


@click.command()
@config_option
@click.option("--port", "ports", multiple=True, help="A serial port or URL of a die; may be given several times.")
def announce(config_file: str, ports: tuple[str, ...]) -> None:
    """Speak and show every roll, for any game in the house: no rules, no table.

    \b
    Type what wooden dice show ("3 4"), or just Enter to let the companion throw two.
    Example:  companion announce
    """
    config = settings(config_file)
    if ports:
        config = replace(config, values=config.values | {("dice", "ports"): list(ports)})
    dice = 2
    with make_voice(config) as voice:

        def heard(event: DiceEvent) -> None:
            if isinstance(event, DiceRolled):
                tell(event.faces, voice)
            elif isinstance(event, DeviceChanged):
                click.secho(str(event), dim=True)
            if not isinstance(event, DeviceHealth):
                event.confirm()

        with Devices(config, heard):
            click.echo("Ready. Roll, or type a roll; 'quit' leaves.")
            for line in sys.stdin or ():
                if line.strip() in ("quit", "exit"):
                    break
                try:
                    faces = parse_roll(line) if line.strip() else tuple(secrets.randbelow(6) + 1 for _ in range(dice))
                except TypedRollError as error:
                    click.secho(str(error), fg="red")
                    continue
                dice = len(faces)
                tell(faces, voice)


def announcement(faces: tuple[int, ...]) -> str:
    """'3 and 4, seven in all', with doubles named."""
    if len(faces) == 1:
        return f"{faces[0]}."
    listed = ", ".join(map(str, faces[:-1])) + f" and {faces[-1]}"
    same = {2: "Double", 3: "Triple"}.get(len(faces), "All") if len(set(faces)) == 1 else ""
    return f"{same + ' ' if same else ''}{listed}: {sum(faces)} in all."


FACES = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}


def tell(faces: tuple[int, ...], voice: Voice) -> None:
    text = announcement(faces)
    click.secho(" ".join(FACES.get(f, str(f)) for f in faces) + f"   {text}", bold=True)
    voice.say(text)
