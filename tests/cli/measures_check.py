"""Images for measures.sh, and what numpy and scikit-image make of their regions.

measures_check.py make FOLDER: images and volumes. compare RUNS SKIMAGE: a line for each run, its folder,
its image and its options; all columns that are known here are compared with those of the labels beside
the table."""

import csv
import itertools
import math
import sys
from fractions import Fraction

import numpy
from scipy import ndimage
from scipy.spatial import ConvexHull

from checks import options_of


def make(folder):
    random = numpy.random.RandomState(5)

    def blobs(shape, sigma):
        blurred = ndimage.gaussian_filter(random.rand(*shape), sigma, mode="wrap")
        return (blurred - blurred.min()) / (blurred.max() - blurred.min())

    def save(name, image):
        numpy.save("%s/%s.npy" % (folder, name), image)

    grey = blobs((43, 90), 2.2)
    save("blobs", numpy.uint8(255 * grey))
    save("noise", numpy.uint8(255 * random.rand(25, 40)))
    save("column", numpy.uint8(255 * (random.rand(90, 1) < 0.6)))
    save("row", numpy.uint8(255 * (random.rand(1, 90) < 0.6)))
    solid = blobs((9, 17, 22), 1.2)
    save("volume", numpy.uint8(255 * solid))
    save("tall", numpy.uint8(255 * blobs((31, 6, 40), (2, 0.7, 3))))
    z, y, x = numpy.mgrid[:15, :17, :19]
    save("balls", numpy.uint8(255 * (((z - 7) ** 2 + (y - 8) ** 2 + (x - 9) ** 2 <= 44) | (z == y) & (y == x) |
                                     (z == 14) | (z == 0) & (y == 0))))
    save("grey16", numpy.uint16(65535 * grey))
    save("bits", grey > 0.5)
    save("int16", numpy.int16(20000 * (grey - 0.7)))
    save("solid16", numpy.int16(20000 * (solid - 0.7)))
    holed = numpy.float32(grey * 3 - 1)
    holed[random.rand(*grey.shape) < 0.05] = numpy.nan
    save("float32", holed)
    save("float64", 1e6 + grey * 1e-3)
    save("solid64", (solid - 0.5) * 1e200)
    save("uint64", numpy.uint64(2**60 * grey) + numpy.uint64(2**63))
    save("int64", numpy.int64(2**62 * grey) - numpy.int64(2**61))
    save("parts", numpy.int32(random.randint(-2, 3, (23, 31)) * 100000))


# ---- what should be ---------------------------------------------------------------------------------


def euler(inside):
    """Vertices less edges plus faces less voxels of closed squares or cubes."""
    wide, axes, total = numpy.pad(inside, 1), inside.ndim, 0
    for cell in numpy.ndindex(*(2,) * axes):
        # Along axes where the cell is 0 it is a point between two pixels, of which either may have it.
        there = wide
        for axis in range(axes):
            low = [slice(0, -1) if a == axis else slice(None) for a in range(axes)]
            high = [slice(1, None) if a == axis else slice(None) for a in range(axes)]
            if cell[axis] == 0:
                there = there[tuple(low)] | there[tuple(high)]
        total += (-1) ** sum(cell) * int(there.sum())
    return total


def edge_centres(places):
    """Twice the centres of the edges of pixels, or of the faces of voxels."""
    steps = numpy.identity(places.shape[1], dtype=int)
    return numpy.unique(numpy.concatenate([2 * places + step for step in (*steps, *-steps)]), axis=0)


def hull_voxels(places):
    """Voxels whose centres are in the hull of the centres of voxels' faces, or on its faces."""
    low, high = places.min(0), places.max(0) + 1
    found = numpy.array([place for place in numpy.ndindex(*(high - low))]) + low
    planes = ConvexHull(edge_centres(places)).equations
    return found[(2 * found @ planes[:, :-1].T + planes[:, -1] <= 1e-7).all(1)]


def hull_pixels(places):
    """Pixels whose centres are in the hull of the centres of pixels' edges, or on its edge."""
    corners = []
    points = edge_centres(places).tolist()
    for way in (points, points[::-1]):
        chain = []
        for point in way:
            while len(chain) > 1 and cross(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        corners += chain[:-1]
    low, high = places.min(0), places.max(0) + 1
    found = numpy.array([place for place in numpy.ndindex(*(high - low))]) + low
    in_it = numpy.ones(len(found), dtype=bool)
    for a, b in zip(corners, corners[1:] + corners[:1]):
        in_it &= (b[0] - a[0]) * (2 * found[:, 1] - a[1]) - (b[1] - a[1]) * (2 * found[:, 0] - a[0]) >= 0
    return found[in_it]


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def width(points):
    """The least distance of two parallel lines around points."""
    corners = points[ConvexHull(points).vertices]
    widths = []
    for one, other in zip(corners, numpy.roll(corners, -1, 0)):
        across = numpy.array([one[1] - other[1], other[0] - one[0]])
        widths.append(numpy.abs((corners - one) @ across).max() / numpy.hypot(*across))
    return min(widths)


def surface(inside, spacing):
    """The area of the surface around the voxels, and the volume in it, by scikit-image."""
    from skimage.measure import marching_cubes, mesh_surface_area
    places, faces = marching_cubes(numpy.pad(inside, 1).astype("f4"), 0.5, spacing=spacing,
                                   allow_degenerate=False)[:2]
    a, b, c = (places[faces[:, i]].astype(float) for i in range(3))
    return mesh_surface_area(places, faces), abs((a * numpy.cross(b, c)).sum() / 6)


def neighbours(inside, labels):
    near = ndimage.binary_dilation(inside) & ~inside
    return len(numpy.setdiff1d(labels[near], [0]))


def outline(places, spacing):
    return edge_centres(hull_pixels(places)) * numpy.array(spacing) / 2


def feret(places, spacing):
    if places.shape[1] == 3:
        points = edge_centres(hull_voxels(places))
        points = points[ConvexHull(points).vertices] * numpy.array(spacing) / 2
    else:
        points = outline(places, spacing)
    return max(math.sqrt(((points - point) ** 2).sum(1).max()) for point in points)


def width_of_solid(places, spacing):
    """The least over all directions across a facet, or across two edges, of all points."""
    points = edge_centres(hull_voxels(places)) * numpy.array(spacing) / 2
    hull = ConvexHull(points)
    edges = {tuple(sorted(pair)) for facet in hull.simplices for pair in itertools.combinations(facet.tolist(), 2)}
    along = numpy.array([points[b] - points[a] for a, b in edges])
    corners, least = points[hull.vertices], math.inf
    for directions in itertools.chain([hull.equations[:, :3]], (numpy.cross(edge, along) for edge in along)):
        lengths = numpy.sqrt((directions ** 2).sum(1))
        directions = directions[lengths > 1e-9] / lengths[lengths > 1e-9, None]
        if len(directions):
            least = min(least, numpy.ptp(directions @ corners.T, axis=1).min())
    return least


def of_samples(places, samples, spacing):
    """Of the numbers among the samples, exactly: integers as such, reals as fractions."""
    numbers = [Fraction(sample) for sample in samples.tolist() if not math.isnan(sample)]
    places = places[~numpy.isnan(samples.astype(float))].tolist()
    count, total = len(numbers), sum(numbers)
    spread = sum(number * number for number in numbers) / count - (total / count) ** 2
    middle = sorted(numbers)[(count - 1) // 2:count // 2 + 1]
    found = {"intensity_median": float(sum(middle) / len(middle)),
             "intensity_std": math.sqrt(spread) if spread < 1e300 else math.inf}
    for percentile in (5, 25, 75, 95):
        found["intensity_p%d" % percentile] = float(numpy.percentile([float(number) for number in numbers], percentile))
    for axis, size in enumerate(spacing):
        found["centroid_weighted-%d" % axis] = math.nan if total == 0 else float(
            sum(number * place[axis] for number, place in zip(numbers, places)) / total) * size
    return found


MOST_IN_WIDTHS = 600  # voxels of regions whose widths are found by all pairs of edges


def thickness_of(foreground):
    """The diameter of the largest ball, of those about all pixels, that has a pixel in it."""
    if foreground.all():
        return numpy.full(foreground.shape, math.inf)
    squares = numpy.rint(ndimage.distance_transform_edt(foreground) ** 2).astype(int)
    largest = numpy.zeros(squares.shape, int)
    for square in numpy.unique(squares[squares > 0]):  # all pixels nearer to a centre of this radius than that
        away = numpy.rint(ndimage.distance_transform_edt(squares != square) ** 2).astype(int)
        largest[away < square] = square
    return 2 * numpy.sqrt(largest)


def measures_of(inside, image, spacing, labels, thickness, with_surface):
    """A dictionary of columns, from the pixels of one region."""
    axes, cell = inside.ndim, float(numpy.prod(spacing))
    places = numpy.argwhere(inside)
    low, high = places.min(0), places.max(0) + 1
    count = len(places)
    diameters = 2 * axes * count * cell / math.pi
    found = {"area": count * cell, "extent": count / float(numpy.prod(high - low)),
             "equivalent_diameter_area": diameters ** (1 / axes), "area_bbox": float(numpy.prod(high - low)) * cell,
             "area_convex": len((hull_voxels if axes == 3 else hull_pixels)(places)) * cell}
    for axis, name in enumerate("zyx"[-axes:]):
        found["spans_" + name] = int(low[axis] == 0 and high[axis] == inside.shape[axis])
        found["centroid-%d" % axis] = places[:, axis].mean() * spacing[axis]
    found["euler_number"] = euler(inside[tuple(slice(a, b) for a, b in zip(low, high))])
    found["feret_diameter_max"] = feret(places, spacing)
    found["neighbours"] = neighbours(inside, labels)
    if len(set(spacing)) == 1:
        found["thickness_mean"] = thickness[inside].mean() * spacing[0]
        found["thickness_max"] = thickness[inside].max() * spacing[0]
    if axes == 3 and len(places) < MOST_IN_WIDTHS:
        found["feret_diameter_min"] = width_of_solid(places, spacing)
    if axes == 2:
        found["feret_diameter_min"] = width(outline(places, spacing))
    elif with_surface:
        box = inside[tuple(slice(a, b) for a, b in zip(low, high))]
        found["surface_area"], found["mesh_volume"] = surface(box, spacing)
        found["sphericity"] = math.pi ** (1 / 3) * (6 * count * cell) ** (2 / 3) / found["surface_area"]
    found.update(of_samples(places, image[inside], spacing))
    return found


def close(text, should, digits=1e-11):
    """Ratios are written with 6 digits behind the point, reals with all of theirs."""
    found, ratio = float(text), len(text.partition(".")[2]) == 6
    if not math.isfinite(should):
        return str(found) == str(should)
    return abs(found - should) <= max(digits * abs(should), 6e-7 if ratio else 0)


def check_skimage(row, region, axes):
    if hasattr(region, "weighted_centroid"):
        for axis, should in enumerate(region.weighted_centroid if axes else []):
            name = "centroid_weighted-%d" % axis
            assert name not in row or close(row[name], should, 1e-9), (name, row, should)
    # Its older versions leave out some pixels on the border of the hull, and have none of flat regions of volumes.
    solid, flat = region.coords.shape[1] == 3, min(region.image.shape) == 1
    hull = hull_voxels if solid else hull_pixels
    if "feret_diameter_max" in row and not (solid and flat) and len(hull(region.coords)) == region.area_convex:
        assert close(row["feret_diameter_max"], region.feret_diameter_max, 1e-9), (row, region.feret_diameter_max)
    for name in ("area", "extent", "equivalent_diameter_area", "euler_number"):
        assert name not in row or close(row[name], region[name], 1e-9), (name, row, region[name])


# scikit-image has vertices of single precision, and with a spacing other diagonals where surfaces are not unique.
SINGLE, VOLUME = 3e-6, 2e-2

# Columns that tests/cli/compare_regions.py compares with those of scikit-image.
ELSEWHERE = {"label", "axis_major_length", "axis_minor_length", "eccentricity", "orientation", "perimeter", "solidity",
             "intensity_mean", "intensity_min", "intensity_max"} | {"bbox-%d" % place for place in range(6)}


def compare(runs, with_skimage):
    for line in open(runs):
        folder, path, *words = line.split()
        options = options_of(words)
        labels, image = numpy.load(folder + "/labels.npy"), numpy.load(path)
        spacing = [float(word) for word in options.get("--spacing", "1,1,1").split(",")][-labels.ndim:]
        with open(folder + "/regions.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == labels.max() and rows, line
        compared, thickness = set(), thickness_of(labels != 0)
        for row in rows:
            should = measures_of(labels == int(row["label"]), image, spacing, labels, thickness,
                                 with_skimage == "yes")
            for name in set(should) & set(row):
                digits = SINGLE if name in ("surface_area", "sphericity") else \
                    VOLUME if name == "mesh_volume" and "--spacing" in options else \
                    SINGLE if name == "mesh_volume" else 1e-11
                assert close(row[name], should[name], digits), (line, name, row, should[name])
                compared.add(name)
        wanted = set(should)
        if options["--properties"] != "all":
            wanted &= set(options["--properties"].split(","))
        assert compared >= wanted, (line, wanted - compared)
        unknown = {"surface_area", "mesh_volume", "sphericity"} if with_skimage != "yes" else set()
        unknown |= {"feret_diameter_min"} if labels.ndim == 3 else set()  # of large regions
        assert set(rows[0]) <= compared | ELSEWHERE | unknown, ("columns that nothing is known of", set(rows[0]) - compared)
        if with_skimage == "yes" and "--spacing" not in options:
            from skimage.measure import regionprops
            weights = image.dtype == numpy.uint8
            for row, region in zip(rows, regionprops(labels, image if weights else None)):
                check_skimage(row, region, weights)


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
