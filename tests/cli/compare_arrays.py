"""NumPy's arrays in all their files, and whether they are read as numpy.load reads them.

    compare_arrays.py TOOL FOLDER: makes files in FOLDER, and compares what the tool read_pixels finds.
    compare_arrays.py make FOLDER: arrays for the commands, and files that are wrong, listed in FOLDER/BAD."""

import os
import struct
import sys
import zipfile

import numpy

from read_pixels import read_pixels

TYPES = ("?", "u1", "i1", "<u2", ">u2", "<i2", "<u4", ">i4", "<u8", "<i8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8")
SHAPES = ((37, 53), (13, 17, 19)) # of all types
OTHERS = ((300, 5), (5, 300), (1, 70), (70, 1), (70, 1, 6), (1, 6, 70))
# Columns and planes far from each other, so that a piece of the file is read for each.
LONG = ((40000, 7), (5, 9000, 6), (9000, 5, 6))


def samples(shape, kind):
    random = numpy.random.default_rng(7)
    return random.random(shape) < 0.4 if kind == "?" else random.integers(0, 100, shape).astype(kind)


def files_of(folder, array):
    """Names of files with this array, in each of the ways that there are."""
    by_columns = numpy.asfortranarray(array)
    numpy.save(f"{folder}/c.npy", array)
    numpy.save(f"{folder}/f.npy", by_columns)
    numpy.savez(f"{folder}/stored.npz", by_columns)
    numpy.savez(f"{folder}/several.npz", other=array[:1], wanted=array)
    numpy.savez_compressed(f"{folder}/deflated.npz", array)
    numpy.savez_compressed(f"{folder}/turned.npz", other=array[:1], wanted=by_columns)
    beside = {"spacing": numpy.array([1.5, 2]), "name": "a", "about": numpy.array([None], object), "count": 7}
    numpy.savez(f"{folder}/beside.npz", **beside, wanted=array)
    numpy.savez_compressed(f"{folder}/packed.npz", wanted=by_columns, **beside)
    names = ["beside.npz", "packed.npz", "c.npy", "f.npy", "stored.npz", "several.npz:/wanted", "deflated.npz", "turned.npz:/wanted"]
    return [f"{folder}/{name}" for name in names]


def compare(tool, folder):
    for shape in SHAPES + OTHERS + LONG:
        for kind in TYPES if shape in SHAPES else ("u1", "<f4"):
            array = samples(shape, kind)
            files = files_of(folder, array)
            # All rows at once, and so few that the file is read many times.
            for readers, kept in ((1, 0), (5, 0), (2, 100000) if shape in LONG else (3, 500)):
                for path, found in zip(files, read_pixels(tool, "samples", readers, files, kept)):
                    wanted = array.reshape(found.shape) if not isinstance(found, str) else found
                    assert not isinstance(found, str) and numpy.array_equal(found, wanted), (path, shape, kind, found)
    colour = samples((40, 50, 3), "u1")
    files = files_of(folder, colour)
    for found in read_pixels(tool, "colours", 3, files, 500):
        assert not isinstance(found, str) and numpy.array_equal(found, colour), found
    many = samples((3, 2, 5, 20, 30), "<i2")
    files = [f"{path}:t=2,c=1" for path in files_of(folder, many)]
    for path, found in zip(files, read_pixels(tool, "samples", 3, files, 500)):
        assert not isinstance(found, str) and numpy.array_equal(found, many[2, 1]), (path, found)


def write_zip64(path, name, data):
    """As programs write archives beyond 4 GiB: sizes, offsets and the directory's place in 64 bits."""
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(data))
    crc = zipfile.crc32(data)
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 0, crc, 2**32 - 1, 2**32 - 1, len(name), len(extra))
    extra_entry = struct.pack("<HHQQQ", 1, 24, len(data), len(data), 0)
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 0, crc, 2**32 - 1, 2**32 - 1, len(name),
                        len(extra_entry), 0, 0, 0, 0, 2**32 - 1) + name + extra_entry
    start = len(local) + len(name) + len(extra) + len(data)
    end64 = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 1, 1, len(entry), start)
    locator = struct.pack("<IIQI", 0x07064B50, 0, start + len(entry), 1)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 5) + b"hello"
    with open(path, "wb") as file:
        file.write(local + name + extra + data + entry + end64 + locator + end)


def make(folder):
    array = samples((60, 70), "u1")
    numpy.save(f"{folder}/grey.npy", array)
    numpy.save(f"{folder}/grey-f.npy", numpy.asfortranarray(array))
    numpy.savez_compressed(f"{folder}/grey.npz", numpy.asfortranarray(array))
    numpy.save(f"{folder}/cells.npy", samples((60, 70), ">i4") % 2)
    numpy.save(f"{folder}/cells-f.npy", numpy.asfortranarray(samples((60, 70), ">i4") % 2))
    with open(f"{folder}/grey.npy", "rb") as file:
        data = file.read()
    write_zip64(f"{folder}/wide.npz", b"arr_0.npy", data)
    # As Python 2 wrote sizes, on machines where these were long numbers.
    with open(f"{folder}/python2.npy", "wb") as file:
        file.write(data.replace(b"(60, 70), }  ", b"(60L, 70L), }"))
    bad = []

    def add(name, said, contents=None):
        bad.append(f"{name}\t{said}\n")
        if contents is not None:
            with open(f"{folder}/{name}", "wb") as file:
                file.write(contents)

    numpy.savez(f"{folder}/two.npz", cells=array, nuclei=array)
    numpy.savez(f"{folder}/texts.npz", a=array[0, 0], b="text")
    add("texts.npz", "has 2 arrays; name one as FILE:/NAME: a, b")
    add("two.npz", "has 2 arrays; name one as FILE:/NAME: cells, nuclei")
    add("two.npz:/tissue", "no such array, but 2 arrays; name one as FILE:/NAME: cells, nuclei")
    numpy.savez(f"{folder}/objects.npz", numpy.array([[1, None]], dtype=object))
    add("objects.npz", "type \"|O\"")
    numpy.savez(f"{folder}/none.npz")
    add("none.npz", "an archive without arrays")
    with zipfile.ZipFile(f"{folder}/bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.write(f"{folder}/grey.npy", "a.npy")
    add("bzip2.npz", "method 12 of zip")
    with open(f"{folder}/grey.npz", "rb") as file:
        packed = file.read()
    add("cut.npz", "no directory at its end", packed[:-40])
    middle = len(packed) // 2
    add("flipped.npz", "damaged", packed[:middle] + bytes([packed[middle] ^ 1]) + packed[middle + 1:])
    at = packed.index(b"PK\1\2")
    larger = packed[:at + 24] + struct.pack("<I", 4000) + packed[at + 28:]
    add("smaller.npz", "which its .* bytes in the archive cannot hold", larger)
    bomb = data.replace(b"(60, 70)", b"(60, 9" + b"9" * 8 + b")").replace(b" " * 9, b"", 1)
    with zipfile.ZipFile(f"{folder}/bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bomb)
    add("bomb.npz", "cannot hold")
    with open(f"{folder}/grey-f.npy", "rb") as file:
        turned = file.read()
    add("short-f.npy", "0 of 60 rows", turned[:-1])
    with open(f"{folder}/BAD", "w") as file:
        file.writelines(bad)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        os.makedirs(sys.argv[2], exist_ok=True)
        compare(sys.argv[1], sys.argv[2])
