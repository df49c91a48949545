"""make_packed.py FOLDER [check OUTPUT]: one volume, volume.npy, as compressed samples and as texts under headers of NRRD and
MetaImage. GOOD lists files that hold it; BAD those that do not, with what is said of them."""

import bz2
import gzip
import os
import sys
import zlib

import numpy

folder = sys.argv[1]


def check(path):
    """Are the samples of an output one stream with the labels of should.npy?"""
    labels = numpy.load(os.path.join(folder, "should.npy"))
    content = open(path, "rb").read()
    if path.endswith(".mha"):
        text, _, stream = content.partition(b"ElementDataFile = LOCAL\n")
        size = next(line.split()[2] for line in text.split(b"\n") if line.startswith(b"CompressedDataSize"))
        assert int(size) == len(stream) and b"CompressedData = True" in text
        found = zlib.decompress(stream)
    elif path.endswith(".nrrd"):
        text, _, stream = content.partition(b"\n\n")
        assert b"encoding: gzip" in text
        unpacker = zlib.decompressobj(31)
        found = unpacker.decompress(stream)
        assert unpacker.eof and not unpacker.unused_data
    else:
        found = gzip.decompress(content)
        assert found[344:348] == b"n+1\0"
        found = found[352:]
    found = numpy.frombuffer(found, f"<u{len(found) // labels.size}").reshape(labels.shape)
    assert (found == labels).all() and len(content) < found.nbytes / 2, path


if len(sys.argv) > 2:
    check(sys.argv[3])
    sys.exit()
random = numpy.random.RandomState(3)
samples = random.randint(0, 60000, (7, 61, 803)).astype("<u2") * (random.rand(7, 61, 803) > 0.4).astype("<u2")
numpy.save(os.path.join(folder, "volume.npy"), samples)
raw, big = samples.tobytes(), samples.astype(">u2").tobytes()
good, bad = [], []


def write(name, *parts):
    open(os.path.join(folder, name), "wb").write(b"".join(parts))
    return name


def nrrd(encoding, more="", order="little", sizes="803 61 7"):
    return (f"NRRD0004\ntype: uint16\ndimension: 3\nsizes: {sizes}\nendian: {order}\nencoding: {encoding}\n"
            f"{more}").encode()


def meta(data, more="CompressedData = True\n", sizes="803 61 7"):
    return (f"ObjectType = Image\nNDims = 3\nDimSize = {sizes}\nElementType = MET_USHORT\n{more}"
            f"ElementDataFile = {data}\n").encode()


text = " ".join(map(str, samples.ravel())).encode()
packed, member = zlib.compress(raw, 6), gzip.compress(raw, 6)
members = gzip.compress(raw[:100000]) + gzip.compress(raw[100000:100001]) + gzip.compress(raw[100001:])
empty = b"\n"

good += [
    write("behind.nrrd", nrrd("gzip"), empty, member),
    write("short.nrrd", nrrd("gz"), empty, member),
    write("members.nrrd", nrrd("gzip"), empty, members),
    write("big.nrrd", nrrd("gzip", order="big"), empty, gzip.compress(big)),
    write("zlib.nrrd", nrrd("gzip"), empty, packed),
    write("bzip2.nrrd", nrrd("bzip2"), empty, bz2.compress(raw)),
    write("streams.nrrd", nrrd("bz2", "byte skip: 5\n"), empty, bz2.compress(b"12345" + raw[:9]), bz2.compress(raw[9:])),
    write("skipped.nrrd", nrrd("gzip", "line skip: 2\nbyte skip: 5\n"), empty, b"one\ntwo\n", gzip.compress(b"12345" + raw)),
    write("apart.nhdr", nrrd("gzip", "data file: apart.raw.gz\n")),
    write("apart-lines.nhdr", nrrd("gzip", "line skip: 1\ndata file: lines.gz\n")),
    write("raw-lines.nrrd", nrrd("raw", "line skip: 2\nbyte skip: 3\n"), empty, b"a\nb\n123", raw),
    write("raw-lines.nhdr", nrrd("raw", "line skip: 1\ndatafile: lines.raw\n")),
    write("text.nrrd", nrrd("text"), empty, text),
    write("ascii.nrrd", nrrd("ascii"), empty, text.replace(b" ", b",\n")),
    write("behind.mha", meta("LOCAL", f"CompressedData = True\nCompressedDataSize = {len(packed)}\n"), packed),
    write("gzip.mha", meta("LOCAL"), member),
    write("apart.mhd", meta("apart.zraw", f"CompressedData = 1\nCompressedDataSize = {len(packed)}\n")),
    write("big.mha", meta("LOCAL", "CompressedData = True\nBinaryDataByteOrderMSB = True\n"), zlib.compress(big)),
    write("text.mha", meta("LOCAL", "BinaryData = False\n"), text),
    write("text.mhd", meta("text.txt", "BinaryData = False\n")),
    write("whole.nrrd.gz", gzip.compress(nrrd("gzip") + empty + member)),
    write("behind.mha.gz", gzip.compress(meta("LOCAL") + packed)),
]
write("apart.raw.gz", member)
write("lines.gz", b"a line\n", member)
write("lines.raw", b"a line\n", raw)
write("apart.zraw", packed)
write("text.txt", text)

wrong = bytearray(member)
wrong[-8] ^= 1
middle = bytearray(packed)
middle[len(packed) // 2] ^= 255
bad += [
    (write("cut.nrrd", nrrd("gzip"), empty, member[: len(member) // 2]), "cut off"),
    (write("cut-bzip2.nrrd", nrrd("bz2"), empty, bz2.compress(raw)[:-200]), "cut off"),
    (write("no-bzip2.nrrd", nrrd("bz2"), empty, member), "no data of bzip2"),
    (write("large-bzip2.nrrd", nrrd("bz2", sizes="1000000 1000000 3"), empty, b"BZh9"), "cannot hold"),
    (write("cut.mha", meta("LOCAL"), packed[:1000]), "cut off"),
    (write("crc.nrrd", nrrd("gzip"), empty, bytes(wrong)), "damaged: incorrect data check"),
    (write("middle.mha", meta("LOCAL"), bytes(middle)), "damaged: incorrect data check"),
    (write("none.nrrd", nrrd("gzip"), empty, raw), "damaged"),
    (write("claims.mha", meta("LOCAL", sizes="80300 61000 70"), packed), "cannot hold"),
    (write("more.nrrd", nrrd("gzip", sizes="803 61 8"), empty, member), "cut off: .* of 488 rows"),
    (write("zstd.nrrd", nrrd("zstd"), empty, raw), "unu save"),
    (write("hex.nrrd", nrrd("hex"), empty, raw), "unu save"),
    (write("words.nrrd", nrrd("text"), empty, text.replace(b" ", b" word ", 1)), '.word. in row 0 is no sample'),
    (write("large.mha", meta("LOCAL", "BinaryData = False\n"), b"65536 " + text), '.65536. in row 0 is no sample'),
    (write("minus.mha", meta("LOCAL", "BinaryData = False\n"), b"-1 " + text), '.-1. in row 0 is no sample'),
    (write("few.mha", meta("LOCAL", "BinaryData = False\n"), text[: len(text) // 2]), "cut off"),
    (write("lines.nrrd", nrrd("raw", "line skip: 100000000\n"), empty, b"a\n", raw), "cut off"),
    (write("nothing.mhd", meta("nothing.zraw")), "nothing.zraw, which cannot be opened"),
]

with open(os.path.join(folder, "GOOD"), "w") as names:
    names.writelines(name + "\n" for name in good)
with open(os.path.join(folder, "BAD"), "w") as names:
    names.writelines(f"{name}\t{what}\n" for name, what in bad)
