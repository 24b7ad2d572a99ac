"""Seeds derived by key: no counters, no positions, no clock; the same path gives the same seed everywhere."""

import hashlib
import secrets

SEED_BITS = 64
RUN_SEED_BITS = 128
BOT_SEED_BITS = 53  # below 2**53, so that every language reads it exactly from JSON


def derive(*path: str | int | bytes) -> int:
    """Returns the 64-bit seed of a path such as `(run_seed, "ninjan", 3, 17)`.

    Parts are hashed with their type and length, so ("a", "bc") and ("ab", "c"), or 1 and "1", are different paths.
    Source: BLAKE2b, RFC 7693, as a keyless hash.
    """
    digest = hashlib.blake2b(digest_size=SEED_BITS // 8)
    for part in path:
        if isinstance(part, bytes):
            data, kind = part, b"b"
        elif isinstance(part, int):
            data, kind = b"%d" % part, b"i"
        else:
            data, kind = part.encode(), b"s"
        digest.update(b"%b%d:%b" % (kind, len(data), data))
    return int.from_bytes(digest.digest(), "big")


def bot_seed(run_seed: int, match_id: str, seat: int) -> int:
    """Returns the bot's own seed for one seat of one match, below 2**53; tells nothing about the deal."""
    return derive(run_seed, match_id, seat) >> (SEED_BITS - BOT_SEED_BITS)


def deal_seed(run_seed: int, game: str, players: int, deal_number: int) -> int:
    """Returns the seed of a deal: all entrants that play deal `deal_number` of a run meet the same luck."""
    return derive(run_seed, game, players, deal_number)


def fresh_run_seed() -> int:
    """Returns 128 random bits for a run that was given no seed; they are stored with it and shown."""
    return secrets.randbits(RUN_SEED_BITS)


def format_seed(seed: int) -> str:
    """Returns a deal's seed as the 16 hex digits of a game record."""
    return f"{seed:016x}"
