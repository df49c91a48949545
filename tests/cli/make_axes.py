"""make_axes.py FOLDER: files with more axes than an image has, and for each part of them the array that it
is. FOLDER/cases has a line for each: what the program is given, separated by tabs, ended by the array."""
import gzip
import json
import os
import struct
import sys

import h5py
import numpy
import tifffile
import zarr

from pictures import chunk, png

folder = sys.argv[1]
random = numpy.random.default_rng(7)
cases = []


def part(array, *given):
    """The program, given this, reads the array."""
    name = f"{folder}/part{len(cases):03}.npy"
    numpy.save(name, numpy.ascontiguousarray(array))
    cases.append("\t".join((*given, name)))


def samples(shape, kind="u1"):
    """Blocks, so that there are regions."""
    small = random.integers(0, 256, [max(1, -(-n // 2)) if i >= len(shape) - 2 else n
                                     for i, n in enumerate(shape)])
    for axis in (-1, -2):
        small = small.repeat(2, axis)
    return small[..., :shape[-2], :shape[-1]].astype(kind)


def path(name):
    return f"{folder}/{name}"


def write(name, data):
    with (gzip.open if name.endswith(".gz") else open)(path(name), "wb") as file:
        file.write(data)


# ---- ImageJ ----------------------------------------------------------------------------------------

five = samples((3, 4, 2, 11, 13), "u2")  # times, planes, channels
tifffile.imwrite(path("imagej.tif"), five, imagej=True, metadata={"axes": "TZCYX"})
part(five[2, :, 1], path("imagej.tif"), "--time", "2", "--channel", "1")
part(five[0, :, 0], path("imagej.tif:c=0,t=0"))
part(five[1, :, 1], path("imagej.tif:time=1,channel=1"))
part(five[1, 3, 1], path("imagej.tif:t=1,z=3"), "--channel", "1")
part(five[1, 2, 1], path("imagej.tif"), "--page", str((1 * 4 + 2) * 2 + 1))
movie = samples((5, 11, 13))
tifffile.imwrite(path("movie.tif"), movie, imagej=True, metadata={"axes": "TYX"})
part(movie[4], path("movie.tif"), "--time", "4")
stack = samples((5, 11, 13))
tifffile.imwrite(path("stack.tif"), stack, imagej=True, metadata={"axes": "ZYX"})
part(stack, path("stack.tif"))
# Beyond 4 GiB ImageJ writes one directory, and all planes behind each other.
tifffile.imwrite(path("behind.tif"), five.reshape(-1, 11, 13)[0], metadata=None, byteorder=">",
                 description="ImageJ=1.53\nimages=24\nchannels=2\nslices=4\nframes=3\nhyperstack=true\n")
with open(path("behind.tif"), "ab") as file:
    begin = tifffile.TiffFile(path("behind.tif")).pages[0].dataoffsets[0]
raw = bytearray(open(path("behind.tif"), "rb").read())
raw[begin:] = five.astype(">u2").tobytes()
open(path("behind.tif"), "wb").write(raw)
part(five[2, :, 1], path("behind.tif:c=1,t=2"))
part(five[1, 3, 0], path("behind.tif:c=0,t=1,z=3"))

# ---- OME -------------------------------------------------------------------------------------------

for order in ("TZC", "TCZ", "ZTC", "ZCT", "CTZ", "CZT"):
    sizes = {"T": 3, "Z": 4, "C": 2}
    array = samples([sizes[axis] for axis in order] + [11, 13])
    name = path(f"{order}.ome.tif")
    tifffile.imwrite(name, array, ome=True,
                     metadata={"axes": order + "YX", "Channel": {"Name": ["DAPI", "GFP & co"]}})
    wanted = array.transpose([order.index(axis) for axis in "TCZ"] + [3, 4])
    part(wanted[1, 1], name, "--channel", "gfp & co", "--time", "1")
    part(wanted[2, 0], name + ":c=DAPI,t=2")
    part(wanted[2, 0, 3], name + ":c=0,t=2,z=3")
times = samples((5, 11, 13))
tifffile.imwrite(path("times.ome.tif"), times, ome=True, metadata={"axes": "TYX"})
part(times[3], path("times.ome.tif:t=3"))
# As Bio-Formats describes planes: each by itself, in any order, of this file under an older name.
pages = samples((2, 3, 11, 13))  # channels, planes
data = "".join(f'<TiffData FirstC="{c}" FirstZ="{z}" FirstT="0" IFD="{5 - (c * 3 + z)}" PlaneCount="1">'
               f'<UUID FileName="{{}}">urn:uuid:1</UUID></TiffData>' for c in range(2) for z in range(3))
xml = ("<?xml version='1.0'?><!-- <Image> --><ome:OME xmlns:ome='x' UUID='urn:uuid:1'><ome:Image ID='a' Name='one'>"
       '<ome:Pixels DimensionOrder="XYZCT" SizeX="13" SizeY="11" SizeZ="3" SizeC="2" SizeT="1" Type="uint8">'
       "<Channel/><Channel/>{}</ome:Pixels></ome:Image></ome:OME>")


def described(name, description, arrays, **more):
    with tifffile.TiffWriter(path(name)) as file:
        for i, array in enumerate(arrays):
            file.write(array, photometric="minisblack", metadata=None,
                       description=description if i == 0 else None, **more)


turned = pages.reshape(6, 11, 13)[::-1]
described("planes.ome.tif", xml.format(data.format(*["before.ome.tif"] * 6)), turned)
part(pages[1], path("planes.ome.tif:c=1"))
described("apart.ome.tif",
          xml.replace("UUID='urn:uuid:1'", "").format(data.format(*["apart.ome.tif"] * 3 + ["there.ome.tif"] * 3)),
          turned)
part(pages[0], path("apart.ome.tif:c=0"))
# Several images; a pyramid in SubIFDs.
big, little = samples((2, 11, 13)), samples((6, 7))
with tifffile.TiffWriter(path("images.ome.tif"), ome=True) as file:
    file.write(little, metadata={"axes": "YX", "Name": "label"})
    file.write(big, metadata={"axes": "CYX", "Name": "scan"}, subifds=1)
    file.write(big[:, ::2, ::2], subfiletype=1)
part(big[1], path("images.ome.tif:c=1"))
part(little, path("images.ome.tif"), "--series", "label")
part(big[0], path("images.ome.tif:s=1,c=0"))

# ---- other TIFF files ------------------------------------------------------------------------------

slide, thumbnail = samples((64, 64)), samples((16, 16))
with tifffile.TiffWriter(path("slide.tif")) as file:
    file.write(slide, tile=(32, 32), photometric="minisblack", metadata=None)
    file.write(thumbnail, photometric="minisblack", metadata=None)
    file.write(slide[::4, ::4].copy(), tile=(16, 16), photometric="minisblack", metadata=None)
part(slide, path("slide.tif"))
part(thumbnail, path("slide.tif"), "--page", "1")
part(slide[::4, ::4], path("slide.tif:p=2"))
part(thumbnail, path("slide.tif:s=1"))
with tifffile.TiffWriter(path("equal.tif")) as file:
    file.write(thumbnail, photometric="minisblack", metadata=None)
    file.write(thumbnail.astype("u2"), photometric="minisblack", metadata=None)
part(thumbnail.astype("u2"), path("equal.tif:p=1"))
for planar in ("contig", "separate"):
    two = samples((2, 11, 13), "f4")
    name = path(f"two-{planar}.tif")
    tifffile.imwrite(name, two.transpose(1, 2, 0) if planar == "contig" else two, photometric="minisblack",
                     planarconfig=planar, metadata=None)
    part(two[1], name, "--channel", "1")
    part(two[0], name + ":c=0")
tifffile.imwrite(path("2c.tif"), two.transpose(1, 2, 0).astype("u1"), photometric="minisblack",
                 planarconfig="contig", metadata=None)
part(two[1].astype("u1"), path("2c.tif:c=1"))
shaped = samples((4, 3, 11, 13), "u2")
tifffile.imwrite(path("shaped.tif"), shaped, photometric="minisblack")
part(shaped[2], path("shaped.tif"), "--time", "2")
part(shaped[1, 2], path("shaped.tif:c=1,z=2"))
tifffile.imwrite(path("lettered.tif"), shaped, photometric="minisblack", metadata={"axes": "TCYX"})
part(shaped[2, 1], path("lettered.tif:c=1,t=2"))
rgb = samples((3, 11, 13)).transpose(1, 2, 0)
tifffile.imwrite(path("rgbx.tif"), numpy.dstack([rgb, rgb[..., 0]]), photometric="rgb",
                 extrasamples=["unspecified"], metadata=None)
part(rgb[..., 2], path("rgbx.tif"), "--channel", "blue")
part(rgb[..., 0], path("rgbx.tif:c=3"))
tifffile.imwrite(path("rgb.tif"), rgb, photometric="rgb", metadata=None)
numpy.save(path("rgb.npy"), numpy.ascontiguousarray(rgb))
part(rgb[..., 0], path("rgb.npy:c=red"))
part(rgb[..., 1], path("rgb.tif:c=1"))

# ---- PNG: samples as they are stored, whatever is transparent --------------------------------------

def write_png(name, array, kind, extra=b""):
    write(name, png(array.shape[1], array.shape[0], 8 * array.itemsize, kind, [row.tobytes() for row in array], extra))


for kind in ("u1", ">u2"):
    array = samples((4, 11, 13), kind).transpose(1, 2, 0)
    array[2:5, 3:9, 3] = 0
    write_png(f"rgb-{kind[-1]}.png", array[..., :3].copy(), 2)
    write_png(f"rgba-{kind[-1]}.png", array, 6)
    write_png(f"ga-{kind[-1]}.png", array[..., 2:].copy(), 4)
    write_png(f"key-{kind[-1]}.png", array[..., :3].copy(), 2,
              chunk(b"tRNS", array[0, 0, :3].astype(">u2").tobytes()))
    array = array.astype(kind[-2:])
    for at, name in enumerate(("red", "green", "blue")):
        part(array[..., at], path(f"rgb-{kind[-1]}.png"), "--channel", name)
        part(array[..., at], path(f"rgba-{kind[-1]}.png"), "--channel", str(at))
        part(array[..., at], path(f"key-{kind[-1]}.png:c={at}"))
    part(array[..., 3], path(f"rgba-{kind[-1]}.png"), "--channel", "alpha")
    part(array[..., 2], path(f"ga-{kind[-1]}.png"), "--channel", "0")
    part(array[..., 3], path(f"ga-{kind[-1]}.png:c=alpha"))
entries, indices = samples((8, 3, 1))[..., 0], samples((11, 13)) // 32
write_png("palette.png", indices, 3, chunk(b"PLTE", entries.tobytes()) + chunk(b"tRNS", bytes(5)))
for at, name in enumerate(("red", "green", "blue")):
    part(entries[indices, at], path("palette.png"), "--channel", name)

# ---- arrays ----------------------------------------------------------------------------------------

for kind in ("u1", ">u2", "f2", "f4", "f8", "?", "i4"):
    array = samples((11, 13, 2), kind)
    name = path(f"channels-{kind.strip('>?')}.npy")
    numpy.save(name, array)
    part(array[..., 1], name, "--channel", "1")
    part(array[..., 0], name + ":c=0")
    part(array, name, "--volume")
    part(array, name, "-c", "6")
colours = samples((11, 13, 3))
numpy.save(path("colours.npy"), colours)
part(colours[..., 2], path("colours.npy:c=2"))
part(colours, path("colours.npy"), "--volume")
four, several = samples((3, 4, 11, 13), "u2"), samples((2, 3, 4, 11, 13), ">i2")
numpy.save(path("four.npy"), four)
part(four[1], path("four.npy"), "--time", "1")
part(four[1], path("four.npy:c=1"))
part(four[2, 3], path("four.npy:p=2,z=3"))
numpy.save(path("five.npy"), several)
part(several[1, 2], path("five.npy:t=1,c=2"))
numpy.save(path("ones.npy"), several[None, :1, :1, ..., None])
part(several[0, 0], path("ones.npy"))

# ---- headers over samples --------------------------------------------------------------------------


def nifti(array, units=10):
    """Axes as in NumPy, the slowest first."""
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    sizes = array.shape[::-1]
    struct.pack_into(f"<{1 + len(sizes)}h", head, 40, len(sizes), *sizes)
    struct.pack_into("<hh", head, 70, {"uint8": 2, "int16": 4, "float32": 16}[str(array.dtype)],
                     8 * array.itemsize)
    struct.pack_into("<8f", head, 76, *[1] * 8)
    struct.pack_into("<f", head, 108, 352)
    head[123] = units
    head[344:348] = b"n+1\0"
    return bytes(head) + array.tobytes()


volumes = samples((5, 4, 11, 13), "f4")
for name in "time.nii", "time.nii.gz":
    write(name, nifti(volumes))
    part(volumes[3], path(name), "--time", "3")
    part(volumes[3, 2], path(name + ":t=3,z=2"))
write("modes.nii", nifti(volumes, units=2))
part(volumes[2], path("modes.nii:c=2"))
part(volumes[1], path("modes.nii:t=1"))
vectors = samples((3, 2, 4, 11, 13), "i2")
write("vectors.nii.gz", nifti(vectors))
part(vectors[2, 1], path("vectors.nii.gz:t=1,c=2"))
write("single.nii", nifti(vectors[:, :, :1]))
part(vectors[1, 1, :1], path("single.nii:t=1,c=1"))


def nrrd(array, kinds, more=""):
    sizes = " ".join(str(n) for n in array.shape[::-1])
    kinds = f"kinds: {kinds}\n" if kinds else ""
    name = {"uint8": "uint8", "float32": "float", "int16": "int16"}[str(array.dtype)]
    return (f"NRRD0004\ntype: {name}\ndimension: {array.ndim}\nsizes: {sizes}\n{kinds}endian: little\n"
            f"encoding: raw\n{more}\n").encode() + array.tobytes()


write("plain.nrrd", nrrd(volumes, ""))
part(volumes[4], path("plain.nrrd:t=4"))
write("timed.nrrd", nrrd(volumes, "space space space time"))
part(volumes[4], path("timed.nrrd:t=4"))
listed = numpy.moveaxis(volumes, 0, -1).copy()
write("listed.nrrd", nrrd(listed, "list domain domain domain"))
part(listed[..., 1], path("listed.nrrd"), "--time", "1")
write("listed-last.nrrd", nrrd(listed, "list domain domain domain", "byte skip: -1\n"))
part(listed[..., 3], path("listed-last.nrrd:t=3"))
write("vector.nrrd", nrrd(samples((11, 13, 3), "f4"), "vector domain domain"))
part(numpy.frombuffer(open(path("vector.nrrd"), "rb").read()[-11 * 13 * 12:], "f4").reshape(11, 13, 3)[..., 2],
     path("vector.nrrd:c=2"))
between = samples((4, 3, 11, 13), "i2")
write("between.nrrd", nrrd(between, "domain domain list domain"))
part(between[:, 1], path("between.nrrd:c=1"))
write("rows.nrrd.gz", nrrd(between, "domain list domain domain"))
part(between[:, :, 5], path("rows.nrrd.gz:c=5"))


def meta(array, channels=1):
    sizes = array.shape[::-1] if channels == 1 else array.shape[-2::-1]
    kind = {"uint8": "UCHAR", "float32": "FLOAT", "int16": "SHORT"}[str(array.dtype)]
    return (f"NDims = {len(sizes)}\nDimSize = {' '.join(str(n) for n in sizes)}\n"
            f"ElementType = MET_{kind}\nElementNumberOfChannels = {channels}\n"
            "ElementDataFile = LOCAL\n").encode() + array.tobytes()


write("four.mha", meta(volumes))
part(volumes[1], path("four.mha:t=1"))
write("channels.mha", meta(listed, 5))
part(listed[..., 4], path("channels.mha"), "--channel", "4")
write("rgb.mha", meta(colours, 3))
part(colours[..., 1], path("rgb.mha:c=green"))


def mrc(array, group, sections):
    head = bytearray(1024)
    struct.pack_into("<4i", head, 0, *array.shape[::-1], 2)
    struct.pack_into("<3i3f", head, 28, array.shape[2], array.shape[1], sections, 1, 1, 1)
    struct.pack_into("<i", head, 88, group)
    head[208:216] = b"MAP DD\0\0"
    return bytes(head) + array.tobytes()


write("volumes.mrc", mrc(volumes.reshape(20, 11, 13), 401, 4))
part(volumes[3], path("volumes.mrc:t=3"))
write("images.mrc", mrc(volumes[0], 0, 4))
part(volumes[0], path("images.mrc"))
part(volumes[0, 2], path("images.mrc:z=2"))
write("samples.raw", four.tobytes())
part(four[0].reshape(4, 11, 13)[2], path("samples.raw:z=2"), "--shape", "12x11x13", "--dtype", "<u2")

# ---- zarr ------------------------------------------------------------------------------------------

level = samples((3, 2, 6, 11, 13), "u2")
for number, (chunks, packer) in enumerate([((1, 1, 2, 5, 6), None), ((2, 2, 4, 5, 13), None),
                                           ((2, 2, 4, 11, 6), "default"), ((3, 1, 6, 11, 13), "default")]):
    group = zarr.open_group(path(f"scene{number}.zarr"), mode="w")
    group.array("0", level, chunks=chunks, **({} if packer else {"compressor": None}))
    group.array("1", level[..., ::2, ::2], chunks=chunks)
    names = [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}] + [
        {"name": name, "type": "space"} for name in "zyx"]
    group.attrs["multiscales"] = [{"axes": names, "datasets": [{"path": "0"}, {"path": "1"}]}]
    group.attrs["omero"] = {"channels": [{"label": "DAPI"}, {"label": "GFP"}]}
    part(level[1, 1], path(f"scene{number}.zarr"), "--channel", "GFP", "--time", "1")
    part(level[2, 0, 4], path(f"scene{number}.zarr:c=0,t=2,z=4"))
    part(level[1, 1, :, ::2, ::2], path(f"scene{number}.zarr/1:c=1,t=1"))
    zarr.save_array(path(f"plain{number}.zarr"), level, chunks=chunks)
    part(level[1, 1], path(f"plain{number}.zarr:c=1,t=1"))
named = zarr.open_array(path("named.zarr"), mode="w", shape=(11, 13, 6), chunks=(4, 5, 3), dtype="f4")
named[:] = array = samples((6, 11, 13), "f4").transpose(1, 2, 0)
part(array[..., 4], path("named.zarr:c=4"))
named.attrs["_ARRAY_DIMENSIONS"] = ["lat", "lon", "band"]
rows = zarr.open_array(path("rows.zarr"), mode="w", shape=(11, 3, 13), chunks=(4, 2, 5), dtype="i4")
rows[:] = array = samples((3, 11, 13), "i4").transpose(1, 0, 2)
rows.attrs["_ARRAY_DIMENSIONS"] = ["y", "c", "x"]
part(array[:, 2], path("rows.zarr:c=2"))
zarr.save_array(path("rgb.zarr"), colours, chunks=(4, 5, 3))
part(colours, path("rgb.zarr"), "--volume")
part(colours[..., 1], path("rgb.zarr:c=1"))
os.mkdir(path("third.zarr"))
third = samples((3, 11, 13), "f4")
open(path("third.zarr/zarr.json"), "w").write(json.dumps({
    "zarr_format": 3, "node_type": "array", "shape": [3, 11, 13], "data_type": "float32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 11, 13]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": 0,
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    "dimension_names": ["time", "y", "x"], "attributes": {}}))
os.makedirs(path("third.zarr/c/0/0"))
third.tofile(path("third.zarr/c/0/0/0"))
part(third[2], path("third.zarr"), "--time", "2")

# ---- HDF5 ------------------------------------------------------------------------------------------

with h5py.File(path("many.h5"), "w") as file:
    file["plain"] = level
    file.create_dataset("chunks", data=level, chunks=(2, 1, 3, 4, 5), compression="gzip")
    tagged = file.create_dataset("tagged", data=numpy.moveaxis(level, 1, -1), chunks=(1, 6, 5, 13, 2))
    tagged.attrs["axistags"] = json.dumps({"axes": [{"key": key} for key in "tzyxc"]})
    for kind in ("f4", "?", "u1"):
        name = kind.strip("?") or "b1"
        file["last-" + name] = array = samples((11, 13, 2), kind)
        file.create_dataset("packed-" + name, data=array, chunks=(4, 5, 2), compression="gzip")
        for way in ("last", "packed"):
            part(array[..., 1], path(f"many.h5:/{way}-{name}:c=1"))
            part(array, path(f"many.h5:/{way}-{name}"), "--volume")
    file.create_dataset("colours", data=colours, chunks=(4, 5, 3))
    part(colours[..., 2], path("many.h5:/colours:c=2"))
for name in ("plain", "chunks", "tagged"):
    part(level[2, 1], path(f"many.h5:/{name}"), "--time", "2", "--channel", "1")
    part(level[0, 1, 4], path(f"many.h5:/{name}:t=0,c=1,z=4"))
# Scales, as netCDF-4 writes them, and labels.
with h5py.File(path("scales.h5"), "w") as file:
    days = samples((5, 11, 13), "f4")
    for number, (name, attribute, text) in enumerate((("time", "units", "K"), ("when", "units", "days since 1900-01-01"),
                                                      ("step", "axis", "T"), ("run", "standard_name", "time"))):
        file[name] = numpy.arange(5.)
        file[name].attrs[attribute] = text
        file[f"lat{number}"], file[f"lon{number}"] = numpy.arange(11.), numpy.arange(13.)
        air = file.create_dataset(f"air{number}", data=days)
        for axis, scale in enumerate((name, f"lat{number}", f"lon{number}")):
            file[scale].make_scale(scale)
            air.dims[axis].attach_scale(file[scale])
        part(days[3], path(f"scales.h5:/air{number}:t=3"))
        part(days[1], path(f"scales.h5:/air{number}"), "--time", "1")
    file["labels"] = five[:, :, 0]
    file["labels"].dims[0].label = "t"
    part(five[2, :, 0], path("scales.h5:/labels:t=2"))
    file["depths"] = days  # no axis of it is of time: a volume
    for axis, label in enumerate("zyx"):
        file["depths"].dims[axis].label = label
    part(days, path("scales.h5:/depths"))
    file["bands"] = samples((11, 13, 2), "u2")
    file["bands"].dims[2].label = "band"
    part(file["bands"][..., 1], path("scales.h5:/bands:c=1"))
with h5py.File(path("only.h5"), "w") as file:
    file["exported_data"] = level
    file["table"] = numpy.arange(7)
part(level[1, 0], path("only.h5:t=1,c=0"))

# ---- descriptions that cannot be true --------------------------------------------------------------

hostile = []


def refused(name, message, data=None):
    if data is not None:
        write(name, data)
    hostile.append(f"{name}\t{message}")


def claim(name, message, text, pages=1):
    described(name, text, [thumbnail] * pages)
    refused(name, message)


pixels = ('<OME><Image><Pixels DimensionOrder="{}" SizeX="16" SizeY="16" SizeZ="{}" SizeC="{}" SizeT="{}">{}'
          "</Pixels></Image></OME>")
claim("many.tif", "cut off", "ImageJ=1\nimages=1000000000\nslices=1000000000\n")
claim("huge.ome.tif", "planes, which cannot be read", pixels.format("XYZCT", 2147483647, 2147483647, 9, ""))
claim("order.ome.tif", "order of axes", pixels.format("ZYXXX", 2, 1, 1, ""), 2)
claim("planes.tif", "claims 1000 planes", pixels.format("XYZCT", 1000, 1, 1, ""))
claim("nowhere.ome.tif", "does not say in which", pixels.format("XYZCT", 2, 1, 1, '<TiffData IFD="4000000000"/>'), 2)
claim("behind.ome.tif", "does not say in which",
      pixels.format("XYZCT", 2, 1, 1, '<TiffData IFD="2147483647" PlaneCount="2147483647"/>'), 2)
claim("again.ome.tif", "does not say in which", pixels.format(
    "XYZCT", 60, 1, 1, '<TiffData IFD="99" FirstZ="1" PlaneCount="2147483647"/>' * 20000), 60)
claim("open.ome.tif", "order of axes", pixels.format("XYCZT", 1, 2, 1, "")[:-30] + "<TiffData IFD='", 2)


def header(shape):
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode()


refused("nine.npy", "more axes", header("(2, 2, 2, 2, 2, 2, 2, 2, 2)") + bytes(512))
refused("large.npy", "too large", header("(1000000000, 1000000000, 1000000000, 9)") + bytes(64))
refused("none.npy", "no samples", header("(3, 0, 5, 5)"))
zero = bytearray(nifti(volumes))
zero[42:44] = bytes(2)
refused("zero.nii", "0 samples along axis 1", bytes(zero))
most = bytearray(nifti(volumes))
struct.pack_into("<8h", most, 40, 7, *[32767] * 7)
refused("most.nii", "choose with\\|more samples than", bytes(most))
refused("pixels.nrrd", "samples a pixel", nrrd(samples((11, 13, 3)), "vector domain domain")
        .replace(b"sizes: 3 ", b"sizes: 99999 "))

open(path("hostile"), "w").write("".join(line + "\n" for line in hostile))
open(path("cases"), "w").write("".join(line + "\n" for line in cases))
