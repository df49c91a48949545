"""What make_zarr.py makes, and beside it shards, series of images, and more compressors: make_shards.py FOLDER.
All of it is written by hand from the specifications, for zarr-python of version 2 knows none of it."""

import bz2
import lzma
import os
import struct
import zlib

import numpy
import make_zarr
from make_zarr import (CRC, GZIP, add, chunks_of, crc32c, deflated, edit, listed, path, real, save2, save3, small, turned,
                       volume, wide, write, write_json)

MISSING = 2**64 - 1


def shard_of(samples, sizes, pack, end, checksum, order, missing):
    """The bytes of one shard: chunks in reverse, with a gap, to show that the index alone counts."""
    counts = [-(-n // c) for n, c in zip(samples.shape, sizes)]
    head = numpy.prod(counts) * 16 + (4 if checksum else 0)
    entries, body = [], b""
    for _, whole in list(chunks_of(samples, sizes))[::-1]:
        if missing is not None and (whole == missing).all():
            entries.append((MISSING, MISSING))
            continue
        data = bytes(pack(whole.tobytes()))
        body += b"gap"
        entries.append(((0 if end else head) + len(body), len(data)))
        body += data
    index = b"".join(struct.pack(order + "QQ", *entry) for entry in entries[::-1])
    index = crc32c(index) if checksum else index
    return body + index if end else index + body


def save_shards(name, samples, shards, sizes, codecs=(), pack=lambda data: data, end=True, checksum=True, order="<",
                fill=0, missing=None, before=(), **changes):
    save3(name, samples, shards, codecs, fill=fill, missing=missing)
    for number, whole in chunks_of(samples, shards, fill):
        file = name + "/c/" + "/".join(map(str, number))
        if os.path.exists(path(file)):
            write(file, shard_of(whole, sizes, pack, end, checksum, order, missing))
    index = [{"name": "bytes", "configuration": {"endian": "little" if order == "<" else "big"}}]
    configuration = {"chunk_shape": sizes, "index_codecs": index + ([CRC] if checksum else [])}
    if not end:
        configuration["index_location"] = "start"
    configuration.update(changes)

    def wrap(text):
        configuration.setdefault("codecs", list(before) + text["codecs"])
        text["codecs"] = [{"name": "sharding_indexed", "configuration": configuration}]

    make_zarr.edit_file(name + "/zarr.json", wrap)


both = [GZIP, CRC]
save_shards("volume-shards", volume, (8, 16, 32), (4, 8, 16))
save_shards("volume-shardsstart", volume, (8, 24, 40), (4, 8, 8), both, lambda data: crc32c(deflated(data)), end=False)
save_shards("volume-shardsplain", volume, (13, 22, 37), (13, 11, 37), checksum=False, order=">")
save_shards("volume-shardsmissing", volume, (4, 16, 32), (2, 4, 8), [GZIP], deflated, missing=0)
save_shards("volume-shardsmany", volume, (1, 1, 2), (1, 1, 1), missing=0, end=False)
save_shards("volume-shardsaxes", volume[None], (1, 8, 16, 32), (1, 4, 8, 16), [GZIP], deflated)
save_shards("volume-shardsturned", volume, (8, 16, 32), (4, 8, 16), pack=turned((2, 0, 1), (4, 8, 16)),
            before=[{"name": "transpose", "configuration": {"order": [2, 0, 1]}}])
save_shards("wide-shards", wide.astype(">u4"), (8, 16, 32), (4, 8, 16), fill=7, missing=7)
save_shards("costs-shards", real, (8, 32), (4, 16), fill=0.75, missing=0.75)

# More compressors, and what is written before them.
save2("volume-bz2", volume, (4, 8, 16), {"id": "bz2", "level": 1}, bz2.compress)
save2("volume-xz-lzma", volume, (4, 8, 16), {"id": "lzma", "format": 1}, lzma.compress)
save2("volume-alone-lzma", volume, (4, 8, 16), {"id": "lzma", "format": 2},
      lambda data: lzma.compress(data, lzma.FORMAT_ALONE))
save3("volume-v3-bz2", volume, (4, 8, 16), [{"name": "numcodecs.bz2", "configuration": {"level": 1}}], bz2.compress)
zeros = numpy.zeros((13, 22, 37), "u1")
zeros[3:5, 4:9, 5:30] = 200
numpy.save(path("zeros.npy"), zeros)
save2("zeros-bz2", zeros, (40, 1000, 1000), {"id": "bz2", "level": 9}, bz2.compress)


def shuffled(data):
    return zlib.compress(numpy.frombuffer(data, "u1").reshape(-1, 2).T.tobytes())


def fletcher(data):
    words = numpy.frombuffer(data, ">u2").astype("u8")
    low, high = words.sum() % 65535, numpy.cumsum(words).sum() % 65535
    return data + struct.pack("<I", int(high) << 16 | int(low))


two = wide.astype("<u2")
save2("wide-hdf5", two, (4, 8, 16), None, shuffled, filters=[{"id": "shuffle", "elementsize": 2}, {"id": "zlib"}])
save2("wide-fletcher", two, (4, 8, 16), {"id": "zlib"}, lambda data: zlib.compress(fletcher(data)),
      filters=[{"id": "fletcher32"}])
save2("wide-sumc", two, (4, 8, 16), {"id": "zlib"}, lambda data: zlib.compress(crc32c(data)), filters=[{"id": "crc32c"}])
save2("wide-sumend", two, (4, 8, 16), None, lambda data: data + struct.pack("<I", zlib.crc32(data)),
      filters=[{"id": "crc32", "location": "end"}])
save3("wide-sumfirst", two, (4, 8, 16), both[::-1], lambda data: deflated(crc32c(data)))
save3("wide-sumtwice", two, (4, 8, 16), [CRC, GZIP, CRC], lambda data: crc32c(deflated(crc32c(data))))

# bioformats2raw stores the images of a file as series, of which the first is meant.
for name, version in (("volume-series", 2), ("volume-series3", 3), ("volume-series2list", 2)):
    save = save2 if version == 2 else save3
    first = "7" if name.endswith("list") else "0"
    for series, samples in ((first, volume), ("1", volume[::-1])):
        save(f"{name}/{series}/0", samples[None, None], (1, 1, 4, 9, 10))
        scenes = {"multiscales": [{"version": "0.4", "datasets": [{"path": "0"}]}]}
        if version == 2:
            write_json(f"{name}/{series}/.zgroup", {"zarr_format": 2})
            write_json(f"{name}/{series}/.zattrs", scenes)
        else:
            group = {"zarr_format": 3, "node_type": "group", "attributes": {"ome": scenes}}
            write_json(f"{name}/{series}/zarr.json", group)
    layout = {"bioformats2raw.layout": 3}
    if version == 2:
        write_json(name + "/.zgroup", {"zarr_format": 2})
        write_json(name + "/.zattrs", layout)
    else:
        write_json(name + "/zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {"ome": layout}})
    if name.endswith("list"):
        write_json(name + "/OME/.zgroup", {"zarr_format": 2})
        write_json(name + "/OME/.zattrs", {"series": ["7", "1"]})
numpy.save(path("bad/other.npy"), volume[::-1])


def group(name, message, attributes):
    write_json(add(name, message) + "/.zgroup", {"zarr_format": 2})
    write_json("bad/" + name + "/.zattrs", attributes)


group("plate", "is a plate of 2 wells; name an image of one, such as .*/plate/A/1/0$",
      {"plate": {"wells": [{"path": "A/1"}, {"path": "A/2"}]}})
group("plate-series", "a plate of 1 wells; name an image of one, such as .*/B/3/0, or choose with --series",
      {"bioformats2raw.layout": 3, "plate": {"wells": [{"path": "B/3"}]}})
group("well", "is a well of a plate, with 2 images; name one, such as .*/well/0$",
      {"well": {"images": [{"path": "0"}, {"path": "1"}]}})
group("labels", "is a group of 1 images of labels; name one, such as .*/labels/cells$", {"labels": ["cells"]})
group("series-none", "has no folder 0 with the first one", {"bioformats2raw.layout": 3})
group("series-layout", "layout is 4; 3 can be read", {"bioformats2raw.layout": 4})
group("series-out", "path of a series is .../plate", {"bioformats2raw.layout": 3})
write_json("bad/series-out/OME/.zgroup", {"zarr_format": 2})
write_json("bad/series-out/OME/.zattrs", {"series": ["../plate"]})


def shards(name, message, sizes=(2, 4, 4), **changes):
    save_shards(add(name, message), small, (2, 8, 8), sizes, **changes)


def change(name, at, data):
    with open(path(f"bad/{name}/c/0/0/0"), "r+b") as file:
        file.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
        file.write(data)


shards("shard-shape", "the shape of a shard must be a multiple of it")
edit("shard-shape", lambda text: text["codecs"][0]["configuration"].update(chunk_shape=[2, 3, 4]), "zarr.json")
shards("shard-count", "a shard can have 16777216 chunks")
edit("shard-count", lambda text: (text["chunk_grid"]["configuration"].update(chunk_shape=[2**30, 2**20, 8]),
                                  text["codecs"][0]["configuration"].update(chunk_shape=[1, 1, 1])), "zarr.json")
shards("shard-index-codec", "codecs of the index of shards", index_codecs=[{"name": "gzip"}])
shards("shard-location", "location of the index of shards is .middle.", index_location="middle")
shards("shard-nested", "can be read", codecs=(), before=[{"name": "sharding_indexed", "configuration": {}}])
shards("shard-no-codecs", "has to be one of them", codecs=())
edit("shard-no-codecs", lambda text: text["codecs"][0]["configuration"].update(codecs=[]), "zarr.json")
shards("shard-sum", "the checksum of the index of .*c/0/0/0 is wrong")
change("shard-sum", -1, b"x")
shards("shard-flipped", "the checksum of the index of .*c/0/0/0 is wrong")
change("shard-flipped", -20, b"x")
shards("shard-behind", "names bytes behind its end", checksum=False, end=False)
change("shard-behind", 0, struct.pack("<QQ", 2**63, 2**63))
shards("shard-size", "has 31 bytes, which cannot be a chunk of 32 bytes", checksum=False, end=False)
change("shard-size", 0, struct.pack("<QQ", 70, 31))
shards("shard-short", "and its index needs 68")
write("bad/shard-short/c/0/0/0", b"x" * 67)
shards("shard-after", "sharding_indexed can be read as the only one")
edit("shard-after", lambda text: text["codecs"].append({"name": "gzip"}), "zarr.json")
save2(add("fletcher", "the chunk .*0.0.0 is damaged"), small, (2, 4, 8), filters=[{"id": "fletcher32"}],
      pack=lambda data: data + b"none")
save2(add("two-packers", "the last filter is one, too"), small, (2, 4, 8), {"id": "zlib"}, filters=[{"id": "zlib"}])
save2(add("cut-lzma", "the chunk .*0.0.0 is damaged"), small, (2, 4, 8), {"id": "lzma"},
      lambda data: lzma.compress(data)[:-3])
save2(add("cut-bz2", "the chunk .*0.0.0 is damaged"), small, (2, 4, 8), {"id": "bz2"},
      lambda data: bz2.compress(data)[:-3])

write("bad/list.txt", "".join(line + "\n" for line in listed))
