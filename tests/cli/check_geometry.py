"""check_geometry.py make FOLDER: volumes of 5 x 4 x 3 bytes whose headers say where they lie, and LIST, a line
"NAME AXES" for each. check_geometry.py check FOLDER OUTPUTS ENDING...: do all files OUTPUTS/NAME/{one,again}.ENDING
lie where the volume NAME does, in the units that their formats have? check_geometry.py peers FOLDER OUTPUTS: and
does nibabel see them there? What else it checks is said where it does."""

import json
import math
import os
import struct
import sys

import numpy

METRES = {"": 0, "angstrom": 1e-10, "nm": 1e-9, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1}
SIZES = (5, 4, 3)  # x, y, z


def volume(axes):
    samples = numpy.zeros(SIZES[::-1], "u1")
    samples[1, 1:3, 1:4] = 100
    return samples if axes == 3 else samples[1]


def rotation(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    turn = numpy.eye(3)
    i, j = [k for k in range(3) if k != axis]
    turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
    return turn


OBLIQUE = rotation(2, 0.3) @ rotation(0, -1.1) @ rotation(1, 2.5)
MIRRORED = OBLIQUE @ numpy.diag([1, 1, -1])
SHEARED = numpy.array([[1, 0.2, 0], [0, math.sqrt(0.96), 0], [0, 0, 1]])
SPACING, ORIGIN = numpy.array([0.5, 0.75, 2]), numpy.array([110.5, -20.25, 300])


def affine(direction, spacing=SPACING, origin=ORIGIN):
    """[component][x, y, z, origin], with LPS components."""
    return numpy.column_stack([direction * spacing, origin])


def meta(at, unit="", axes=3, key="ElementSpacing"):
    spacing = numpy.linalg.norm(at[:axes, :axes], axis=0)
    matrix = (at[:axes, :axes] / spacing).T.ravel()
    words = lambda numbers: " ".join(repr(float(number)) for number in numbers)
    text = f"ObjectType = Image\nNDims = {axes}\nTransformMatrix = {words(matrix)}\n"
    text += f"Offset = {words(at[:axes, 3])}\n{key} = {words(spacing)}\n"
    text += f"DistanceUnits = {unit}\n" if unit else ""
    text += f"DimSize = {' '.join(map(str, SIZES[:axes]))}\nElementType = MET_UCHAR\n"
    return (text + "ElementDataFile = LOCAL\n").encode()


def nrrd(fields, axes=3):
    sizes = " ".join(map(str, SIZES[:axes]))
    return (f"NRRD0005\ntype: uint8\ndimension: {axes}\nsizes: {sizes}\nencoding: raw\n{fields}\n").encode()


def vectors(at, signs=(1, 1, 1)):
    text = lambda v: "(" + ", ".join(repr(float(a * b)) for a, b in zip(v, signs)) + ")"
    return "space directions: " + " ".join(text(at[:, i]) for i in range(3)) + f"\nspace origin: {text(at[:, 3])}\n"


def quaternion(r):
    """The last three numbers of the unit quaternion of a rotation, with the first one above 0."""
    values, basis = numpy.linalg.eigh(numpy.array([
        [r[0, 0] - r[1, 1] - r[2, 2], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
        [r[1, 0] + r[0, 1], r[1, 1] - r[0, 0] - r[2, 2], r[2, 1] + r[1, 2], r[0, 2] - r[2, 0]],
        [r[0, 2] + r[2, 0], r[2, 1] + r[1, 2], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]]))
    b, c, d, a = basis[:, numpy.argmax(values)]
    return numpy.array([b, c, d]) * (1 if a >= 0 else -1)


def nifti(at, version=1, unit=2, sform=True, qform=False, order="<", axes=3):
    """NIfTI's components point to the right and to the front."""
    ras = numpy.diag([-1, -1, 1]) @ at
    spacing = numpy.linalg.norm(at[:, :3], axis=0)
    turn = ras[:, :3] / spacing
    hand = -1 if numpy.linalg.det(turn) < 0 else 1
    turned = quaternion(turn @ numpy.diag([1, 1, hand])) if qform else numpy.zeros(3)
    sizes = [axes, *SIZES[:axes]] + [1] * (7 - axes)
    steps = [hand, *spacing, 1, 1, 1, 1]
    place = [*turned, *(ras[:, 3] if qform else (0, 0, 0))]
    rows = ras.ravel() if sform else numpy.zeros(12)
    if version == 1:
        head = struct.pack(order + "i36x8h14x2h2x8f3f2xc", 348, *sizes, 2, 8, *steps, 352, 1, 0, bytes([unit]))
        head = head.ljust(252, b"\0") + struct.pack(order + "2h6f12f", qform, sform, *place, *rows)
        return head.ljust(344, b"\0") + b"n+1\0" + bytes(4)
    head = struct.pack(order + "i8s2h8q3d8dq2d", 540, b"n+2\0\r\n\x1a\n", 2, 8, *sizes, 0, 0, 0, *steps, 544, 1, 0)
    head = head.ljust(344, b"\0") + struct.pack(order + "2i6d12d", qform, sform, *place, *rows)
    return head.ljust(500, b"\0") + struct.pack(order + "i", unit).ljust(44, b"\0")


def mrc(spacing, origin, start=(0, 0, 0), axes=(1, 2, 3)):
    """`spacing` and `start` are those of columns, rows and sections, which lie along `axes`."""
    grid, cell = [0] * 3, [0] * 3
    for i, axis in enumerate(axes):
        grid[axis - 1], cell[axis - 1] = SIZES[i], spacing[i] * SIZES[i]
    head = struct.pack("<3ii3i3i3f3f3i", *SIZES, 0, *start, *grid, *cell, 90, 90, 90, *axes)
    return head.ljust(196, b"\0") + struct.pack("<3f4s4s", *origin, b"MAP ", b"DD\0\0").ljust(828, b"\0")


def inputs():
    """Name, header, where it lies, unit, axes."""
    straight, oblique, mirrored, sheared = (affine(d) for d in (numpy.diag([-1, -1, 1]), OBLIQUE, MIRRORED, SHEARED))
    yield "straight.mha", meta(straight), straight, "mm", 3
    yield "sizes.mha", meta(straight, key="ElementSize"), straight, "mm", 3
    yield "oblique.mha", meta(oblique, "um"), oblique, "um", 3
    flat = affine(rotation(2, 0.4))
    yield "flat.mha", meta(flat, axes=2), flat, "mm", 2
    yield "sform.nii", nifti(oblique, unit=0), oblique, "mm", 3
    yield "sheared.nii", nifti(sheared, version=2, unit=3), sheared, "um", 3
    yield "qform.nii", nifti(mirrored, sform=False, qform=True, order=">"), mirrored, "mm", 3
    half = affine(rotation(1, math.pi))
    yield "half.nii", nifti(half, version=2, unit=1, sform=False, qform=True), half, "m", 3
    yield "ras.nrrd", nrrd("space: right-anterior-superior\n" + vectors(oblique, (-1, -1, 1))), oblique, "mm", 3
    yield "las.nrrd", nrrd("space: LAS\n" + vectors(mirrored, (1, -1, 1)) + 'space units: "nm" "nm" "nm"\n'), mirrored, \
        "nm", 3
    yield "lps.nrrd", nrrd("space: left-posterior-superior\n" + vectors(sheared)), sheared, "mm", 3
    yield "plain.nrrd", nrrd("space dimension: 3\n" + vectors(straight)), straight, "", 3
    edges = affine(numpy.eye(3), SPACING, numpy.array([1, 2, 3]) + SPACING / 2)
    yield "edges.nrrd", nrrd('spacings: 0.5 0.75 2\naxis mins: 1 2 3\nunits: "um" "micron" "\xb5m"\n'), edges, "um", 3
    ends = " ".join(str(1 + i + SIZES[i] * SPACING[i]) for i in range(3))
    yield "ends.nrrd", nrrd(f'axis mins: 1 2 3\naxis maxs: {ends}\nunits: "nm" "nm" "nm"\n'), edges, "nm", 3
    yield "cell.mrc", mrc(SPACING, ORIGIN), affine(numpy.eye(3)), "angstrom", 3
    turned = numpy.eye(3)[[1, 0, 2]]  # columns lie along y, and rows along x
    begin = numpy.array([3 * SPACING[1], 2 * SPACING[0], -SPACING[2]])
    yield "turned.mrc", mrc(SPACING, numpy.zeros(3), (2, 3, -1), (2, 1, 3)), affine(turned, origin=begin), "angstrom", 3


GEO_KEYS = (1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633, 1026, 34737, 12, 0)
GEO_TAGS = [(33550, 12, 3, (0.5, 0.75, 0), True), (33922, 12, 6, (2, 1, 0, 500000.25, 5300000, 0), True),
            (34735, 3, len(GEO_KEYS), GEO_KEYS, True), (34737, 2, 13, "WGS 84 / UTM|", True)]


# Characters by their numbers, and a name of the space of names.
NUMBERS = """<?xml version="1.0"?><o:OME xmlns:o="http://www.openmicroscopy.org/Schemas/OME/2016-06"><o:Image ID="Image:0">
<o:Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="5" SizeY="4" SizeZ="1" SizeC="1" SizeT="1"
PhysicalSizeX="0.5" PhysicalSizeXUnit="&#xb5;m" PhysicalSizeY="750" PhysicalSizeYUnit="&#x6e;&#109;">
<o:Channel ID="Channel:0" SamplesPerPixel="1"/><o:TiffData IFD="0"/></o:Pixels></o:Image></o:OME>"""


def tiffs(folder):
    """TIFF by tifffile; the same columns as those of inputs()."""
    import tifffile

    place = lambda name: os.path.join(folder, name)
    spaced = affine(numpy.eye(3), origin=numpy.zeros(3))
    solid, flat = volume(3), volume(2)
    across = (1 / SPACING[0], 1 / SPACING[1])
    told = lambda unit: {"unit": unit, "spacing": 2, "axes": "ZYX"}
    tifffile.imwrite(place("imagej.tif"), solid, imagej=True, resolution=across, metadata=told("um"))
    yield "imagej.tif", None, spaced, "um", 3
    tifffile.imwrite(place("micron.tif"), solid, imagej=True, resolution=across, metadata=told("\\u00B5m"))
    yield "micron.tif", None, spaced, "um", 3
    tifffile.imwrite(place("pixel.tif"), solid, imagej=True, resolution=across, metadata=told("pixel"))
    yield "pixel.tif", None, spaced, "", 3
    sizes = {"PhysicalSizeX": 0.5, "PhysicalSizeY": 0.75, "PhysicalSizeZ": 2, "axes": "ZYX"}
    tifffile.imwrite(place("micro.ome.tif"), solid, ome=True, metadata=sizes)
    yield "micro.ome.tif", None, spaced, "um", 3
    units = {f"PhysicalSize{axis}Unit": unit for axis, unit in zip("XYZ", ("mm", "mm", "\xb5m"))}
    tifffile.imwrite(place("mixed.ome.tif"), solid, ome=True, metadata={**sizes, "PhysicalSizeZ": 2000, **units})
    yield "mixed.ome.tif", None, spaced, "mm", 3
    units = {f"PhysicalSize{axis}Unit": "nm" for axis in "XYZ"}
    with tifffile.TiffWriter(place("second.ome.tif"), ome=True) as file:  # the largest image is not the first one
        file.write(flat[:2, :2].copy(), metadata={"axes": "YX", "PhysicalSizeX": 9, "PhysicalSizeY": 9})
        file.write(solid, metadata={**sizes, **units})
    yield "second.ome.tif", None, spaced, "nm", 3
    tifffile.imwrite(place("numbers.ome.tif"), flat, description=NUMBERS, metadata=None)
    yield "numbers.ome.tif", None, spaced, "um", 2
    tifffile.imwrite(place("cm.tif"), flat, resolution=across, resolutionunit="CENTIMETER")
    yield "cm.tif", None, spaced, "cm", 2
    tifffile.imwrite(place("geo.tif"), flat, extratags=GEO_TAGS)
    corner = numpy.array([500000.25 - 2 * 0.5 + 0.25, 5300000 + 0.75 - 0.375, 0])
    yield "geo.tif", None, affine(numpy.diag([1, -1, -1]), origin=corner), "m", 2
    # Points on the ground, of which a program may make a model.
    points = numpy.array([[0, 0, 0, 100, 200, 0], [5, 0, 0, 110, 200, 0], [0, 4, 0, 101, 190, 0]], float)
    tags = [(33922, 12, points.size, tuple(points.ravel()), True)] + GEO_TAGS[2:]
    tifffile.imwrite(place("points.tif"), flat, extratags=tags)
    tifffile.imwrite(place("angstrom.tif"), solid, imagej=True, resolution=across, metadata=told("\\u00C5"))
    yield "angstrom.tif", None, spaced, "angstrom", 3
    # Resolutions of prints and screens measure nothing.
    for name, dots, unit in (("inch.tif", 300, "INCH"), ("print.tif", 300 / 2.54, "CENTIMETER")):
        tifffile.imwrite(place(name), flat, resolution=(dots, dots), resolutionunit=unit)


def zarr(folder):
    """OME-Zarr, one sample of time and a channel before the axes of space."""
    place = os.path.join(folder, "place.zarr")
    os.makedirs(place + "/0", exist_ok=True)
    write = lambda name, value: open(os.path.join(place, name), "w").write(json.dumps(value))
    axes = [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}]
    axes += [{"name": name, "type": "space", "unit": "micrometer"} for name in "zyx"]
    steps = [{"type": "scale", "scale": [1, 1, 1, 0.375, 0.25]}, {"type": "translation", "translation": [0, 0, 3, 2, 1]}]
    scene = {"axes": axes, "datasets": [{"path": "0", "coordinateTransformations": steps}], "version": "0.4",
             "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 2, 2, 2]}]}
    write(".zgroup", {"zarr_format": 2})
    write(".zattrs", {"multiscales": [scene]})
    shape = [1, 1, *SIZES[::-1]]
    write("0/.zarray", {"zarr_format": 2, "shape": shape, "chunks": shape, "dtype": "|u1", "compressor": None,
                        "fill_value": 0, "order": "C", "filters": None})
    open(place + "/0/0.0.0.0.0", "wb").write(volume(3).tobytes())
    return "place.zarr", None, affine(numpy.eye(3), origin=numpy.array([2, 4, 6])), "um", 3


def all_inputs(folder):
    yield from inputs()
    yield zarr(folder)
    try:
        yield from tiffs(folder)
    except ImportError:
        pass


def make(folder):
    with open(os.path.join(folder, "LIST"), "w") as names:
        for name, header, _, _, axes in all_inputs(folder):
            if header:
                open(os.path.join(folder, name), "wb").write(header + volume(axes).tobytes())
            names.write(f"{name} {axes}\n")
    for name, header in damaged():
        open(os.path.join(folder, name), "wb").write(header + volume(3).tobytes())


def damaged():
    """Headers that say nothing that can be computed with: the samples can be read all the same."""
    good = affine(OBLIQUE)
    text = meta(good).decode()
    matrix, offset = (next(row for row in text.split("\n") if row.startswith(key)) for key in ("Trans", "Offset"))
    for number, other in enumerate(("TransformMatrix = " + "1 0 0 " * 3, "TransformMatrix = " + "nan " * 9,
                                    "TransformMatrix = 1 0 0", "TransformMatrix = here and there",
                                    "TransformMatrix = " + "0 " * 9, "TransformMatrix = 1e308 1e308 0 0 1 0 0 0 1")):
        yield f"bad-{number}.mha", text.replace(matrix, other).encode()
    for number, other in enumerate(("Offset = inf 0 0", "Offset = 1", "Offset = " + "1 " * 20)):
        yield f"bad-1{number}.mha", text.replace(offset, other).encode()
    singular = good.copy()
    singular[:, 2] = singular[:, 1]
    yield "bad-1.nii", nifti(singular)
    yield "bad-1.nrrd", nrrd("space: LPS\n" + vectors(singular))
    yield "bad-2.nrrd", nrrd("space: LPS\nspace directions: (1,0,0) (0,1,0) (0,0,1\n")
    yield "bad-3.nrrd", nrrd("space: LPS\nspace directions: (1,0,0) none (0,0,1)\n")
    yield "bad-4.nrrd", nrrd("space: LPS\n" + vectors(good) + "space origin: (1,2,nan)\n")
    yield "bad-5.nrrd", nrrd("space dimension: 99\n" + vectors(good))
    yield "bad-1.mrc", mrc(SPACING, numpy.array([float("nan"), 0, 1]))


# ---- what outputs say, as (where, unit) --------------------------------------------------------


def words(text, key, separator):
    for line in text.split("\n"):
        if line.startswith(key + separator) or line.startswith(key + " " + separator):
            return line.split(separator, 1)[1].split()
    return []


def unplaced(spacing):
    return numpy.diag(numpy.append(spacing, [1] * (3 - len(spacing)))) @ numpy.eye(3, 4)


def read_meta(path, axes):
    text = open(path, "rb").read().split(b"ElementDataFile")[0].decode()
    number = lambda key: numpy.array([float(word) for word in words(text, key, "=")])
    at = numpy.eye(3, 4)
    if not len(number("TransformMatrix")):
        return unplaced(number("ElementSpacing")), "mm"
    at[:axes, :axes] = number("TransformMatrix").reshape(axes, axes).T * number("ElementSpacing")
    at[:axes, 3] = number("Offset")
    return at, "mm"


def read_nrrd(path, axes):
    text = open(path, "rb").read().split(b"\n\n")[0].decode()
    rows = [[float(n) for n in word.strip("()").split(",")] for word in words(text, "space directions", ":")]
    if not rows:
        unit = (words(text, "units", ":") or ['""'])[0].strip('"')
        return unplaced([float(word) for word in words(text, "spacings", ":")]), unit
    at = numpy.eye(3, 4)
    at[:axes, :axes] = numpy.array(rows).T
    at[:axes, 3] = [float(n) for n in words(text, "space origin", ":")[0].strip("()").split(",")]
    units = {word.strip('"') for word in words(text, "space units", ":")} or {""}
    assert len(units) == 1
    return at, units.pop()


def read_nifti(path, axes):
    head = open(path, "rb").read(544)
    wide = struct.unpack("<i", head[:4])[0] == 540
    _, sform = struct.unpack_from("<2i" if wide else "<2h", head, 344 if wide else 252)
    rows = struct.unpack_from("<12d" if wide else "<12f", head, 400 if wide else 280)
    code = (struct.unpack_from("<i", head, 500)[0] if wide else head[123]) & 7
    unit = ["", "m", "mm", "um"][code]
    if sform == 0:
        return unplaced(struct.unpack_from("<4d" if wide else "<4f", head, 104 if wide else 76)[1:]), unit
    assert sform == 1
    return numpy.diag([-1, -1, 1]) @ numpy.array(rows).reshape(3, 4), unit


def read_report(path, axes):
    found = json.load(open(path))["image"]["geometry"]
    at = numpy.eye(3, 4)
    if "direction" not in found:
        return unplaced(found["spacing"]), found.get("unit", "")
    spacing = numpy.array((found["spacing"] + [1])[:3])
    at[:, :3] = numpy.array(found["direction"]).T * spacing
    at[:, 3] = found["origin"]
    return at, found.get("unit", "")


def read_tiff(path, axes):
    """The lengths; places only of what is GeoTIFF."""
    import tifffile

    with tifffile.TiffFile(path) as file:
        tags, about = file.pages[0].tags, file.imagej_metadata
    spacing = [tags[key].value[1] / tags[key].value[0] for key in (282, 283)] + [about.get("spacing", 1)]
    return unplaced(spacing), about.get("unit", "").replace("micron", "um")


def read_hdf5(path, axes):
    import h5py

    with h5py.File(path, "r") as file:
        data = file["VTKHDF/PointData/labels"] if axes == 3 else file["labels"]
        at = (file["VTKHDF"] if axes == 3 else data).attrs
        unit = at.get("LengthUnit", b"").decode()
        spacing, direction = numpy.array(at["Spacing"]), numpy.array(at["Direction"]).reshape(3, 3)
        if unit:
            sizes = numpy.array(data.attrs["element_size_um"])[::-1]
            assert numpy.allclose(sizes[:axes] * 1e-6, spacing[:axes] * METRES[unit]), path
        return numpy.column_stack([direction * spacing, at["Origin"]]), unit


def read_zarr(path, axes):
    """Scale and translation of OME-NGFF; directions by the key of our own."""
    about = json.load(open(path + "/.zattrs"))
    scene, = about["multiscales"]
    data, = scene["datasets"]
    names = [axis["name"] for axis in scene["axes"]]
    units = {axis.get("unit", "") for axis in scene["axes"]}
    assert names == list("zyx")[-axes:] and len(units) == 1 and data["path"] == ".", scene
    spacing, *origin = [step[step["type"]][::-1] for step in data["coordinateTransformations"]]
    unit = {"micrometer": "um", "millimeter": "mm", "nanometer": "nm", "centimeter": "cm", "meter": "m"}
    unit = unit.get(*units, *units)
    at = unplaced(spacing)
    if "halobeat" in about:
        at[:, :3] = numpy.array(about["halobeat"]["direction"]).T @ at[:, :3]
        at[:, 3] = about["halobeat"]["origin"]
        assert at[:axes, 3].tolist() == origin[0], (at, origin)
    elif origin:
        at[:axes, 3] = origin[0]
    return at, unit


READERS = {".zarr": read_zarr, ".tif": read_tiff, ".h5": read_hdf5, ".mha": read_meta, ".mhd": read_meta, ".nrrd": read_nrrd, ".nii": read_nifti, ".json": read_report}


def near(path, found, unit, at, should, axes):
    """Places in metres; digits of a float. Of images of two axes what lies in their plane."""
    scale = METRES[should] / METRES[unit] if should and unit else 1
    wanted = (at * scale)[:axes, [0, 1, 2, 3][:axes] + [3]]
    got = found[:axes, [0, 1, 2, 3][:axes] + [3]]
    assert numpy.allclose(got, wanted, rtol=2e-6, atol=2e-6 * abs(wanted).max()), (path, got, wanted, unit, should)
    # MetaImage and NIfTI have no way to say that nobody knows the unit: readers take mm.
    assert unit or not should, (path, unit, should)


def check_geotiff(path):
    import tifffile

    tags = tifffile.TiffFile(path).pages[0].tags
    for tag, _, count, value, _ in GEO_TAGS:
        assert tags[tag].count in (count, count + 1) and tags[tag].value == value, (path, tags[tag])


def outputs(folder, outputs_folder, endings):
    """All that was made of the images, as (path, ending, name, where, unit, axes)."""
    for name, _, at, unit, axes in all_inputs(folder):
        again = [ending for ending in endings if ending in ("nii", "zarr", "nrrd", "json")]
        for file, ending in [("one." + e, e) for e in endings] + [("again." + e, e) for e in again]:
            yield os.path.join(outputs_folder, name, file), ending, name, at, unit, axes


def check(folder, outputs_folder, *endings):
    for path, ending, name, at, unit, axes in outputs(folder, outputs_folder, endings):
        flat = ending == "tif"
        if flat and name == "geo.tif":
            check_geotiff(path)
        found, got = READERS["." + ending](path, axes)
        near(path, found, got, unplaced(numpy.linalg.norm(at[:, :3], axis=0)) if flat else at, unit, axes)


def peers(folder, outputs_folder):
    import nibabel

    for path, _, _, at, unit, axes in outputs(folder, outputs_folder, ["nii"]):
        image = nibabel.load(path)
        got = image.header.get_xyzt_units()[0]
        got = {"unknown": "", "micron": "um", "meter": "m"}.get(got, got)
        if image.header["sform_code"] > 0:
            near(path, numpy.diag([-1, -1, 1]) @ image.affine[:3], got, at, unit, axes)
        else:
            near(path, unplaced(image.header.get_zooms()), got, at, unit, axes)
        if image.header["qform_code"] > 0:
            gap = abs(image.get_qform() - image.affine).max()
            assert gap < 1e-3 * abs(image.affine).max(), (path, gap)
        labels = numpy.asarray(image.dataobj).T
        assert (labels == (volume(axes) > 0)).all(), path


def tags(folder):
    """Resolutions of TIFF are kept, or those of the spacing, and points on the ground are kept."""
    import tifffile

    def tags_of(name):
        with tifffile.TiffFile(os.path.join(folder, name)) as file:
            return {tag.code: tag.value for tag in file.pages[0].tags}

    for name in ("inch", "print"):
        one, other = tags_of(name + ".tif"), tags_of(f"again-{name}.tif")
        assert one[296] == other[296] and abs(one[282][0] / one[282][1] - other[282][0] / other[282][1]) < 1e-4, name
    spaced = tags_of("spaced.tif")
    assert spaced[296] == 1 and spaced[282] == (1, 4) and spaced[283] == (1, 2), spaced
    one, other = tags_of("points.tif"), tags_of("again-points.tif")
    for tag in (33922, 34735, 34737):
        assert one[tag] == other[tag], tag
    for name in ("colour.tif", "cluster.tif"):
        found = tags_of(name)
        ratio = {1: 1, 3: 10}[found[296]]  # mm by the description, or cm
        assert abs(found[282][0] / found[282][1] - ratio / 0.5) < 1e-9, name
        assert abs(found[283][0] / found[283][1] - ratio / 0.75) < 1e-9, name
        assert found[296] == 3 or "unit=mm" in found[270], name


def rows(path):
    return [line.split(",") for line in open(path).read().split()]


def same(*paths):
    """Tables NAME-RANKS have the same numbers as NAME-should, to digits of a float."""
    for path in paths:
        names, *found = rows(path)
        wanted_names, *wanted = rows(path.rsplit("-", 1)[0] + "-should.csv")
        assert names == wanted_names and len(found) > 0
        assert numpy.allclose(numpy.array(found, float), numpy.array(wanted, float), rtol=1e-6), path


def places(should, *paths):
    """Tables of images of other values: area, box and centroid."""
    for path in paths:
        assert [row[1:11] for row in rows(path)] == [row[1:11] for row in rows(should)], path


{"make": make, "check": check, "peers": peers, "tags": tags, "same": same, "places": places}[sys.argv[1]](*sys.argv[2:])
