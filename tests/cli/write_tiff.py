"""TIFF files with any layout of samples, written in a few lines so that tests can choose each byte."""

import struct
import zlib

import numpy

SHORT, LONG, LONG8, ASCII, DOUBLE = 3, 4, 16, 2, 12
CODES = {SHORT: "H", LONG: "I", LONG8: "Q", DOUBLE: "d"}


def parts_of(image, rows, tile):
    """The slices of the image that are its strips or tiles, and the shape of each in the file."""
    height, width = image.shape[:2]
    if tile:
        return [(slice(y, y + tile), slice(x, x + tile), (tile, tile))
                for y in range(0, height, tile) for x in range(0, width, tile)]
    return [(slice(y, y + rows), slice(None), (min(rows, height - y), width)) for y in range(0, height, rows)]


def pages_of(image, separate):
    return [image[..., i] for i in range(image.shape[2])] if separate and image.ndim == 3 else [image]


def pack_bits(part, bits):
    """Rows of samples of any number of bits, the highest first."""
    ones = (part[..., None] >> numpy.arange(bits)[::-1]) & 1
    return numpy.packbits(ones.reshape(part.shape[0], -1).astype("u1"), axis=1).tobytes()


def page_of(image, at, rows=0, tile=0, deflated=False, big=False, order="<", bits=0, separate=False, white=False,
            edit=None, extra=()):
    """The bytes of a page that begins at this offset, where its directory is among them, and where the offset
    of the next one. `edit` changes the lists of offsets and sizes of its strips or tiles."""
    channels = image.shape[2] if image.ndim == 3 else 1
    bits = bits or 8 * image.itemsize
    kind = {"u": 1, "i": 2, "f": 3}[image.dtype.kind]
    data = []
    for page in pages_of(image, separate):
        for down, across, shape in parts_of(page, rows, tile):
            part = numpy.zeros(shape + page.shape[2:], image.dtype.newbyteorder(order))
            seen = page[down, across]
            part[: seen.shape[0], : seen.shape[1]] = seen
            raw = part.tobytes() if bits % 8 == 0 else pack_bits(part, bits)
            data.append(zlib.compress(raw) if deflated else raw)
    word, room = (LONG8, 8) if big else (LONG, 4)
    sizes = [len(part) for part in data]
    offsets = [at + sum(sizes[:i]) for i in range(len(sizes))]
    if edit:
        offsets, sizes = edit(offsets, sizes)
    photometric = 2 if channels > 2 else 0 if white else 1
    entries = [(256, LONG, [image.shape[1]]), (257, LONG, [image.shape[0]]), (258, SHORT, [bits] * channels),
               (259, SHORT, [8 if deflated else 1]), (262, SHORT, [photometric]), (277, SHORT, [channels]),
               (284, SHORT, [2 if separate else 1]), (339, SHORT, [kind] * channels)]
    if channels in (2, 4):
        entries.append((338, SHORT, [2]))
    if tile:
        entries += [(322, LONG, [tile]), (323, LONG, [tile]), (324, word, offsets), (325, word, sizes)]
    else:
        entries += [(273, word, offsets), (278, LONG, [rows]), (279, word, sizes)]
    entries = sorted(entries + list(extra), key=lambda entry: entry[0])
    body = b"".join(data)
    body += b"\0" * (-len(body) % 8)
    begin = len(body)
    next_at = begin + (8 if big else 2) + len(entries) * (20 if big else 12)
    directory, rest = struct.pack(order + ("Q" if big else "H"), len(entries)), b""
    for tag, kind, values in entries:
        raw = values if kind == ASCII else struct.pack(f"{order}{len(values)}{CODES[kind]}", *values)
        if len(raw) > room:
            place = struct.pack(order + ("Q" if big else "I"), at + next_at + room + len(rest))
            rest += raw + b"\0" * (-len(raw) % 8)
        else:
            place = raw.ljust(room, b"\0")
        directory += struct.pack(order + ("HHQ" if big else "HHI"), tag, kind, len(values)) + place
    return bytearray(body + directory + b"\0" * room + rest), begin, next_at


def write(path, *images, big=False, order="<", tail=4096, **form):
    """A page for each image; the bytes behind everything would be pixels if they were read."""
    file = (b"II" if order == "<" else b"MM") + struct.pack(
        order + ("HHHQ" if big else "HI"), *((43, 8, 0, 0) if big else (42, 0)))
    file, link, code = bytearray(file), 8 if big else 4, order + ("Q" if big else "I")
    for image in images:
        at = len(file)
        page, begin, next_at = page_of(image, at, big=big, order=order, **form)
        file[link : link + struct.calcsize(code)] = struct.pack(code, at + begin)
        link = at + next_at
        file += page + b"\0" * (-len(page) % 8)
    with open(path, "wb") as out:
        out.write(file + b"\xc8" * tail)
