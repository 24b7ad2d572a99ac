"""Pirates vs. Ninjas once more, written from the rules page with lists of dice and nothing of the kernels.

Slow and plain, so that it can be read beside the page; only the streams of luck are shared.
"""

from dataclasses import dataclass, field
from itertools import product

from arena.core.luck import Luck


@dataclass
class Side:
    zone: list[int] = field(default_factory=list)
    cup: int = 0
    lost: list[int] = field(default_factory=list)
    credit: int = 0

    @property
    def dice(self) -> int:
        return len(self.zone) + self.cup

    def to_cup(self, rank: int, count: int) -> None:
        for _ in range(count):
            self.zone.remove(rank)
        self.cup += count

    def lose(self, rank: int) -> None:
        self.zone.remove(rank)
        self.lost.append(rank)


class Reference:
    def __init__(self, luck_words) -> None:
        self.luck = Luck(luck_words)
        self.sides = [Side(), Side()]
        self.idle = 0
        self.is_picking = self.must_rally = self.may_only_attack = self.is_over = False
        for seat in (0, 1):
            self.roll(seat, 9)
        keys = [[side.zone.count(rank) for rank in range(1, 7)] for side in self.sides]
        self.seat = self.luck.below(5, 2) if keys[0] == keys[1] else keys.index(max(keys))

    def roll(self, seat: int, count: int) -> None:
        side = self.sides[seat]
        side.zone += [self.luck.below(seat, 6) + 1 for _ in range(count)]
        while side.zone.count(5) > 1:
            side.zone[side.zone.index(5)] = 1

    def attacks(self) -> set[str]:
        own, enemy = self.sides[self.seat].zone, self.sides[1 - self.seat].zone
        names = {f"a{rank}x{target}" for rank in own for target in enemy if rank <= 4 and target <= rank}
        names |= {f"v{rank}x{rank + 1}" for rank in own if rank <= 4 and own.count(rank) >= 3 and rank + 1 in enemy}
        sixes = own.count(6)
        if self.seat == 0:
            names |= {"captain"} if 5 in own else set()
            names |= {"rogers"} if sixes >= 3 and sixes - 3 + enemy.count(6) > 0 else set()
        else:
            names |= {"master"} if 5 in own and 5 in enemy else set()
            names |= {"shrine"} if sixes >= 3 else set()
        return names

    def legal(self) -> set[str]:
        side = self.sides[self.seat]
        if self.is_over:
            return set()
        if self.is_picking:
            choices = product(*(range(side.zone.count(rank) + 1) for rank in range(1, 7)))
            return {"r" + "".join(map(str, choice)) for choice in choices if sum(choice) + side.cup > 0}
        if self.may_only_attack:
            return self.attacks()
        return {"rally"} if self.must_rally and self.seat == 1 else self.attacks() | {"rally"}

    def play(self, name: str) -> None:
        own, enemy = self.sides[self.seat], self.sides[1 - self.seat]
        lost_before = len(own.lost) + len(enemy.lost)
        if name == "rally":
            self.is_picking = True
            return
        if name[0] == "r" and name != "rogers":
            self.is_picking = False
            for rank, digit in enumerate(name[1:], 1):
                own.to_cup(rank, int(digit))
            count, own.cup = own.cup, 0
            self.roll(self.seat, count)
            if self.seat == 1 and self.must_rally:
                self.must_rally = False
                self.may_only_attack = bool(self.attacks())
                if self.may_only_attack:
                    return
        elif name == "captain":
            own.to_cup(5, 1)
            count = enemy.dice
            enemy.zone, enemy.cup = [], 0
            self.roll(1 - self.seat, count)
        elif name == "master":
            own.to_cup(5, 1)
            enemy.lose(5)
            own.credit += 5
        elif name == "rogers":
            own.to_cup(6, 3)
            own.credit += 6 * enemy.zone.count(6)
            for side in self.sides:
                while 6 in side.zone:
                    side.lose(6)
        elif name == "shrine":
            own.cup, own.zone = own.dice, []
            self.must_rally = True
        else:
            rank, target = int(name[1]), int(name[3])
            own.to_cup(rank, 1 if name[0] == "a" else 3)
            enemy.lose(target)
            own.credit += target
        self.may_only_attack = False
        self.idle = 0 if len(own.lost) + len(enemy.lost) > lost_before else self.idle + 1
        self.is_over = self.idle == 5 or own.dice == 0 or enemy.dice == 0
        self.seat = 1 - self.seat

    def returns(self) -> tuple[float, float]:
        keys = [(side.dice, side.credit) for side in self.sides]
        first = 0.5 if keys[0] == keys[1] else float(keys[0] > keys[1])
        return first, 1 - first
