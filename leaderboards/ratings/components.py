"""Who can be compared with whom: the connected components of the graph of meetings."""

import numpy as np
from numpy.typing import NDArray


def components(num_entrants: int, meetings: list[NDArray[np.int32]]) -> NDArray[np.int64]:
    """Numbers the groups of entrants that are joined by matches, directly or through others.

    Args:
        num_entrants: N.
        meetings: int32 [D, n] arrays of the players of matches, any n.

    Returns:
        int64 [N]: for each entrant the least number of anyone in its group.
    """
    label = np.arange(num_entrants)
    while True:
        before = label
        for players in meetings:
            least = label[players].min(axis=1)
            label = label.copy()
            for k in range(players.shape[1]):
                np.minimum.at(label, players[:, k], least)
        # Pointing at the group of one's group halves the number of passes each time.
        label = label[label]
        if np.array_equal(label, before):
            return label
