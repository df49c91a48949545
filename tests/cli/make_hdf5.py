"""HDF5 files of many kinds: make_hdf5.py FOLDER. FOLDER/list has lines MEASURE|FILE: the image FILE has
the samples of FOLDER/MEASURE.npy. FOLDER/bad/list has lines FILE|MESSAGE."""

import os
import sys
import zlib

import h5py
import numpy

folder = sys.argv[1]
bad = os.path.join(folder, "bad")
os.mkdir(bad)
random = numpy.random.RandomState(3)
good = open(os.path.join(folder, "list"), "w")
wrong = open(os.path.join(bad, "list"), "w")


def smooth(*shape):
    noise = random.rand(*shape)
    for axis in range(noise.ndim):
        noise = sum(numpy.roll(noise, step, axis) for step in range(4))
    noise = noise - noise.min()
    return noise / noise.max()


def path(name):
    return os.path.join(folder, name)


def offer(measure, name, data_set=""):
    good.write("%s|%s%s\n" % (measure, name, ":" + data_set if data_set else ""))


def save(measure, name, samples, libver="earliest", userblock=0, data_set="data", **how):
    """One data set in a file of its own."""
    with h5py.File(path(name), "w", libver=libver, userblock_size=userblock) as file:
        file.create_dataset(data_set, data=samples, **how)
    offer(measure, name)
    return path(name)


volume = (smooth(23, 40, 51) * 255).astype(numpy.uint8)
numpy.save(path("volume.npy"), volume)
save("volume", "plain.h5", volume)
save("volume", "latest.hdf5", volume, libver="latest")
save("volume", "chunks.h5", volume, chunks=(8, 16, 16))
save("volume", "chunks-latest.h5", volume, libver="latest", chunks=(8, 16, 16), maxshape=(None, 40, 51))
save("volume", "gzip.h5", volume, chunks=(7, 40, 51), compression="gzip", compression_opts=1)
save("volume", "shuffled.h5", volume.astype(">u4"), chunks=(1, 9, 20), compression="gzip", shuffle=True,
     fletcher32=True)
save("volume", "lines.h5", volume, chunks=(1, 1, 51), compression="gzip")
save("volume", "planes.h5", volume, chunks=(1, 40, 51))
save("volume", "whole.h5", volume, chunks=(23, 40, 51), compression="gzip")
save("volume", "big.h5", volume.astype(">u2"))
save("volume", "big-chunks.h5", volume.astype(">i8"), chunks=(5, 5, 5))
save("volume", "signed.h5", volume.astype("<i4"))
save("volume", "half.h5", volume.astype("<i2"), chunks=True)
# A user block, as MATLAB has it.
matlab = save("volume", "matlab.mat", volume, userblock=512)
with open(matlab, "r+b") as file:
    file.write(b"MATLAB 7.3 MAT-file".ljust(128))
save("volume", "matlab-chunks.mat", volume, userblock=512, chunks=(8, 16, 16))
# Axes of one sample, as ilastik has them: t, z, y, x, c.
save("volume", "ilastik.h5", volume[None, ..., None], data_set="exported_data", chunks=True)
save("volume", "ilastik-plain.h5", volume[None, ..., None], data_set="exported_data")
save("volume", "channels.h5", volume[:, None])

with h5py.File(path("many.h5"), "w") as file:
    file["/raw/small"] = volume[:, :10, :9]
    file["/raw/other"] = numpy.arange(7)
    file["/labels/of the/volume"] = volume
    file["/soft"] = h5py.SoftLink("/labels/of the/volume")
    file["/names"] = ["a", "b"]
    named = numpy.array(volume, dtype=h5py.enum_dtype({"none": 0, "much": 255}, basetype="u1"))
    file.create_dataset("/named", data=named)
for data_set in ("/labels/of the/volume", "/soft", "/named"):
    offer("volume", "many.h5", data_set)

# Other data sets are no images.
with h5py.File(path("only.h5"), "w") as file:
    file["/deep/er/image"] = volume
    file["/axes/z"] = numpy.arange(23.0)
    file["/text"] = "a text"
    file["/times"] = numpy.zeros((2, 3, 4, 5))
offer("volume", "only.h5")
offer("volume", "only.h5", "/")

image = (smooth(67, 45) * 65535).astype(numpy.uint16)
numpy.save(path("image.npy"), image)
save("image", "image-plain.h5", image)
save("image", "image-chunks.h5", image, chunks=(10, 11), compression="gzip", shuffle=True)
save("image", "image-wide.h5", image.astype("<u8"), chunks=(10, 11), scaleoffset=0)
save("image", "image-compact.h5", image[:, :], chunks=(67, 45), compression="gzip", compression_opts=9)
tiny = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
tiny.set_layout(h5py.h5d.COMPACT)
small = image[:10, :12].copy()
numpy.save(path("small.npy"), small)
with h5py.File(path("small-compact.h5"), "w") as file:
    made = h5py.h5d.create(file.id, b"data", h5py.h5t.NATIVE_UINT16, h5py.h5s.create_simple(small.shape), tiny)
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, small)
offer("small", "small-compact.h5")

bits = smooth(19, 30, 77) > 0.5
numpy.save(path("bits.npy"), bits)
save("bits", "bits-plain.h5", bits)
save("bits", "bits-chunks.h5", bits, chunks=(4, 30, 20), compression="gzip")

colour = (smooth(45, 60, 3) * 255).astype(numpy.uint8)
numpy.save(path("colour.npy"), colour)
save("colour", "colour-plain.h5", colour)
save("colour", "colour-chunks.h5", colour, chunks=(20, 25, 3), compression="gzip")

# Nothing was written: zeros, in a file of a few KiB.
numpy.save(path("empty.npy"), numpy.zeros((30, 20, 10), dtype=numpy.uint8))
for name, how in (("empty-plain.h5", {}), ("empty-chunks.h5", {"chunks": (8, 8, 8)})):
    with h5py.File(path(name), "w") as file:
        file.create_dataset("data", shape=(30, 20, 10), dtype="u1", **how)
    offer("empty", name)

# Costs of paths can be of any type.
costs = smooth(31, 37)
numpy.save(path("costs.npy"), costs)
costs_list = open(path("costs"), "w")
for name, type in (("f4", "<f4"), ("f4-big", ">f4"), ("f8", "<f8"), ("f8-big", ">f8"), ("f2", "<f2")):
    samples = costs.astype(type)
    numpy.save(path("costs-%s.npy" % name), samples.astype("f4") if type == "<f2" else samples)
    for chunks in (None, (8, 9)):
        file_name = "costs-%s%s.h5" % (name, "-chunks" if chunks else "")
        with h5py.File(path(file_name), "w") as file:
            file.create_dataset("data", data=samples, chunks=chunks)
        costs_list.write("%s|%s\n" % ("costs-%s" % name, file_name))


# ---- what cannot be read ---------------------------------------------------------------------------
def refuse(name, message):
    wrong.write("%s|%s\n" % (name, message))


def write(name, data):
    with open(os.path.join(bad, name), "wb") as file:
        file.write(data)


with h5py.File(os.path.join(bad, "file.h5"), "w") as file:
    file["image"] = volume
    file["group/image"] = volume.astype("f4")
    file["text"] = numpy.array([[b"a", b"b"]])
    file["pairs"] = numpy.zeros((3, 4), dtype=[("re", "f4"), ("im", "f4")])
    file["four"] = numpy.zeros((2, 3, 4, 5))
    file["line"] = numpy.arange(9)
    file["one"] = 5
    file["none"] = h5py.Empty("f4")
    file["flat"] = numpy.zeros((0, 5))
    file["type"] = numpy.dtype("f4")
    file["outside"] = h5py.ExternalLink("../plain.h5", "/data")
    file["gone"] = h5py.ExternalLink("not-there.h5", "/data")
    file["packed"] = numpy.arange(5000).reshape(50, 100) % 7
    file.create_dataset("lzf", data=volume, compression="lzf")
    file.create_dataset("apart", shape=(3, 4), dtype="u1", external=[("bytes.raw", 0, h5py.h5f.UNLIMITED)])
    layout = h5py.VirtualLayout(shape=(46, 40, 51), dtype="u1")
    layout[:23] = h5py.VirtualSource("../plain.h5", "data", shape=volume.shape)
    file.create_virtual_dataset("virtual", layout)
refuse("file.h5", "has 7 data sets of 2 or 3 axes; name one as FILE:/PATH: .*/group/image (23 x 40 x 51, float32)")
refuse("file.h5:/nothing", 'has no "/nothing"; of the 13 data sets name one as FILE:/PATH: /')
refuse("file.h5:/group/nothing", 'has no "/group/nothing"')
refuse("file.h5:/image/more", 'has no "/image/more"')
refuse("file.h5:/gone", "is a link to another file; say --follow-links, or name that: not-there.h5:/data")
refuse("file.h5:/group", "is a group, no data set; of the 1 data sets name one as FILE:/PATH: /group/image")
refuse("file.h5:/type", "is a type, no data set")
refuse("file.h5:/text", "the data set /text is 1 x 2 of text; integers of 8 to 64 bits")
refuse("file.h5:/pairs", "the data set /pairs is 3 x 4 of compound values")
refuse("file.h5:/four", "has 2 images along the unnamed axis 1")
refuse("file.h5:/line", "the data set /line is 9 of int64")
refuse("file.h5:/one", "the data set /one is one value of int64")
refuse("file.h5:/none", "the data set /none is no array of float32")
refuse("file.h5:/flat", "has 0 x 5 samples; each axis has from 1 to")
refuse("file.h5:/outside", "is a link to another file; say --follow-links, or name that: .*plain.h5:/data")
refuse("file.h5:/lzf", "is packed by the filter 32000 (lzf), which HDF5 does not have here; install its plugin")
refuse("file.h5:/apart", "its samples are in other files, outside of HDF5 (bytes.raw); say --follow-links")
refuse("file.h5:/virtual", "is a virtual data set, whose samples are in other files; say --follow-links, or name one of these (1, the first is ../plain.h5:data)")
refuse("not-there.h5:/image", "cannot be opened: No such file")
write("text.h5", b"not HDF5" * 100)
refuse("text.h5", "not an image of a known format")
refuse("text.h5:/image", "the HDF5 file cannot be opened: ")
with h5py.File(os.path.join(bad, "nothing.h5"), "w") as file:
    file["group/line"] = numpy.arange(4)
refuse("nothing.h5", "has no numbers of 2 or 3 axes; of the 1 data sets name one as FILE:/PATH: /group/line (4, int64)")
with h5py.File(os.path.join(bad, "empty.h5"), "w") as file:
    file.create_group("group")
refuse("empty.h5", "has no numbers of 2 or 3 axes, and there is no data set; name one")

whole = open(path("plain.h5"), "rb").read()
write("cut.h5", whole[:20000])
refuse("cut.h5", "the HDF5 file cannot be opened: truncated file")
write("start.h5", whole[:40])
refuse("start.h5", "the HDF5 file cannot be opened: ")
# The place of the samples, and then also their number, is beyond the end.
with h5py.File(path("plain.h5"), "r") as file:
    place = file["data"].id.get_offset()
layout = whole.index(b"\3\1" + place.to_bytes(8, "little")) + 2
write("beyond.h5", whole[:layout] + (1 << 40).to_bytes(8, "little") + whole[layout + 8:])
refuse("beyond.h5", "cut off: 0 of 920 rows")
write("tree.h5", whole.replace(b"SNOD", b"SNID"))
refuse("tree.h5", "its data sets cannot be listed: .*; copy or make it again, or name one")
refuse("tree.h5:/data", 'has no "/data", and its data sets cannot be listed')
packed = bytearray(open(path("gzip.h5"), "rb").read())
at = packed.index(b"\x78\x01")  # the first chunk
packed[at + 200:at + 300] = bytes(100)
write("damaged.h5", packed)
refuse("damaged.h5", "of 920 rows could be read: .*; copy or make the file again")
with h5py.File(os.path.join(bad, "chunks.h5"), "w") as file:
    file.create_dataset("data", shape=(2000, 1000, 1000), dtype="u1", chunks=(2000, 1000, 1000), compression="gzip")
refuse("chunks.h5", "the header claims chunks of 2000000000 bytes in a file of")

# ---- what harms libhdf5 ----------------------------------------------------------------------------
# Each is refused, by a process of its own, whatever libhdf5 does: 1.10.8 takes memory without end for
# the first, and reads behind its memory, with success, for the second.
def small(name, **how):
    with h5py.File(os.path.join(bad, name), "w") as file:
        file.create_dataset("d", data=volume[:6, :6, :7], **how)
    return bytearray(open(os.path.join(bad, name), "rb").read())


# The list of what is free in the heap of names: the first entry is its own next one.
cycle = small("cycle.h5")
heap = cycle.index(b"HEAP")
free, place = (int.from_bytes(cycle[heap + at:heap + at + 8], "little") for at in (16, 24))
cycle[place + free:place + free + 8] = free.to_bytes(8, "little")
write("cycle.h5", cycle)
refuse("cycle.h5", "its data sets cannot be listed: memory allocation failed\\|libhdf5 c")
# The bytes of the second of two chunks, and where it is.
second = (126).to_bytes(8, "little") + b"".join(at.to_bytes(8, "little") for at in (3, 0, 0, 0))
lengths = small("lengths.h5", chunks=(3, 6, 7))
write("lengths.h5", lengths.replace(second, bytes(len(second))))
refuse("lengths.h5", "rows could be read: a chunk is damaged")
short = bytearray(open(path("gzip.h5"), "rb").read())
with h5py.File(path("gzip.h5"), "r") as file:
    info = file["data"].id.get_chunk_info(1)
stored = zlib.compress(bytes(1000))
short[info.byte_offset:info.byte_offset + len(stored)] = stored
write("short.h5", short)
refuse("short.h5", "a chunk is damaged: its [0-9]* bytes become 1000 in place of 14280")

# A link to a pipe is not opened: nobody writes to that.
os.mkfifo(os.path.join(bad, "pipe.h5"))
with h5py.File(os.path.join(bad, "links.h5"), "w") as file:
    file["pipe"] = h5py.ExternalLink("pipe.h5", "/data")
    file["through"] = h5py.SoftLink("/pipe/deeper")
    file["group/self"] = h5py.SoftLink("/group/self")
    layout = h5py.VirtualLayout(shape=(46, 40, 51), maxshape=(None, 40, 51), dtype="u1")
    layout[:] = h5py.VirtualSource("pipe.h5", "data", shape=(46, 40, 51), maxshape=(None, 40, 51))
    file.create_virtual_dataset("virtual", layout)
    file.create_dataset("apart", shape=(3, 4), dtype="u1", external=[("pipe.h5", 0, h5py.h5f.UNLIMITED)])
refuse("links.h5:/pipe", "is a link to another file; say --follow-links, or name that: pipe.h5:/data")
refuse("links.h5:/through", "is a link to another file; say --follow-links, or name that: pipe.h5:/data")
refuse("links.h5:/group/self", 'has no "/group/self"')
refuse("links.h5:/virtual", "is a virtual data set")
refuse("links.h5:/apart", "its samples are in other files")
refuse("links.h5", "has 2 data sets of 2 or 3 axes")

# Groups in each other, and back: found in time that grows with their number.
deep = path("deep.h5")
with h5py.File(deep, "w") as file:
    group = file
    for i in range(1000):
        group = group.create_group("g")
        group["up"] = file["/"]
    group["image"] = image
    for i in range(1000):
        group["line%d" % i] = numpy.arange(3)
