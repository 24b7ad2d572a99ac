"""What the options of a bot with a bundle come to: its file alone can tell, and is asked behind its fence.

The answer, defaults filled in, is the entrant's identity. A run stores it, and who is named again in the same words in
that database is not asked again: the first answer stays, whatever the file would say another time.
"""

from typing import TYPE_CHECKING

import msgspec

from arena.cli.common import database, open_store
from arena.cli.entrants import MEMORY_MB, START_S, Lineup, Named
from arena.cli.terminal import say
from arena.core.options import FilledIn
from arena.core.spec import Entrant, Limits
from arena.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.core.game import Game
    from arena.hosts.bundle_host import BundleHosts
    from arena.store.store import Store

Asked = tuple[str, tuple[tuple[str, str], ...]]
"""A bundle's version, and options as they were written."""


def fill_in(lineup: Lineup, game: "Game", sandbox: str, limits: Limits) -> Lineup:
    """Returns a line-up with the options of each bot filled in, those known to its database or asked for now.

    A bot that is slow or fails while it starts is a matter of the match: its options stay as they were written.

    Args:
        lineup: as it was found.
        game: what is to be played.
        sandbox: the level asked for.
        limits: of the matches; a bot that needs more than is usual to get ready needs it now, too.

    Raises:
        UsageError: a file holds no bot, or not one; it does not take these options, or says nothing usable of them.
    """
    known = _known(lineup)
    unknown = {_asked(named): named for named in _bundled(lineup) if _asked(named) not in known}
    answers = known | _try_out(lineup, unknown, game, sandbox, limits)
    return lineup._replace(entrants=[_entrant(named, answers.get(_asked(named))) for named in lineup.named])


def keep(store: "Store", lineup: Lineup) -> None:
    """Stores the bundles of a line-up, and what the options of their bots came to."""
    for bundle in lineup.bundles.values():
        store.submissions.keep(bundle)
    for named, entrant in zip(lineup.named, lineup.entrants, strict=True):
        if named.bundle is not None and entrant is not named.entrant:  # which it still is where it did not say
            filled_in = FilledIn(entrant.options, tuple(entrant.shown))
            store.submissions.keep_options(entrant.version, named.given, filled_in)


def entrants_in(lineup: Lineup, stored: "Sequence[Entrant]") -> list[Entrant]:
    """Returns a line-up's entrants as they are in a stored run.

    One that is there with its options as they were written, as older versions stored all, stays what it is.
    """
    by_key = {entrant.key: entrant for entrant in stored}
    pairs = zip(lineup.entrants, lineup.named, strict=True)
    return [by_key.get(named.entrant.key, entrant) for entrant, named in pairs]


def _bundled(lineup: Lineup) -> "Iterable[Named]":
    return (named for named in lineup.named if named.bundle is not None)


def _asked(named: Named) -> Asked:
    return named.entrant.version, tuple(sorted(named.given.items()))


def _known(lineup: Lineup) -> dict[Asked, FilledIn]:
    """Returns what the database of a line-up holds of its bots' options."""
    if not lineup.bundles or not database(lineup.db).exists():
        return {}
    with open_store(lineup.db) as store:
        found = {_asked(each): store.submissions.options(each.entrant.version, each.given) for each in _bundled(lineup)}
    return {asked: filled_in for asked, filled_in in found.items() if filled_in is not None}


def _try_out(
    lineup: Lineup, unknown: dict[Asked, Named], game: "Game", sandbox: str, limits: Limits
) -> dict[Asked, FilledIn]:
    """Has each bot made once with its options, behind its fence, and returns what it says of them."""
    from arena.hosts.bundle_host import BundleHosts

    answers: dict[Asked, FilledIn] = {}
    if not unknown:
        return answers
    own = Limits(start_s=max(START_S, limits.start_s or 0), memory_mb=max(MEMORY_MB, limits.memory_mb or 0))
    hosts = BundleHosts(lineup.bundles.values(), sandbox)
    for asked, named in unknown.items():
        filled_in = _ask(hosts, named, game, own)
        if filled_in is not None:
            answers[asked] = filled_in
        else:
            say(f"{named.entrant.bot} did not get ready to say what its options are: they stay as they are written")
    return answers


def _ask(hosts: "BundleHosts", named: Named, game: "Game", limits: Limits) -> FilledIn | None:
    from arena.hosts.base import Unusable

    try:
        return hosts.try_out(named.entrant.version, named.given, game.name, limits)
    except Unusable as problem:
        raise UsageError(str(problem)) from problem


def _entrant(named: Named, filled_in: FilledIn | None) -> Entrant:
    if filled_in is None:
        return named.entrant
    return msgspec.structs.replace(named.entrant, options=filled_in.values, shown=filled_in.shown)
