"""The rules page once more, in plain Python and by other means: names instead of numbers, search instead of masks."""

SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Reference:
    """A match in play, from a record's setup; actions are notation, cells are (x, y)."""

    def __init__(self, setup, rows):
        fields = [row.split(",") for row in rows]
        self.looks = {f"t{number}": tuple(sections) for number, *sections, _ in fields}
        self.looks |= {base: (f"base {base}",) * 4 for base in "PNRZ"}
        self.icons = {f"t{number}": icon for number, *_, icon in fields}
        self.characters = setup["characters"]
        self.num_seats = len(self.characters)
        self.hands = [
            {f"t{number}" for number in tiles} | set(bases)
            for tiles, bases in zip(setup["hands"], self.characters, strict=True)
        ]
        self.pile = [[f"t{number}" for number in part] for part in setup["pile"]]
        self.cells = {}
        self.seat = 0
        self.has_moved = [False] * self.num_seats
        self.turns_left = None
        self.known = [set() for _ in range(self.num_seats)]
        self.turn = []

    # Looks

    def seen(self, piece, facing):
        look = self.looks[piece]
        for _ in range(facing):
            look = (look[3], *look[:3])
        return look

    def facings(self, piece):
        looks = [self.seen(piece, facing) for facing in range(4)]
        return [facing for facing in range(4) if looks[facing] not in looks[:facing]]

    # Cells

    @staticmethod
    def around(cell):
        return {(cell[0] + dx, cell[1] + dy) for dx, dy in SIDES}

    def free_cells(self, cells):
        return {spot for cell in cells for spot in self.around(cell)} - set(cells)

    def is_one_layout(self, cells):
        todo, reached = [next(iter(cells))], set()
        while todo:
            cell = todo.pop()
            if cell not in reached:
                reached.add(cell)
                todo += self.around(cell) & cells
        return reached == cells

    def where_is(self, piece):
        return next((cell for cell, (placed, _) in self.cells.items() if placed == piece), None)

    def targets(self, base):
        """Returns where a base in play may move."""
        old = self.where_is(base)
        rest = set(self.cells) - {old}
        return {cell for cell in self.free_cells(self.cells) if rest and self.is_one_layout(rest | {cell})}

    # Decisions

    def own(self, piece):
        return piece in self.characters[self.seat]

    def whats(self):
        names = set(self.hands[self.seat])
        if not self.has_moved[self.seat]:
            names |= {f">{base}" for base in self.characters[self.seat] if self.where_is(base) and self.targets(base)}
        return names

    def legal(self):
        if self.is_over:
            return set()
        match self.turn:
            case []:
                return self.whats()
            case [what] if what.startswith(">"):
                return {text(cell, 0) for cell in self.targets(what[1:])}
            case [what]:
                free = self.free_cells(self.cells) if self.cells else {(0, 0)}
                return {text(cell, facing) for cell in free for facing in self.facings(what)}
            case [what, _, *rest]:
                return getattr(self, f"legal_{self.icons[what]}")(what, rest)

    def legal_rotate(self, what, rest):
        return {"-"} | {
            text(cell, other)
            for cell, (piece, facing) in self.cells.items()
            for other in self.facings(piece)
            if piece != what and self.seen(piece, other) != self.seen(piece, facing)
        }

    def legal_swap(self, what, rest):
        order = sorted(self.cells, key=lambda cell: (cell[1], cell[0]))
        if not rest:
            return {"-"} | {text(cell) for cell in order[:-1]}
        if len(rest) == 1:
            return {text(cell) for cell in order[order.index(cell_of(rest[0])) + 1 :]}
        piece, _ = self.cells[cell_of(rest[len(rest) - 2])]
        return {f"/{facing}" for facing in self.facings(piece)}

    def legal_replace(self, what, rest):
        if not rest:
            theirs = {piece for piece in "PNRZ" if not self.own(piece)}
            return {"-"} | {text(cell) for cell, (piece, _) in self.cells.items() if piece not in theirs}
        if len(rest) == 1:
            return set(self.hands[self.seat])
        return {f"/{facing}" for facing in self.facings(rest[1])}

    # Play

    def play(self, name):
        self.turn.append(name)
        match self.turn:
            case [what] if what in self.icons:
                self.known[self.seat].add(what)
            case [what, place] if what.startswith(">"):
                del self.cells[self.where_is(what[1:])]
                self.cells[cell_of(place)] = (what[1:], 0)
                self.end_turn(has_moved=True)
            case [what, place]:
                self.leave_hand(what)
                self.cells[cell_of(place)] = (what, int(place[-1]))
                if not self.icons.get(what):
                    self.end_turn()
            case [what, _, *rest] if rest:
                getattr(self, self.icons[what])(rest)

    def leave_hand(self, piece):
        self.hands[self.seat].remove(piece)
        self.known[self.seat].discard(piece)

    def rotate(self, rest):
        if rest != ["-"]:
            cell = cell_of(rest[0])
            self.cells[cell] = (self.cells[cell][0], int(rest[0][-1]))
        self.end_turn()

    def swap(self, rest):
        if len(rest) == 4:
            one, two = cell_of(rest[0]), cell_of(rest[1])
            first, second = self.cells[one][0], self.cells[two][0]
            self.cells[two] = (first, int(rest[2][1]))
            self.cells[one] = (second, int(rest[3][1]))
        if len(rest) == 4 or rest == ["-"]:
            self.end_turn()

    def replace(self, rest):
        if len(rest) == 2 and rest[1] in self.icons:
            self.known[self.seat].add(rest[1])
        if len(rest) == 3:
            cell = cell_of(rest[0])
            taken = self.cells[cell][0]
            self.leave_hand(rest[1])
            self.hands[self.seat].add(taken)
            if taken in self.icons:
                self.known[self.seat].add(taken)
            self.cells[cell] = (rest[1], int(rest[2][1]))
        if len(rest) == 3 or rest == ["-"]:
            self.end_turn()

    def end_turn(self, has_moved=False):
        self.turn = []
        self.has_moved[self.seat] = has_moved
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not has_moved:
            self.hands[self.seat].add(self.draw())
            if not any(self.pile):
                self.turns_left = self.num_seats
        self.seat = (self.seat + 1) % self.num_seats

    def draw(self):
        if self.pile[self.seat]:
            return self.pile[self.seat].pop(0)
        longest = max(map(len, self.pile))
        return next(part for part in self.pile if len(part) == longest).pop()

    @property
    def is_over(self):
        return self.turns_left == 0

    # Scoring

    def spots(self):
        """Returns the picture at every half-tile spot."""
        pictures = {}
        for (x, y), (piece, facing) in self.cells.items():
            top_left, top_right, bottom_right, bottom_left = self.seen(piece, facing)
            pictures[2 * x, 2 * y + 1], pictures[2 * x + 1, 2 * y + 1] = top_left, top_right
            pictures[2 * x, 2 * y], pictures[2 * x + 1, 2 * y] = bottom_left, bottom_right
        return pictures

    def best(self, character):
        """Returns the score of a character's best region: every spot is followed as far as it leads."""
        pictures = self.spots()
        kinds = {character: 1, character.lower(): 3, f"base {character}": 0}
        best = 0
        for start in [spot for spot in pictures if pictures[spot] in kinds]:
            region = {start}
            while True:
                wider = region | {
                    spot for known in region for spot in self.around(known) if pictures.get(spot) in kinds
                }
                if wider == region:
                    break
                region = wider
            points = 5 if any(pictures[spot] == f"base {character}" for spot in region) else 0
            for spot in region:
                if f"{character}!" not in [pictures.get(other) for other in self.around(spot)]:
                    points += kinds[pictures[spot]]
            best = max(best, points)
        return best

    def scores(self):
        return [sum(map(self.best, characters)) for characters in self.characters]


def text(cell, facing=None):
    return f"{cell[0]},{cell[1]}" + ("" if facing is None else f"/{facing}")


def cell_of(name):
    x, y = name.partition("/")[0].split(",")
    return int(x), int(y)
