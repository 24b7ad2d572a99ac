"""The search tree in flat arrays: its layout, finding and adding nodes, and choosing among their edges.

A node is a decision of one seat, named by the hash of what that seat can tell apart; an edge is an action that was
tried there. Both are stretches of int64 vectors, named by the place where they begin, and made one by one as they
are needed, so that a simulation adds at most one edge and one node: 32 + 24 bytes, and 8 in the hash table, 64 in all.
Edges of a node are a list in ascending order of action, like legal actions, so that one walk along both matches them.

Letters: N nodes, E edges, H = 2 N slots of the hash table, A the most legal actions.
"""

from typing import Any

import numpy as np

from arena.kernels.jit import helper, kernel
from arena.kernels.rng import GAMMA, MIX_A, MIX_B, S27, S30, S31, S32
from arena.search.logarithms import logarithm

# Words of a node; two numbers of 32 bits share a word, the low one first.
KEY = 0  # 64 bits of hash
PLACE = 1  # low: its first edge, or NO_EDGE; high: its slot of the hash table
USE = 2  # low: visits; high: COMPLETE once every action that was legal at a visit had its edge
NODE_WORDS = 3

# Words of an edge.
LINK = 0  # low: action; high: the node's next edge, or NO_EDGE
COUNTS = 1  # low: visits; high: how often the action was there to choose (availability)
TOTAL = 2  # sum of the values to the seat that decides, in units of 1 / VALUE_UNIT
CHILD = 3  # the node that it always leads to, or UNKNOWN; or, once that is proven, WON or LOST
EDGE_WORDS = 4

NO_EDGE = 0  # the place of the first edge is left empty
UNKNOWN = -1
WON, LOST = -2, -3  # for the seat that decides; proofs are made where there are two seats and nothing is hidden
NONE_LEFT = -1  # no edge to follow

# Counters, int64: places where the next node and the next edge will begin.
NEXT_NODE, NEXT_EDGE = 0, 1
NUM_COUNTERS = 2
FIRST_EDGE = EDGE_WORDS

COMPLETE = 1
CERTAIN = 1e9  # a bound above all others
LOW = (1 << 32) - 1
ONE_HIGH = 1 << 32
VALUE_BITS = 30
VALUE_UNIT = float(1 << VALUE_BITS)


@helper
def hash_words(words: Any, salt: int) -> int:
    """Returns a hash of a whole vector.

    Each word goes through splitmix64's finalizer on its own, so that no chain of products has to be waited for. With
    a single product two flips of high bits cancelled each other in the sum for six pairs of vectors out of seven.
    """
    total = np.uint64(salt)
    place = GAMMA
    for index in range(words.shape[0]):
        word = np.uint64(words[index]) + place
        word = (word ^ (word >> S30)) * MIX_A
        word = (word ^ (word >> S27)) * MIX_B
        total += word ^ (word >> S31)
        place += GAMMA
    total = (total ^ (total >> S31)) * MIX_A
    return np.int64(total ^ (total >> S32))  # type: ignore[return-value]


@helper
def first_slot(key: int, num_slots: int) -> int:
    """Returns where a key is first looked for: its low half, scaled to the number of slots."""
    return ((key & LOW) * num_slots) >> 32


@helper
def find_or_add_node(nodes: Any, slots: Any, counters: Any, key: int) -> int:
    """Returns the node with that key, a new one if there is none, or UNKNOWN if there is none and no room.

    Slots are never cleared: one counts only if the node that it names is in use and names it in turn.
    """
    slot = first_slot(key, slots.shape[0])
    end = counters[NEXT_NODE]
    while True:
        node = np.int64(slots[slot])
        if node < 0 or node >= end or (nodes[node + PLACE] >> 32) != slot:
            break
        if nodes[node + KEY] == key:
            return node  # type: ignore[return-value]
        slot = slot + 1 if slot + 1 < slots.shape[0] else 0
    if end + NODE_WORDS > nodes.shape[0]:
        return UNKNOWN
    nodes[end + KEY] = key
    nodes[end + PLACE] = NO_EDGE | (slot << 32)
    nodes[end + USE] = 0
    slots[slot] = end
    counters[NEXT_NODE] = end + NODE_WORDS
    return end  # type: ignore[no-any-return]


@helper
def add_edge(nodes: Any, edges: Any, counters: Any, node: int, previous: int, action: int, otherwise: int) -> int:
    """Puts a new edge into a node's list, behind `previous` (NO_EDGE: in front), and returns it.

    Returns `otherwise` where there is no room.
    """
    edge = counters[NEXT_EDGE]
    if edge + EDGE_WORDS > edges.shape[0]:
        return otherwise
    counters[NEXT_EDGE] = edge + EDGE_WORDS
    if previous == NO_EDGE:
        following = nodes[node + PLACE] & LOW
        nodes[node + PLACE] += edge - following
    else:
        following = edges[previous + LINK] >> 32
        edges[previous + LINK] += (edge - following) << 32
    edges[edge + LINK] = action | (following << 32)
    edges[edge + COUNTS] = ONE_HIGH
    edges[edge + TOTAL] = 0
    edges[edge + CHILD] = UNKNOWN
    return edge  # type: ignore[no-any-return]


@helper
def best_of_all(edges: Any, first: int, spread: float) -> int:
    """Returns the edge of the highest upper bound where every legal action has been tried.

    Args:
        first: the node's first edge.
        spread: squared exploration times the logarithm of the node's visits.
    """
    best = first
    best_score = -1.0
    edge = first
    while edge != NO_EDGE:
        child = edges[edge + CHILD]
        if child <= WON:
            if child == WON:
                return edge
            edge = edges[edge + LINK] >> 32
            continue
        inverse = 1.0 / (edges[edge + COUNTS] & LOW)
        score = edges[edge + TOTAL] * inverse * (1.0 / VALUE_UNIT) + np.sqrt(spread * inverse)
        if score > best_score:
            best_score = score
            best = edge
        edge = edges[edge + LINK] >> 32
    return best


@helper
def match_edges(
    nodes: Any, edges: Any, node: int, actions: Any, count: int, squared: float, logs: Any, untried: Any
) -> tuple[int, int]:
    """Returns the tried edge of the highest upper bound, or NONE_LEFT, and the number of legal actions not tried yet.

    Availability is counted for each edge whose action is legal now. The bound of an edge is its mean value plus
    exploration * sqrt(ln(availability) / visits).
    Source: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012.

    Args:
        actions: int64[A], the legal actions, ascending.
        squared: the square of the exploration constant.
        untried: int64[2, A], overwritten: actions without an edge, and the edges that theirs would come behind.
    """
    previous = np.int64(NO_EDGE)
    edge = nodes[node + PLACE] & LOW
    best = np.int64(NONE_LEFT)
    best_score = -1.0
    num_untried = 0
    for index in range(count):
        action = actions[index]
        # Edges whose action is not legal in this determinization.
        while edge != NO_EDGE and (edges[edge + LINK] & LOW) < action:
            previous = edge
            edge = edges[edge + LINK] >> 32
        if edge != NO_EDGE and (edges[edge + LINK] & LOW) == action:
            counts = edges[edge + COUNTS] + ONE_HIGH
            edges[edge + COUNTS] = counts
            inverse = 1.0 / (counts & LOW)
            spread = squared * logarithm(logs, counts >> 32)
            score = edges[edge + TOTAL] * inverse * (1.0 / VALUE_UNIT) + np.sqrt(spread * inverse)
            if edges[edge + CHILD] <= WON:
                score = CERTAIN if edges[edge + CHILD] == WON else 0.0
            if score > best_score:
                best_score = score
                best = edge
            previous = edge
            edge = edges[edge + LINK] >> 32
        else:
            untried[0, num_untried] = action
            untried[1, num_untried] = previous
            num_untried += 1
    return best, num_untried  # type: ignore[return-value]


@kernel("int64", "int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]", "int64[::1]", "int64", "float64")
def prove(nodes: Any, edges: Any, path: Any, visited: Any, deciders: Any, length: int, value: float) -> int:
    """Notes what the end of a match proves along the way that led to it; returns WON or LOST for the root, or UNKNOWN.

    A decision with a winning edge is won, and one whose every edge loses is lost; what is won for one seat is lost for
    the other. A proof stops where chance lies between an edge and the node that it led to.
    Source: Winands, Bjornsson and Saito, "Monte-Carlo tree search solver", Computers and Games 2008.

    Args:
        path, visited, deciders: int64[length] or longer: edges followed, the nodes that they start at, who decided.
        value: utility of the end to the last decider.
    """
    if value != 1.0 and value != 0.0:
        return UNKNOWN
    proof = WON if value == 1.0 else LOST
    step = length - 1
    while True:
        edges[path[step] + CHILD] = proof
        if proof == LOST:
            if nodes[visited[step] + USE] <= LOW:
                return UNKNOWN
            edge = nodes[visited[step] + PLACE] & LOW
            while edge != NO_EDGE:
                if edges[edge + CHILD] != LOST:
                    return UNKNOWN
                edge = edges[edge + LINK] >> 32
        if step == 0:
            return proof
        if edges[path[step - 1] + CHILD] != visited[step]:
            return UNKNOWN
        if deciders[step - 1] != deciders[step]:
            proof = WON + LOST - proof
        step -= 1
