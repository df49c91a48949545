"""Halobeat: connected regions, shortest paths, Life and more of NumPy's arrays, on all cores.

Arrays have 1 to 3 axes and any layout, and are not copied. Results are the same bytes for any number of ranks, which
are threads (`set_ranks`, `ranks`). Ctrl-C ends a call. Several threads may make calls at the same time; what a call
reads must not change until it returns.
"""

from . import filters
from ._clusters import kmeans, slic
from ._components import contacts, dust, largest_k, statistics
from ._distance import distance_transform_edt, expand_labels, local_thickness
from ._files import ImageInfo, imread, imwrite
from ._filter import filter
from ._halobeat import Cancelled, FormatError
from ._halobeat import version as __version__
from ._label import label
from ._life import Life
from ._paths import MCP_Geometric, route_through_array
from ._ranks import get_ranks, ranks, set_ranks
from ._regions import regionprops_table
from ._segment import morphological_chan_vese
from ._split import split
from ._stencil import heat, stencil
from ._table import Table
from ._walk import Estimate, Interval, Walk, random_walk
from ._watershed import watershed

__all__ = ["Cancelled", "Estimate", "FormatError", "ImageInfo", "Interval", "Life", "MCP_Geometric", "Table", "Walk",
           "__version__", "contacts", "distance_transform_edt", "dust", "expand_labels", "filter", "filters", "get_ranks",
           "heat", "imread", "imwrite", "kmeans", "label", "largest_k", "local_thickness", "morphological_chan_vese",
           "random_walk", "ranks", "regionprops_table", "route_through_array", "set_ranks", "slic", "split",
           "statistics", "stencil", "watershed"]
