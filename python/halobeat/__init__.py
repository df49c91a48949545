"""Halobeat: connected regions, shortest paths, Life and more of NumPy's arrays, on all cores.

Arrays have 1 to 3 axes and any layout, and are not copied. Results are the same bytes for any number of ranks, which
are threads (`set_ranks`, `ranks`). Ctrl-C ends a call. Several threads may make calls at the same time; what a call
reads must not change until it returns.
"""

from ._halobeat import Cancelled, FormatError
from ._halobeat import version as __version__
from ._label import label
from ._life import Life
from ._paths import MCP_Geometric, route_through_array
from ._ranks import get_ranks, ranks, set_ranks
from ._segment import morphological_chan_vese
from ._stencil import heat, stencil

__all__ = ["Cancelled", "FormatError", "Life", "MCP_Geometric", "__version__", "get_ranks", "heat", "label",
           "morphological_chan_vese", "ranks", "route_through_array", "set_ranks", "stencil"]
