"""The tree search itself, compiled once for every game: simulations from a masked vector.

Shapes as in kernels/abi.py and tree.py. Each simulation starts from the masked vector, filled in anew, walks down the
tree, adds one edge, plays out, and adds what the end is worth to every edge that it came by, each from the view of
the seat that decided there.

What a node stands for (`keying`):
EXACT     the whole state. For games without hidden state, and for one determinization that is kept (PIMC).
OBSERVED  what the deciding seat can see, but for what the searching seat cannot: the searcher's secrets do not
          branch the others' nodes, nor a choice still secret the nodes of those who do not know it, and their
          unknown hands do not split theirs, which is what availability counts are for.
SEQUENCE  the actions since the root ("open loop"): whatever chance did in between shares one node. Only for games
          without secret actions, whose nodes would be told apart by them.
"""

from typing import Any

import numpy as np

from arena.kernels.abi import TO_ACT
from arena.kernels.jit import helper, kernel
from arena.kernels.rng import GAMMA, LUCK_WORDS, MIX_A, MIX_B, S31, S32
from arena.search.logarithms import logarithm
from arena.search.playouts import finish, pick, value_of
from arena.search.pointers import (
    APPLY,
    APPLY_AT,
    DETERMINIZE,
    DETERMINIZE_AT,
    LEGAL,
    LEGAL_AT,
    OBSERVE,
    OBSERVE_AT,
    ORDER,
    ORDER_AT,
    REOPEN,
    REOPEN_AT,
)
from arena.search.tree import (
    CHILD,
    COMPLETE,
    COUNTS,
    KEY,
    LINK,
    LOW,
    NONE_LEFT,
    PLACE,
    TOTAL,
    UNKNOWN,
    USE,
    VALUE_UNIT,
    WON,
    add_edge,
    best_of_all,
    find_or_add_node,
    hash_words,
    match_edges,
    prove,
)

EXACT, OBSERVED, SEQUENCE = 0, 1, 2


@helper
def key_of(table: Any, state: Any, searcher: int, keying: int, seen: Any, shared: Any) -> int:
    """Returns the key of the decision that a state is at, EXACT or OBSERVED.

    Args:
        seen: int64[W], overwritten: the vector of the deciding seat.
        shared: int64[W], overwritten: that vector as the searching seat sees it.
    """
    if keying == EXACT:
        return hash_words(state, 0)
    observe = OBSERVE_AT(table[OBSERVE])
    seat = state[TO_ACT]
    observe(state, seat, seen)
    if seat == searcher:
        return hash_words(seen, 1)
    observe(seen, searcher, shared)
    return hash_words(shared, 2)


@helper
def next_key(key: int, action: int, seat: int) -> int:
    """Returns the key of the decision that a seat has after an action at the decision named `key`, for SEQUENCE."""
    word = (np.uint64(key) + np.uint64(action + 1) * GAMMA) * MIX_A
    word = (word ^ (word >> S32)) * MIX_B + np.uint64(seat)
    return np.int64(word ^ (word >> S31))  # type: ignore[return-value]


@helper
def skip_forced(table: Any, state: Any, luck: Any, actions: Any) -> int:
    """Plays plies with one legal action, which get no nodes, and returns how many actions there are then."""
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    count = legal(state, actions)
    while count == 1:
        apply(state, actions[0], luck)
        count = legal(state, actions) if state[TO_ACT] >= 0 else 0
    return count  # type: ignore[no-any-return]


@helper
def luck_sum(luck: Any) -> Any:
    """Returns a number that changes whenever something is drawn."""
    total = np.uint64(0)
    for stream in range(LUCK_WORDS):
        total += luck[stream]
    return total


@kernel(
    "int64", "int64[::1]", "int64[::1]", "int64", "uint64[::1]", "uint64[::1]", "int64[:,::1]", "int64", "int64",
)  # fmt: skip
def best_candidate(
    table: Any, state: Any, num_seats: int, luck: Any, choice: Any, untried: Any, num_untried: int, candidates: int
) -> int:
    """Returns the place in `untried` of the action that the heuristic likes best, of so many drawn by chance.

    Args:
        state: int64[W], the position; left as it is, like `luck`.
        untried: int64[2, A], whose first columns are put into another order.
    """
    apply = APPLY_AT(table[APPLY])
    after = np.empty_like(state)
    luck_after = np.empty(LUCK_WORDS, np.uint64)
    values = np.empty(num_seats, np.float64)
    seat = state[TO_ACT]
    best = 0
    best_value = -1.0
    for index in range(min(candidates, num_untried)):
        drawn = index + pick(choice, num_untried - index)
        for row in range(2):
            kept = untried[row, index]
            untried[row, index] = untried[row, drawn]
            untried[row, drawn] = kept
        after[:] = state
        for stream in range(LUCK_WORDS):
            luck_after[stream] = luck[stream] ^ MIX_B  # not what chance will do if the action is taken
        apply(after, untried[0, index], luck_after)
        value_of(table, after, values)
        if values[seat] > best_value:
            best_value = values[seat]
            best = index
    return best


@helper
def first_in_order(actions: Any, count: int, scores: Any, untried: Any, num_untried: int) -> int:
    """Returns the place in `untried` of the action with the highest score, of equals the first.

    Args:
        actions: int64[A], the legal actions, ascending, like those of `untried`.
        scores: float64[A], theirs.
    """
    best = 0
    best_score = -np.inf
    index = 0
    for place in range(num_untried):
        while actions[index] != untried[0, place]:
            index += 1
        if scores[index] > best_score:
            best_score = scores[index]
            best = place
    return best


@kernel("int64", "int64[::1]", "int64[::1]", "int64", "int64", "int64[::1]", "int32[::1]", "int64[::1]")
def node_of(table: Any, masked: Any, searcher: int, keying: int, nodes: Any, slots: Any, counters: Any) -> int:
    """Returns the node of the decision that the searching seat is at, a new one if there is none (see tree.py)."""
    key = next_key(0, 0, searcher)
    if keying != SEQUENCE:
        key = key_of(table, masked, searcher, keying, np.empty_like(masked), np.empty_like(masked))
    return find_or_add_node(nodes, slots, counters, key)


@kernel(
    "int64", "int64[::1]", "int64[::1]", "int64", "int64", "int64", "int64", "int64", "int64",
    "int64", "int64", "float64", "float64", "int64", "int64", "int64",
    "uint64[::1]", "uint64[::1]", "int64[::1]", "int64[::1]", "int32[::1]", "int64[::1]", "float64[::1]",
)  # fmt: skip
def simulate(
    table: Any, masked: Any, searcher: int, num_seats: int, max_legal: int, max_plies: int, keying: int,
    is_redrawn: int, root: int, num_simulations: int, exploration: float, widening: float, candidates: int,
    playout: int, depth: int, luck: Any, choice: Any, nodes: Any, edges: Any, slots: Any, counters: Any, logs: Any,
) -> int:  # fmt: skip
    """Makes simulations; a search goes on where the last call on the same arrays left it.

    Returns how many were made: fewer than asked for only where it is proven who wins.

    Args:
        masked: int64[W], what the searching seat observes, or a complete state; read only.
        searcher: the seat that searches.
        keying: EXACT, OBSERVED or SEQUENCE.
        is_redrawn: whether `masked` is filled in anew for each simulation; 0 if it is complete.
        root: the node of the decision that is searched, from `node_of`.
        exploration: weight of the uncertainty in an edge's bound.
        widening: a node has at most 1 + widening * sqrt(visits) edges.
        candidates: a new edge is the best by the heuristic of so many drawn by chance; 1 for one by chance.
        playout: a kind of playouts.py.
        depth: the most plies of a playout, after which the heuristic decides.
        luck: uint64[L], drawn from by determinizations and by what chance does in simulations.
        choice: uint64[1], drawn from by the search's own choices.
        nodes, edges, slots, counters: the tree; see tree.py.
        logs: the table of logarithms.
    """
    legal = LEGAL_AT(table[LEGAL])
    apply = APPLY_AT(table[APPLY])
    determinize = DETERMINIZE_AT(table[DETERMINIZE])
    reopen = REOPEN_AT(table[REOPEN])
    order = ORDER_AT(table[ORDER])
    num_words = masked.shape[0]
    state = np.empty_like(masked)
    seen = np.empty_like(masked)
    shared = np.empty_like(masked)
    actions = np.empty(max_legal, np.int64)
    untried = np.empty((2, max_legal), np.int64)
    scores = np.empty(max_legal, np.float64)
    values = np.empty(num_seats, np.float64)
    path = np.empty(max_plies, np.int64)
    visited = np.empty(max_plies, np.int64)
    deciders = np.empty(max_plies, np.int64)
    squared = exploration * exploration
    is_proving = keying == EXACT and num_seats == 2
    for made in range(num_simulations):
        for index in range(num_words):
            state[index] = masked[index]
        if is_redrawn:
            determinize(state, searcher, luck)
        node = root
        count = 0
        if keying == OBSERVED:
            reopen(state, searcher)
            if state[TO_ACT] != searcher:
                # Choices made in secret before the searching seat's belong to the tree: the walk begins with them.
                count = skip_forced(table, state, luck, actions)
                key = key_of(table, state, searcher, keying, seen, shared)
                node = find_or_add_node(nodes, slots, counters, key)
                if node == UNKNOWN:
                    continue
        has_passed_root = node == root
        drawn = np.uint64(0)
        length = 0
        is_proven = False
        while True:
            if keying == EXACT and nodes[node + USE] > LOW:
                spread = squared * logarithm(logs, nodes[node + USE] & LOW)
                edge = best_of_all(edges, nodes[node + PLACE] & LOW, spread)
            else:
                if count == 0:
                    count = legal(state, actions)
                edge, num_untried = match_edges(nodes, edges, node, actions, count, squared, logs, untried)
                num_tried = count - num_untried
                visits = nodes[node + USE] & LOW
                if edge != NONE_LEFT and edges[edge + CHILD] == WON:
                    num_untried = 0
                if num_untried > 0 and (num_tried * num_tried < widening * widening * visits or num_tried == 0):
                    place = -1
                    if candidates > 1 and order(state, actions, count, scores):
                        place = first_in_order(actions, count, scores, untried, num_untried)
                    elif candidates > 1:
                        place = best_candidate(table, state, num_seats, luck, choice, untried, num_untried, candidates)
                    else:
                        place = pick(choice, num_untried)
                    edge = add_edge(nodes, edges, counters, node, untried[1, place], untried[0, place], edge)
                    if num_untried == 1 and edge != NONE_LEFT:
                        nodes[node + USE] |= COMPLETE << 32
            nodes[node + USE] += 1
            if edge == NONE_LEFT:
                break
            edges[edge + COUNTS] += 1
            path[length] = edge
            visited[length] = node
            deciders[length] = state[TO_ACT]
            length += 1
            child = edges[edge + CHILD]
            if child <= WON:
                is_proven = True
                values[state[TO_ACT]] = 1.0 if child == WON else 0.0
                values[1 - state[TO_ACT]] = 0.0 if child == WON else 1.0
                break
            if child == UNKNOWN and keying == EXACT:
                drawn = luck_sum(luck)
            apply(state, edges[edge + LINK] & LOW, luck)
            # An edge that is new ends the walk, unless the decision that is searched is still to come.
            if state[TO_ACT] < 0 or (has_passed_root and (edges[edge + COUNTS] & LOW) == 1):
                break
            count = 0
            if child == UNKNOWN:
                if keying != EXACT:
                    count = skip_forced(table, state, luck, actions)
                    if count == 0:
                        break
                if keying == SEQUENCE:
                    key = next_key(nodes[node + KEY], edges[edge + LINK] & LOW, state[TO_ACT])
                else:
                    key = key_of(table, state, searcher, keying, seen, shared)
                child = find_or_add_node(nodes, slots, counters, key)
                if child == UNKNOWN:
                    break
                if keying == EXACT and luck_sum(luck) == drawn:
                    edges[edge + CHILD] = child
            node = child
            has_passed_root = has_passed_root or node == root
        is_over = state[TO_ACT] < 0
        if not is_proven:
            finish(table, state, luck, choice, actions, values, playout, depth)
        for step in range(length):
            edges[path[step] + TOTAL] += np.int64(values[deciders[step]] * VALUE_UNIT + 0.5)
        if is_proving and is_over and luck_sum(luck) == drawn:
            proof = prove(nodes, edges, path, visited, deciders, length, values[deciders[length - 1]])
            if proof != UNKNOWN:
                return made + 1
    return num_simulations
