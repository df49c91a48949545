"""Images for regions_drawn.sh, and looks at what became of them.

regions_drawn_check.py make FOLDER. polygons LABELS GEOJSON [ZIP]: polygons have the pixels of the labels. outline
LABELS PICTURE FOLDER: pictures are that picture with the inner edges of the labels. on_map GEOJSON GEOJSON: the second
one lies on a map."""

import glob
import json
import struct
import sys
import zipfile

import numpy
import tifffile
from PIL import Image
from scipy import ndimage


def make(folder):
    random = numpy.random.RandomState(4)

    def save(name, image):
        numpy.save("%s/%s.npy" % (folder, name), image)

    noise = (random.rand(33, 47) < .5) * random.randint(1, 5, (33, 47))
    save("noise", noise.astype("uint8"))
    save("noise-grey", random.randint(0, 256, noise.shape).astype("uint8"))
    colours = ndimage.gaussian_filter(random.rand(33, 47, 3), (2, 2, 0))
    Image.fromarray(numpy.uint8(255 * (colours - colours.min()) / numpy.ptp(colours))).save(
        folder + "/noise-colour.png")
    Image.fromarray(noise > 2).save(folder + "/noise-bits.png")
    save("dense", (random.rand(41, 30) < .7).astype("int32") * 7)
    save("row", random.randint(0, 3, (1, 50)).astype("uint16"))
    save("column", random.randint(0, 3, (50, 1)).astype("uint16"))
    save("many", ndimage.label(random.rand(60, 61) < .6)[0].astype("int64") * 3)
    grey = ndimage.gaussian_filter(random.rand(40, 70), 1.5)
    save("grey", numpy.uint8(255 * (grey - grey.min()) / numpy.ptp(grey)))
    # A map whose pixels are 10 wide and 5 high, y up; the corner of the first one is at (500000, 4000).
    tifffile.imwrite(folder + "/map.tif", noise.astype("uint8"), extratags=[
        (33550, "d", 3, (10., 5., 0.), True), (33922, "d", 6, (0., 0., 0., 500000., 4000., 0.), True),
        (34735, "H", 8, (1, 1, 0, 1, 1025, 0, 1, 1), True)])
    save("solid", random.randint(0, 3, (4, 9, 21)).astype("uint8"))
    save("solid-grey", random.randint(0, 256, (4, 9, 21)).astype("uint8"))
    save("wide", numpy.ones((1, 60001), "uint8"))
    save("most", numpy.arange(1, 65537, dtype="int32").reshape(256, 256))


def fill(rings, shape):
    """The pixels that an odd number of rings have around them."""
    turns = numpy.zeros((shape[0], shape[1] + 1), int)
    for ring in rings:
        for (x, y), (other, end) in zip(ring, ring[1:] + ring[:1]):
            if x == other:
                turns[min(y, end):max(y, end), x] += 1
    return numpy.cumsum(turns, 1)[:, :-1] % 2 == 1


def twice_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))


def check_ring(closed):
    """It is closed, turns at each point, and is never at the same one again."""
    assert closed[0] == closed[-1]
    ring = [tuple(point) for point in closed[:-1]]
    assert len(set(ring)) == len(ring) >= 4
    for a, b, c in zip(ring, ring[1:] + ring[:1], ring[2:] + ring[:2]):
        assert (a[0] == b[0]) != (a[1] == b[1]) and (a[0] == b[0]) != (b[0] == c[0]), (a, b, c)
    return ring


def rings_of_roi(data):
    """As ImageJ's RoiDecoder reads them."""
    assert data[:4] == b"Iout"
    top, left, bottom, right, count = struct.unpack(">4hH", data[8:18])
    floats, = struct.unpack(">i", data[36:40])
    if not floats:
        assert data[6] == 8 and len(data) == 64 + 4 * count
        places = struct.unpack(">%dh" % (2 * count), data[64:])
        rings = [[(left + x, top + y) for x, y in zip(places[:count], places[count:])]]
    else:
        assert data[6] == 1 and len(data) == 64 + 4 * floats
        values, rings, at = struct.unpack(">%df" % floats, data[64:]), [], 0
        while at < floats:
            if values[at] == 0:
                rings.append([])
            if values[at] in (0, 1):
                rings[-1].append((int(values[at + 1]), int(values[at + 2])))
            at += 1 if values[at] == 4 else 3
    xs, ys = zip(*(point for ring in rings for point in ring))
    assert (min(xs), min(ys), max(xs), max(ys)) == (left, top, right, bottom)
    return rings


def polygons(path, geojson, archive=None):
    labels = numpy.load(path)
    with open(geojson) as file:
        features = json.load(file)["features"]
    regions = [int(label) for label in numpy.unique(labels) if label > 0] if labels.min() >= 0 else \
        list(dict.fromkeys(labels[labels >= 0].tolist()))
    assert sorted(feature["id"] for feature in features) == sorted(regions) and features
    for feature in features:
        assert feature["properties"]["label"] == feature["id"]
        inside, geometry = labels == feature["id"], feature["geometry"]
        assert feature["properties"]["area"] == inside.sum()
        pieces, count = ndimage.label(inside)
        assert geometry["type"] == ("Polygon" if count == 1 else "MultiPolygon")
        found = [geometry["coordinates"]] if count == 1 else geometry["coordinates"]
        assert len(found) == count
        seen = set()
        for polygon in found:
            rings = [check_ring(ring) for ring in polygon]
            assert twice_area(rings[0]) > 0 and all(twice_area(ring) < 0 for ring in rings[1:])
            pixels = fill(rings, labels.shape)
            piece = int(pieces[pixels][0])
            assert (pixels == (pieces == piece)).all()
            seen.add(piece)
        assert len(seen) == count
    if archive:
        with zipfile.ZipFile(archive) as file:
            assert file.testzip() is None
            assert file.namelist() == ["%06d.roi" % feature["id"] for feature in features]
            for feature in features:
                rings = rings_of_roi(file.read("%06d.roi" % feature["id"]))
                assert (fill(rings, labels.shape) == (labels == feature["id"])).all()


def on_map(plain, mapped):
    """Polygons of map.tif are those of noise.npy on the map, and go the other way round."""
    with open(plain) as one, open(mapped) as other:
        pairs = list(zip(json.load(one)["features"], json.load(other)["features"], strict=True))
    for one, other in pairs:
        assert one["properties"] == other["properties"] and one["geometry"]["type"] == other["geometry"]["type"]
        for polygon, found in zip(one["geometry"]["coordinates"], other["geometry"]["coordinates"], strict=True):
            several = one["geometry"]["type"] == "MultiPolygon"
            for ring, there in zip(polygon, found, strict=True) if several else [(polygon, found)]:
                assert [[500000 + 10 * x, 4000 - 5 * y] for x, y in ring[::-1]] == there
    assert len(pairs) == 4


def edges(labels):
    """As skimage.segmentation.find_boundaries with the mode "inner"."""
    padded = numpy.pad(labels, 1, mode="edge")
    near = [padded[1 + y:padded.shape[0] - 1 + y, 1 + x:padded.shape[1] - 1 + x]
            for y, x in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    return (labels > labels.min()) & numpy.any([other != labels for other in near], axis=0) if labels.min() <= 0 \
        else numpy.any([other != labels for other in near], axis=0)


def outline(path, picture, folder):
    labels = numpy.load(path)
    under = numpy.asarray(Image.open(picture).convert("L" if "bits" in picture else None)) if picture.endswith(".png") else numpy.load(picture)
    files = sorted(glob.glob(folder + "/*.png"))
    planes = [(labels, under)] if labels.ndim == 2 else list(zip(labels, under))
    assert len(files) == len(planes)
    for file, (plane, behind) in zip(files, planes):
        should = behind.copy() if behind.ndim == 3 else numpy.repeat(behind[..., None], 3, -1)
        should[edges(plane.astype("int64"))] = 255, 0, 160
        assert (numpy.asarray(Image.open(file)) == should).all(), file


if __name__ == "__main__":
    {"make": make, "polygons": polygons, "outline": outline, "on_map": on_map}[sys.argv[1]](*sys.argv[2:])
