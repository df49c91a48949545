"""Arrays of zarr: make_zarr.py FOLDER. All folders NAME-* have the samples of NAME.npy. FOLDER/bad has what
cannot be read, and a list of what is said about it. What zarr-python writes needs it, and is left out without;
version 3 is written by hand."""

import gzip
import itertools
import json
import os
import struct
import sys
import zlib

import numpy

try:
    import numcodecs
    import zarr
except ImportError:
    zarr = None

folder = sys.argv[1]
bad = os.path.join(folder, "bad")
os.mkdir(bad)
random = numpy.random.RandomState(11)
listed = []


def path(name):
    return os.path.join(folder, name)


def write(name, data):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)


def write_json(name, value):
    write(name, json.dumps(value, indent=1))


def same(value):
    return value


def chunks_of(samples, chunks, fill=0):
    """Numbers and samples of all chunks, those at the edges filled up."""
    counts = [range(-(-n // c)) for n, c in zip(samples.shape, chunks)]
    for number in itertools.product(*counts):
        place = tuple(slice(i * c, (i + 1) * c) for i, c in zip(number, chunks))
        part = samples[place]
        whole = numpy.full(chunks, fill, samples.dtype)
        whole[tuple(slice(0, n) for n in part.shape)] = part
        yield number, whole


def save_chunks(name, samples, chunks, pack, separator, prefix, missing, order="C"):
    for number, whole in chunks_of(samples, chunks):
        if missing is None or (whole != missing).any():
            write(name + "/" + prefix + separator.join(map(str, number)), pack(whole.tobytes(order)))


def save2(name, samples, sizes, compressor=None, pack=same, separator=".", fill=0, missing=None, **more):
    save_chunks(name, samples, sizes, pack, separator, "", missing, more.get("order", "C"))
    text = {"zarr_format": 2, "shape": samples.shape, "chunks": sizes, "dtype": samples.dtype.str,
            "compressor": compressor, "fill_value": fill, "order": "C", "filters": None}
    if separator != ".":
        text["dimension_separator"] = separator
    text.update(more)
    write_json(name + "/.zarray", text)


def save3(name, samples, sizes, codecs=(), pack=same, keys=None, fill=0, missing=None, **more):
    keys = keys or {"name": "default", "configuration": {"separator": "/"}}
    separator = keys.get("configuration", {}).get("separator", "/" if keys["name"] == "default" else ".")
    prefix = "c" + separator if keys["name"] == "default" else ""
    save_chunks(name, samples, sizes, pack, separator, prefix, missing)
    order = {">": "big", "<": "little"}.get(samples.dtype.str[0])
    first = {"name": "bytes", "configuration": {"endian": order}} if order else {"name": "bytes"}
    text = {"zarr_format": 3, "node_type": "array", "shape": samples.shape,
            "data_type": samples.dtype.newbyteorder("=").name, "fill_value": fill,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": sizes}},
            "chunk_key_encoding": keys, "codecs": [first] + list(codecs), "attributes": {}}
    text.update(more)
    write_json(name + "/zarr.json", text)


def edit_file(name, change):
    with open(path(name)) as text:
        value = json.load(text)
    change(value)
    write_json(name, value)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return data + struct.pack("<I", crc ^ 0xFFFFFFFF)


def deflated(data):
    return gzip.compress(data, 1)


# ---- volumes and images ---------------------------------------------------------------------------
volume = (random.rand(13, 22, 37) * 255).astype(numpy.uint8)
volume[random.rand(13, 22, 37) < 0.4] = 0
volume[4:9, 5:16, 8:24] = 0  # so that chunks are missing
numpy.save(path("volume.npy"), volume)
GZIP = {"name": "gzip", "configuration": {"level": 1}}
CRC = {"name": "crc32c"}
save2("volume-raw", volume, (4, 8, 16))
save2("volume-rows", volume, (1, 7, 37), separator="/")
save2("volume-whole", volume, (13, 22, 37), {"id": "zlib", "level": 1}, zlib.compress)
save2("volume-larger", volume, (20, 30, 64))
save2("volume-gzip", volume, (5, 22, 10), {"id": "gzip", "level": 1}, deflated)
save2("volume-missing", volume, (2, 4, 8), missing=0, filters=[])
save2("volume-null", volume, (2, 4, 8), missing=0, fill=None)
save2("volume-axes", volume[None, None], (1, 1, 4, 9, 10), separator="/")
save2("volume-thick", volume[None], (3, 4, 9, 10), {"id": "zlib", "level": 1}, zlib.compress)
save3("volume-v3", volume, (4, 8, 16))
save3("volume-v3gzip", volume, (4, 8, 16), [GZIP], deflated)
save3("volume-v3sum", volume, (4, 8, 16), [CRC], crc32c)
save3("volume-v3both", volume, (3, 22, 37), [GZIP, CRC], lambda data: crc32c(deflated(data)), missing=0)
save3("volume-v3dots", volume, (4, 8, 16), keys={"name": "default", "configuration": {"separator": "."}})
save3("volume-v3old", volume, (4, 8, 16), keys={"name": "v2"}, codecs=[])

# Axes in another order within chunks, and fill values as Python and version 3 write them.
save2("volume-fortran", volume, (4, 8, 16), order="F")
save2("volume-fortrangzip", volume, (5, 22, 10), {"id": "gzip", "level": 1}, deflated, order="F", missing=0)


def turned(order, shape):
    def pack(data):
        return numpy.frombuffer(data, "u1").reshape(shape).transpose(order).tobytes()
    return pack


def prepend(name, *codecs):
    with open(path(name + "/zarr.json")) as file:
        text = json.load(file)
    text["codecs"] = list(codecs) + text["codecs"]
    write_json(name + "/zarr.json", text)


save3("volume-v3turned", volume, (4, 8, 16), pack=turned((2, 0, 1), (4, 8, 16)))
prepend("volume-v3turned", {"name": "transpose", "configuration": {"order": [2, 0, 1]}})
save3("volume-v3twice", volume, (4, 8, 16), pack=turned((1, 2, 0), (4, 8, 16)))
prepend("volume-v3twice", {"name": "transpose", "configuration": {"order": [2, 0, 1]}},
        {"name": "transpose", "configuration": {"order": [2, 0, 1]}})
ends = numpy.full((6, 9), 2**64 - 1, "u8")
ends[2:4, 3:8] = 5
numpy.save(path("ends.npy"), ends)
save2("ends-fill", ends, (2, 3), fill=2**64 - 1, missing=2**64 - 1)
save3("ends-fill3", ends, (2, 3), fill=2**64 - 1, missing=2**64 - 1)
save2("ends-mark", ends, (2, 3), fill=2**64 - 1, missing=2**64 - 1)
with open(path("ends-mark/.zarray"), "rb") as file:
    text = file.read()
write("ends-mark/.zarray", b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
least = numpy.full((6, 9), -2**63, "i8")
least[2:4, 3:8] = 2**63 - 1
numpy.save(path("least.npy"), least)
save2("least-fill", least, (2, 3), fill=-2**63, missing=-2**63)
save2("least-text", least, (2, 3), fill=str(-2**63), missing=-2**63)
save2("least-real", least, (2, 3), fill=-2.0**63, missing=-2**63)
save3("least-fill3", least, (2, 3), fill=-2**63, missing=-2**63)

# A group with images of several sizes, of which the first is meant, and a group of one array.
for name, image in (("volume-ome", "image"), ("volume-ome3", "0")):
    old = name == "volume-ome"
    (save2 if old else save3)(name + "/" + image, volume[None, None], (1, 1, 4, 9, 10))
    (save2 if old else save3)(name + "/1", volume[None, None, ::2, ::2, ::2], (1, 1, 4, 9, 10))
    scale = [{"type": "scale", "scale": [1, 1, 2.5, 0.5, 0.25]}]
    scenes = [{"version": "0.4", "datasets": [{"path": image, "coordinateTransformations": scale}, {"path": "1"}]}]
    if old:
        write_json(name + "/.zgroup", {"zarr_format": 2})
        write_json(name + "/.zattrs", {"multiscales": scenes})
    else:
        write_json(name + "/zarr.json", {"zarr_format": 3, "node_type": "group",
                                         "attributes": {"ome": {"multiscales": scenes}}})
save2("volume-only/data", volume, (4, 8, 16))
write_json("volume-only/.zgroup", {"zarr_format": 2})

wide = volume.astype(numpy.uint16)[:, :, :30] * 200 + 7
numpy.save(path("wide.npy"), wide)
save2("wide-big", wide.astype(">u2"), (4, 8, 16), missing=7, fill=7)
save2("wide-signed", wide.astype("<i8"), (13, 8, 16), {"id": "zlib", "level": 1}, zlib.compress)
save3("wide-v3big", wide.astype(">u4"), (4, 8, 16), missing=7, fill=7)

bits = volume[0] > 100
numpy.save(path("bits.npy"), bits)
save2("bits-raw", bits, (8, 8))
save2("bits-missing", bits, (4, 4), missing=0, fill=False)
save2("bits-true", bits, (4, 4), missing=1, fill=True)
save3("bits-v3", bits, (30, 5), fill=False)

colour = (random.rand(40, 50, 3) * 255).astype(numpy.uint8)
numpy.save(path("colour.npy"), colour)
save2("colour-raw", colour, (16, 16, 3))
save2("colour-apart", colour, (16, 64, 1), {"id": "zlib", "level": 1}, zlib.compress)
real = random.rand(20, 30)
real[8:12] = 0.75
numpy.save(path("costs.npy"), real)
save2("costs-real", real.astype(">f8"), (4, 16), fill=0.75, missing=0.75)
save2("costs-nan", real, (4, 16), fill=float("nan"))
save2("costs-infinite", real, (4, 16), fill=float("-inf"))
save2("costs-printed", real, (4, 16), fill="-inf")
save2("costs-lower", real, (4, 16), fill="nan")
save2("costs-text", real, (4, 16), fill="0.75", missing=0.75)
save2("bits-real", bits, (4, 4), missing=0, fill=0.0)
save3("costs-hex", real, (4, 16), fill="0x3fe8000000000000", missing=0.75)
save3("costs-digits", real, (4, 16), fill=12345678901234567890123)

if zarr is not None:
    Blosc = numcodecs.Blosc
    for name, compressor in (("lz4", Blosc("lz4")), ("bits", Blosc("zstd", shuffle=Blosc.BITSHUFFLE)),
                             ("plain", Blosc("blosclz", shuffle=Blosc.NOSHUFFLE)), ("zlib", numcodecs.Zlib())):
        blosc = "-blosc" if name != "zlib" else "-python"
        zarr.open_array(path("volume" + blosc + name), mode="w", shape=volume.shape, chunks=(4, 8, 16),
                        dtype="u1", compressor=compressor)[:] = volume
        zarr.open_array(path("wide" + blosc + name), mode="w", shape=wide.shape, chunks=(13, 8, 30),
                        dtype="<u2", compressor=compressor)[:] = wide
    zarr.open_array(path("volume-zstd"), mode="w", shape=volume.shape, chunks=(4, 8, 16), dtype="u1",
                    compressor=numcodecs.Zstd())[:] = volume
    def encoder(*codecs):
        def pack(data):
            for codec in codecs:
                data = numcodecs.compat.ensure_contiguous_ndarray(codec.encode(data))
            return bytes(data)
        return pack

    def filtered(name, samples, sizes, *filters, compressor=numcodecs.Zlib(), **more):
        """Version 2; arrays of filters are those of numcodecs."""
        def pack(data):
            part = numpy.frombuffer(data, samples.dtype)
            return bytes(compressor.encode(numpy.frombuffer(encoder(*filters)(part), "u1")))
        save2(name, samples, sizes, compressor.get_config(), pack, filters=[f.get_config() for f in filters], **more)

    filtered("volume-delta", volume, (4, 8, 16), numcodecs.Delta("u1"))
    filtered("volume-deltawide", volume, (4, 8, 16), numcodecs.Delta("u1", astype="<i2"))
    filtered("volume-shuffle", volume, (4, 8, 16), numcodecs.Shuffle(4))
    filtered("volume-astype", volume, (4, 8, 16), numcodecs.AsType(">i4", "|u1"))
    filtered("volume-sums", volume, (4, 8, 16), numcodecs.CRC32())
    filtered("volume-adler", volume, (4, 8, 16), numcodecs.Adler32(), order="F")
    filtered("volume-lz4", volume, (4, 8, 16), compressor=numcodecs.LZ4())
    filtered("wide-lz4delta", wide.astype("<u2"), (4, 8, 16), numcodecs.Delta("<u2"), numcodecs.Shuffle(2),
             compressor=numcodecs.LZ4())
    filtered("wide-scaled", wide.astype("<f8"), (4, 8, 16), numcodecs.FixedScaleOffset(7, 0.5, "<f8", "<u2"))
    filtered("wide-quantized", wide.astype("<f8"), (4, 8, 16), numcodecs.Quantize(1, "<f8", "<f4"))
    filtered("wide-signeddelta", wide.astype(">i4"), (4, 8, 16), numcodecs.Delta(">i4", "<i8"))
    filtered("bits-packed", bits, (8, 8), numcodecs.PackBits())
    filtered("bits-packedodd", bits, (7, 9), numcodecs.PackBits())
    filtered("costs-delta", numpy.round(real * 4) / 4 * 0 + real, (4, 16), numcodecs.BitRound(52))
    save3("wide-lz4v3", wide.astype("<u2"), (4, 8, 16),
          [{"name": "numcodecs.shuffle", "configuration": {"elementsize": 2}},
           {"name": "numcodecs.lz4", "configuration": {}}],
          lambda data: numcodecs.LZ4().encode(numcodecs.Shuffle(2).encode(
              numpy.frombuffer(numcodecs.Delta("<u2").encode(numpy.frombuffer(data, "<u2")).tobytes(), "u1"))))
    prepend("wide-lz4v3", {"name": "numcodecs.delta", "configuration": {"dtype": "<u2"}})
    save3("volume-bloscv3", volume, (4, 8, 16), [{"name": "blosc", "configuration": {"cname": "lz4"}}],
          lambda data: Blosc("lz4").encode(data))
    save3("volume-zstdv3", volume, (4, 8, 16), [{"name": "zstd", "configuration": {"level": 0}}],
          lambda data: numcodecs.Zstd().encode(data))

# ---- what cannot be read --------------------------------------------------------------------------
small = volume[:4, :8, :8]


def add(name, message):
    listed.append(name + "|" + message)
    return "bad/" + name


def changed(name, message, **changes):
    save2(add(name, message), small, (2, 4, 8), **changes)


def edit(name, change, file=".zarray"):
    edit_file("bad/" + name + "/" + file, change)


changed("cut-json", "cannot be read: line")
write("bad/cut-json/.zarray", '{"zarr_format": 2,\n "shape": [4')
changed("list", "lacks zarr_format")
write("bad/list/.zarray", "[]")
changed("deep", "cannot be read: line")
write("bad/deep/.zarray", "[" * 100000)
changed("version", "zarr_format is 4", zarr_format=4)
changed("no-chunks", "lacks chunks")
edit("no-chunks", lambda text: text.pop("chunks"))
changed("zero-chunk", "chunks is \\[2,0,8\\]", chunks=[2, 0, 8])
changed("few-chunks", "chunks is \\[2,4\\]", chunks=[2, 4])
changed("real-shape", "shape is \\[4.5,8,8\\]", shape=[4.5, 8, 8])
changed("negative", "shape is \\[-4,8,8\\]", shape=[-4, 8, 8])
changed("empty", "the array has no samples", shape=[0, 8, 8])
changed("line", "shape is \\[512\\]; give a whole number for each of two to eight axes", shape=[512], chunks=[64])
changed("four", "has 2 images along the unnamed axis 1; choose with --time", shape=[2, 2, 8, 8], chunks=[2, 2, 8, 8])
changed("huge", "their product at most 2^56", shape=[1 << 30, 1 << 30, 1 << 30])
changed("long", "from 1 to 2147483647", shape=[1, 1 << 40, 8])
changed("memory", "memory", shape=[1 << 20, 1 << 16, 1 << 16], chunks=[1, 1 << 15, 1 << 15])
changed("chunk-overflow", "chunks of more than 2^56 bytes", chunks=[1 << 40, 1 << 40, 8])
changed("chunk-huge", "has 64 bytes, which cannot be a chunk of 9007199254740992 bytes", chunks=[1 << 50, 1, 8])
changed("chunk-packed", "compressed chunks of 4294967296 bytes", chunks=[1 << 20, 1 << 10, 4],
        compressor={"id": "zlib", "level": 1})
changed("structured", "dtype is", dtype=[["x", "<u2"]])
changed("text", "dtype is .*<U8", dtype="<U8")
changed("complex", "dtype is .*<c16", dtype="<c16")
changed("order", "order is .A.; .C. and .F. can be read", order="A")
changed("filters", "filter is .*categorize.*can be read: save the array with these or none",
        filters=[{"id": "categorize"}])
changed("filter-type", "its type is not that of the samples", filters=[{"id": "delta", "dtype": "<u2"}])
changed("filter-text", "filter.s type is .<U3.", filters=[{"id": "delta", "dtype": "<U3"}])
changed("filter-scale", "a scale other than 0", filters=[{"id": "fixedscaleoffset", "scale": 0, "offset": 1}])
changed("filter-element", "elementsize has to be 1 to 256", filters=[{"id": "shuffle", "elementsize": 0}])
changed("filter-many", "8 filters can be read", filters=[{"id": "bitround"}] * 9)
changed("filter-after", "packbits and checksums as the last one",
        filters=[{"id": "packbits"}, {"id": "bitround"}])
changed("filter-bits", "has 64 bytes, which cannot be", filters=[{"id": "packbits"}])
changed("filter-sum", "the chunk .*0.0.0 has 64 bytes", filters=[{"id": "crc32"}])
save2(add("filter-wrong", "the chunk .*0.0.0 is damaged"), small, (2, 4, 8), filters=[{"id": "crc32"}],
      pack=lambda data: bytes(4) + data)
save2(add("filter-pad", "the chunk .*0.0.0 is damaged"), small, (2, 4, 8), filters=[{"id": "packbits"}],
      pack=lambda data: bytes([1]) + bytes(8))
changed("zfpy", "compressor is .zfpy.; none, zlib", compressor={"id": "zfpy"})
changed("no-compressor", "lacks compressor")
edit("no-compressor", lambda text: text.pop("compressor"))
changed("fill", "fill_value is 256", fill_value=256)
changed("fill-text", "fill_value is .black.", fill_value="black")
changed("fill-large", "fill_value is .18446744073709551616.", fill_value=2**64, dtype="<u8", chunks=[2, 4, 1])
changed("separator", "separator of chunks. numbers is .-.", dimension_separator="-")
changed("cut-chunk", "1.1.0 has 63 bytes, which cannot be a chunk of 64 bytes")
write("bad/cut-chunk/1.1.0", small.tobytes()[:63])
changed("long-chunk", "1.1.0 has 65 bytes")
write("bad/long-chunk/1.1.0", small.tobytes()[:65])
changed("folder-chunk", "1.1.0 has 0 bytes")
os.remove(path("bad/folder-chunk/1.1.0"))
os.mkdir(path("bad/folder-chunk/1.1.0"))
for name, make in (("cut-deflate", lambda: zlib.compress(bytes(range(64)))[:-1]),
                   ("bit-deflate", lambda: zlib.compress(bytes(64))[:-1] + b"x"),
                   ("short-deflate", lambda: zlib.compress(bytes(63))),
                   ("long-deflate", lambda: zlib.compress(bytes(65)))):
    save2(add(name, "the chunk .*1.1.0 is damaged"), small, (2, 4, 8), {"id": "zlib", "level": 1}, zlib.compress)
    write("bad/" + name + "/1.1.0", make())
save2(add("bomb", "0.0.0 has 64 bytes, which cannot be"), small, (2, 4, 8), {"id": "zlib", "level": 1},
      chunks=[1 << 10, 1 << 10, 1 << 10])

save3(add("v3-node", "node_type is .tree."), small, (2, 4, 8), node_type="tree")
save3(add("v3-type", "data_type is .complex64."), small, (2, 4, 8), data_type="complex64")
save3(add("v3-grid", "chunk_grid is .*rectilinear"), small, (2, 4, 8), chunk_grid={"name": "rectilinear"})
save3(add("v3-no-shape", "lacks chunk_shape"), small, (2, 4, 8), chunk_grid={"name": "regular"})
for name, order in (("twice", [0, 0, 1]), ("few", [1, 0]), ("beyond", [0, 1, 3]), ("text", ["0", 1, 2])):
    save3(add("v3-transpose-" + name, "its order has to have each axis once"), small, (2, 4, 8))
    edit("v3-transpose-" + name, lambda text: text["codecs"].insert(
        0, {"name": "transpose", "configuration": {"order": order}}), "zarr.json")
save3(add("v3-sum", "the checksum of .*c/0/0/0 is wrong"), small, (2, 4, 8), [CRC], lambda data: data + bytes(4))
save3(add("v3-codec", "compressor is .pcodec."), small, (2, 4, 8), [{"name": "pcodec"}])
save3(add("v3-no-bytes", ".bytes. has to be one of them"), small, (2, 4, 8))
edit("v3-no-bytes", lambda text: text["codecs"].clear(), "zarr.json")

write_json(add("group-none", "a group of zarr without an array in it") + "/.zgroup", {"zarr_format": 2})
save2("bad/group-two/b", small, (2, 4, 8))
save3("bad/group-two/a", small, (2, 4, 8))
write_json(add("group-two", "a group of several arrays: a, b; name one: .*group-two/a$") + "/.zgroup",
           {"zarr_format": 2})
for name, to, message in (("ome-out", "../cut-chunk", "path of its first image is .\\.\\./cut-chunk"),
                          ("ome-lost", "7", "attributes name .*/7 as the first image")):
    write_json(add(name, message) + "/.zgroup", {"zarr_format": 2})
    write_json("bad/" + name + "/.zattrs", {"multiscales": [{"datasets": [{"path": to}]}]})

if zarr is not None:
    whole = numcodecs.Blosc("lz4").encode(bytes(64))
    for name, forged in (("blosc-bytes", whole[:4] + struct.pack("<I", 1 << 30) + whole[8:]),
                         ("blosc-block", whole[:8] + struct.pack("<I", 1 << 30) + whole[12:]),
                         ("blosc-packed", whole[:12] + struct.pack("<I", 1 << 30) + whole[16:]),
                         ("blosc-cut", whole[:-1]), ("blosc-head", whole[:9])):
        message = "the chunk .*1.1.0 is damaged"
        save2(add(name, message), small, (2, 4, 8), {"id": "blosc", "cname": "lz4"}, numcodecs.Blosc("lz4").encode)
        write("bad/" + name + "/1.1.0", bytes(forged))

write("bad/list.txt", "".join(line + "\n" for line in listed))
