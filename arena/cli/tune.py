"""arena tune: a bot's options raced on paired deals, with the evidence."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.common import GameArgument, Json, Workers, complete_bot, find_game, interruptible, parse_seed
from arena.cli.examples import examples
from arena.cli.terminal import data, json_data, say, show
from arena.cli.values import whole_option
from arena.core.wording import counted
from arena.errors import BadOption, UsageError

if TYPE_CHECKING:
    from arena.core.spec import Entrant
    from arena.tuning import Tuned

MOST_DEALS = 1_000_000  # all of a round are listed at once, and those to judge by have numbers of their own


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("tune", epilog=examples("arena tune ninjan mcts:simulations=200 --option exploration=0.3..2.0"))(tune)


def tune(
    game: GameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot as it is now.", autocompletion=complete_bot)],
    option: Annotated[list[str], typer.Option("--option", help="low..high or a|b|c; may be given several times.")],
    deals: Annotated[
        int, whole_option("--deals", "Deals at most, and to judge the winner by.", low=2, high=MOST_DEALS)
    ] = 100,
    seed: Annotated[str | None, typer.Option("--seed", help="Else 128 random bits, shown.")] = None,
    executor: Annotated[str | None, typer.Option("--executor", help="ray (the default) or inline.")] = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Race options of a bot against the bot as it is, on shared deals; print what to prefer and the evidence."""
    import msgspec

    from arena.cli.config import Request, check_executor
    from arena.cli.entrants import find_lineup
    from arena.cli.runs import make_executor
    from arena.core.seeding import RUN_SEED_BITS, fresh_run_seed
    from arena.core.spec import Conditions, Limits
    from arena.executors.base import warm_up
    from arena.hosts.bundle_host import NO_KIT
    from arena.tuning import Tuner, candidates, parse_span

    check_executor(executor, workers, None)
    found, reference, _ = find_game(game)
    if 2 not in found.seats:
        raise UsageError(f"{found.name} has no match of two seats, which tuning needs")
    lineup = find_lineup([bot], found, None)
    if lineup.bundles:
        own = "runs in a process of its own, and `arena tune` races bots that come with the arena"
        raise UsageError(f"{bot!r} {own}; play it with other options against itself in `arena run`")
    (base,) = lineup.entrants
    given = parse_seed(seed, RUN_SEED_BITS)
    run_seed = fresh_run_seed() if given is None else given
    given_options = candidates([parse_span(text) for text in option], run_seed)
    # Values written in two ways, or the bot's own, make no further candidate.
    by_key = {entrant.key: entrant for entrant in (_with_options(bot, values, option) for values in given_options)}
    by_key.pop(base.key, None)
    entrants = list(by_key.values())
    if not entrants:
        raise UsageError(f"{_as_given(option)}: that is {base.label} as it is; give other values to try")
    conditions = Conditions(reference, 2, Limits(), run_seed)
    say(f"{counted(len(entrants), 'candidate')} against {base.label} as it is, seed {run_seed}")
    with interruptible(lambda: f"nothing of the race is stored; --seed {run_seed} plays it again"):
        warm_up(conditions, [base])
        player = make_executor(Request(found.name, [], executor=executor, workers=workers), NO_KIT)
        try:
            result = Tuner(conditions, base, player).race(entrants, deals, say)
        finally:
            player.close()
    if as_json:
        return json_data("tuning", game=found.name, base=base.label, seed=str(run_seed), **msgspec.to_builtins(result))
    return _print(base.label, result)


def _with_options(bot: str, values: dict[str, str], given: list[str]) -> "Entrant":
    """Returns the entrant of a bot with some options in place of its own.

    Raises:
        BadOption: it does not take them; the message says by what they were given.
    """
    from arena.core.options import split_reference
    from arena.hosts.roster import parse_entrant

    name, own = split_reference(bot)
    options = ",".join(f"{key}={value}" for key, value in {**own, **values}.items())
    try:
        return parse_entrant(f"{name}:{options}")
    except BadOption as error:
        raise BadOption(f"{_as_given(given)}: {error}") from error


def _as_given(option: list[str]) -> str:
    return " ".join(f"--option {text}" for text in option)


def _print(base: str, result: "Tuned") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("candidate", "deals", "score", "95 %"):
        table.add_column(heading, justify="left" if heading == "candidate" else "right")
    for row in result.race:
        low, high = row.interval
        table.add_row(*map(Text, (row.entrant, str(row.deals), f"{row.score_share:.3f}", f"{low:.3f}-{high:.3f}")))
    show(table)
    low, high = result.judged.interval
    fresh = f"{result.judged.score_share:.3f} ({low:.3f}-{high:.3f}) over {counted(result.judged.deals, 'fresh deal')}"
    data(f"{result.judged.entrant} against {base}: {fresh}")
    verdict = "better beyond doubt" if result.is_better else "not shown to be better: keep what there is"
    data(f"recommended: {result.recommended} ({verdict})")
