"""HDF5 files that refer to others: make_hdf5_links.py FOLDER. FOLDER/list has lines MEASURE|FILE: with links followed,
the image FILE has the samples of FOLDER/MEASURE.npy. FOLDER/bad has lines FILE|MESSAGE."""

import os
import sys

import h5py
import numpy

folder = sys.argv[1]
random = numpy.random.RandomState(5)
good = open(folder + "/list", "w")
wrong = open(folder + "/bad", "w")


def offer(measure, name):
    good.write(f"{measure}|{name}\n")


def refuse(name, message):
    wrong.write(f"{name}|{message}\n")


volume = (random.rand(12, 30, 40) * 255).astype("u1")
numpy.save(folder + "/volume.npy", volume)
os.mkdir(folder + "/parts")
os.mkdir(folder + "/elsewhere")
for i in range(4):
    with h5py.File(f"{folder}/parts/{i}.h5", "w") as file:
        file.create_dataset("data", data=volume[3 * i:3 * i + 3], chunks=(1, 30, 40), compression="gzip")
with h5py.File(folder + "/elsewhere/plain.h5", "w") as file:
    file["data"] = volume
    file["deeper/data"] = volume
    file["back"] = h5py.ExternalLink("../links.h5", "/plain")
    file["loop"] = h5py.ExternalLink("../links.h5", "/loop")
with h5py.File(folder + "/elsewhere/packed.h5", "w") as file:
    file.create_dataset("data", data=volume.astype(">u2"), chunks=(5, 16, 16), compression="gzip", shuffle=True)
with h5py.File(folder + "/links.h5", "w") as file:
    file["plain"] = h5py.ExternalLink("elsewhere/plain.h5", "/data")
    file["packed"] = h5py.ExternalLink(os.path.abspath(folder) + "/elsewhere/packed.h5", "/data")
    file["group"] = h5py.ExternalLink("elsewhere/plain.h5", "/deeper")
    file["twice"] = h5py.ExternalLink("elsewhere/plain.h5", "/back")
    file["loop"] = h5py.ExternalLink("elsewhere/plain.h5", "/loop")
    file["gone"] = h5py.ExternalLink("elsewhere/gone.h5", "/data")
    file["no-set"] = h5py.ExternalLink("elsewhere/plain.h5", "/none")
    file["pipe"] = h5py.ExternalLink("pipe.h5", "/data")
    file["device"] = h5py.ExternalLink("/dev/zero", "/data")
    file["folder"] = h5py.ExternalLink("elsewhere", "/data")
    file["text"] = h5py.ExternalLink("list", "/data")
os.mkfifo(folder + "/pipe.h5")
for name in ("plain", "packed", "group/data", "twice"):
    offer("volume", "links.h5:/" + name)
refuse("links.h5:/loop", "leads to no data set: too many links")
refuse("links.h5:/gone", "is a link to elsewhere/gone.h5:/data, which cannot be opened: .*gone.h5: No such file")
refuse("links.h5:/no-set", "leads to no data set")
refuse("links.h5:/pipe", "is a link to pipe.h5:/data, which cannot be opened: .*pipe.h5: is no ordinary file")
refuse("links.h5:/device", "/dev/zero: is no ordinary file")
refuse("links.h5:/folder", "elsewhere: is no ordinary file")
refuse("links.h5:/text", "leads to no data set: unable to open external file")


def virtual(name, sources, set_name="data", like="data"):
    layout = h5py.VirtualLayout(shape=volume.shape, dtype="u1")
    for i, source in enumerate(sources):
        layout[3 * i:3 * i + 3] = h5py.VirtualSource(source, like, shape=(3, 30, 40))
    with h5py.File(f"{folder}/{name}", "a") as file:
        file.create_virtual_dataset(set_name, layout, fillvalue=7)


parts = [f"parts/{i}.h5" for i in range(4)]
virtual("virtual.h5", parts)
offer("volume", "virtual.h5")
os.symlink("../virtual.h5", folder + "/elsewhere/virtual.h5")
offer("volume", "elsewhere/virtual.h5")
layout = h5py.VirtualLayout(shape=volume.shape, dtype="u1")
layout[:] = h5py.VirtualSource("../virtual.h5", "data", shape=volume.shape)
with h5py.File(folder + "/elsewhere/nested.h5", "w") as file:
    file.create_virtual_dataset("data", layout)
offer("volume", "elsewhere/nested.h5")
layout = h5py.VirtualLayout(shape=(6, 30, 40), dtype="u1")
layout[:3] = h5py.VirtualSource(parts[0], "data", shape=(3, 30, 40))
with h5py.File(folder + "/partly.h5", "w") as file:  # where no source is, the value is that of the data set
    file.create_virtual_dataset("data", layout, fillvalue=7)
numpy.save(folder + "/partly.npy", numpy.concatenate([volume[:3], numpy.full_like(volume[:3], 7)]))
offer("partly", "partly.h5")
virtual("missing.h5", parts[:3] + ["parts/4.h5"])
refuse("missing.h5", "is a virtual data set, and its source cannot be opened: .*parts/4.h5: No such file")
virtual("no-set.h5", parts, like="none")
refuse("no-set.h5", "its source .*parts/0.h5:none is missing")
virtual("fifo.h5", parts[:1] + ["pipe.h5"])
refuse("fifo.h5", "pipe.h5: is no ordinary file")
create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
whole = h5py.h5s.create_simple((3, 30, 40), (h5py.h5s.UNLIMITED, 30, 40))
whole.select_hyperslab((0, 0, 0), (h5py.h5s.UNLIMITED, 1, 1), stride=(3, 1, 1), block=(3, 30, 40))
create.set_virtual(whole, b"parts/%b.h5", b"data", h5py.h5s.create_simple((3, 30, 40)))
with h5py.File(folder + "/pattern.h5", "w", libver="latest") as file:
    h5py.h5d.create(file.id, b"data", h5py.h5t.STD_U8LE, whole, create)
refuse("pattern.h5", "numbered by a pattern, parts/%b.h5")
virtual("self.h5", ["self.h5"])
refuse("self.h5", "or without end")

with open(folder + "/raw.bin", "wb") as file:
    file.write(b"head" + volume.tobytes())
with open(folder + "/short.bin", "wb") as file:
    file.write(volume.tobytes()[:-1])
with h5py.File(folder + "/external.h5", "w") as file:
    for name, segments in (("whole", [("raw.bin", 4, h5py.h5f.UNLIMITED)]),
                           ("two", [("raw.bin", 4, 7200), ("raw.bin", 7204, 7200)]),
                           ("short", [("short.bin", 0, h5py.h5f.UNLIMITED)]), ("few", [("raw.bin", 4, 14399)]),
                           ("gone", [("gone.bin", 0, h5py.h5f.UNLIMITED)]),
                           ("pipe", [("pipe.h5", 0, h5py.h5f.UNLIMITED)]),
                           ("device", [("/dev/zero", 0, h5py.h5f.UNLIMITED)])):
        try:
            file.create_dataset(name, shape=volume.shape, dtype="u1", external=segments)
        except (OSError, ValueError):  # libhdf5 wants to have enough room
            continue
        if name in ("whole", "two"):
            offer("volume", "external.h5:/" + name)
        else:
            refuse("external.h5:/" + name, {"short": "which has 14399 bytes, and 14400 are needed from byte 0",
                                            "few": "too few bytes", "gone": "gone.bin, which cannot be read: No such",
                                            }.get(name, "is no ordinary file"))
