"""Streams of frames through `halobeat filter - STEP... -o -`: frames_check.py PROGRAM FOLDER.

Each plane of each frame must be what the program makes of it as an image by itself."""
import os
import subprocess
import sys

program, folder = sys.argv[1:]
checks = failures = 0
made = {}


def check(good, *words):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED", *words)


def samples(count, most, seed):
    """Whole numbers up to `most` that look like noise."""
    values, state = [], seed * 2654435761 % 2**32 + 1
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append((state >> 8) % (most + 1))
    return values


def pack(values, size, order="little"):
    return bytes(values) if size == 1 else b"".join(value.to_bytes(size, order) for value in values)


def unpack(data, size):
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def filtered(values, size, height, width, steps):
    """A plane as an image of its own, in a file."""
    key = (tuple(values), size, height, width, tuple(steps))
    if key not in made:
        before, after = os.path.join(folder, "plane.raw"), os.path.join(folder, "result.raw")
        with open(before, "wb") as file:
            file.write(pack(values, size))
        shape = ["--shape", f"{height}x{width}", "--dtype", f"<u{size}"]
        subprocess.run([program, "filter", before, *shape, *steps, "-q", "-o", after], check=True)
        with open(after, "rb") as file:
            made[key] = unpack(file.read(), size)
    return made[key]


def run(data, steps, output, ranks, *options):
    """Through pipes, in pieces."""
    environment = dict(os.environ, HALOBEAT_RANKS=str(ranks))
    return subprocess.run([program, "filter", "-", *steps, "-o", output, "-q", *options], input=data,
                          capture_output=True, env=environment, timeout=120)


def compare(name, data, wanted, steps, output="-", *options):
    for ranks in (1, 2, 3):
        got = run(data, steps, output, ranks, *options)
        check(got.returncode == 0 and got.stdout == wanted, name, steps, output, ranks, "ranks:", got.returncode,
              len(got.stdout), "of", len(wanted), "bytes", got.stderr[-300:])


def pnm(planes, height, width, most, size):
    """Of planes of samples, which lie in turns."""
    turns = [plane[i] for i in range(height * width) for plane in planes]
    return f"P{6 if len(planes) > 1 else 5}\n{width} {height}\n{most}\n".encode() + pack(turns, size, "big")


def portable(steps, shapes):
    """(before, after) of frames: (height, width, planes, maximum)."""
    before = after = b""
    for number, (height, width, planes, most) in enumerate(shapes):
        size = 1 if most < 256 else 2
        data = [samples(height * width, most, 10 * number + i) for i in range(planes)]
        results = [filtered(plane, size, height, width, steps) for plane in data]
        before += pnm(data, height, width, most, size)
        after += pnm(results, height, width, most, size)
    return before, after


def video(steps, colours, height, width, frames):
    """The same of YUV4MPEG2: colours is (name, bytes of a sample, bits, columns and rows to a sample of colour)."""
    name, size, bits, across, down = colours
    header = f"YUV4MPEG2 W{width} H{height} F30000:1001 Ip A1:1 C{name} XYSCSS=ANY\n".encode()
    shapes = [(height, width)]
    if across:
        shapes += 2 * [(-(-height // down), -(-width // across))]
    before = after = header
    for number in range(frames):
        line = b"FRAME Ip\n" if number % 2 else b"FRAME\n"
        before, after = before + line, after + line
        for i, (rows, columns) in enumerate(shapes):
            plane = samples(rows * columns, 2**bits - 1, 7 * number + i)
            before += pack(plane, size)
            after += pack(filtered(plane, size, rows, columns, steps), size)
    return before, after


SMOOTH, CHAIN = ["gaussian:1.5"], ["median:3", "uniform:3"]
grey = [(23, 31, 1, 255)] * 5
for steps in SMOOTH, CHAIN:
    compare("PGM", *portable(steps, grey), steps)
    compare("PPM", *portable(steps, [(19, 17, 3, 255)] * 4), steps)
compare("sizes that change", *portable(SMOOTH, [(9, 31, 1, 255), (40, 3, 3, 255), (1, 1, 1, 255), (9, 31, 1, 65535)]),
        SMOOTH)
compare("16 bits", *portable(SMOOTH, [(21, 13, 3, 65535), (20, 14, 1, 65535)]), SMOOTH)
compare("a maximum of its own", *portable(SMOOTH, [(21, 13, 1, 1023), (20, 14, 3, 100)]), SMOOTH)
for colours in [("mono", 1, 8, 0, 0), ("420", 1, 8, 2, 2), ("420jpeg", 1, 8, 2, 2), ("422", 1, 8, 2, 1),
                ("444", 1, 8, 1, 1), ("411", 1, 8, 4, 1), ("420p10", 2, 10, 2, 2), ("mono16", 2, 16, 0, 0)]:
    compare("Y4M", *video(SMOOTH, colours, 15, 21, 3), SMOOTH)

# Raw frames, behind bytes that are no samples, of both orders of bytes.
frames = [samples(12 * 18, 60000, i) for i in range(4)]
results = b"".join(pack(filtered(frame, 2, 12, 18, SMOOTH), 2) for frame in frames)
for dtype, order in ("<u2", "little"), (">u2", "big"):
    data = b"header" + b"".join(pack(frame, 2, order) for frame in frames)
    raw = ["--shape", "12x18", "--dtype", dtype, "--offset", "6"]
    compare("raw", data, results, SMOOTH, "-", *raw)
    compare("raw", data, results, SMOOTH, "-.raw", *raw)

# Other formats than that of the input.
height, width = 11, 14
planes = [samples(height * width, 255, i) for i in range(3)]
colour = pnm(planes, height, width, 255, 1)
luma = [(13933 * r + 46871 * g + 4732 * b + 32768) >> 16 for r, g, b in zip(*planes)]
mono = filtered(luma, 1, height, width, SMOOTH)
compare("colours to greys", 2 * colour, 2 * pnm([mono], height, width, 255, 1), SMOOTH, "-.pgm")
compare("greys of colours", 2 * colour, 2 * pnm([mono], height, width, 255, 1), SMOOTH, "-", "--grey")
compare("greys to colours", pnm([luma], height, width, 255, 1), pnm([mono] * 3, height, width, 255, 1), SMOOTH, "-.ppm")
header = f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 Cmono\nFRAME\n".encode()
compare("colours to mono Y4M", colour, header + pack(mono, 1), SMOOTH, "-.y4m", "--grey")
compare("greys to Y4M", pnm([luma], height, width, 255, 1), header + pack(mono, 1), SMOOTH, "-.y4m")
compare("mono Y4M to PGM", header + pack(luma, 1), pnm([mono], height, width, 255, 1), SMOOTH, "-.pnm")
turns = [value for pixel in zip(*[filtered(plane, 1, height, width, SMOOTH) for plane in planes]) for value in pixel]
compare("colours to raw", colour, bytes(turns), SMOOTH, "-.raw")
before, after = video(SMOOTH, ("420", 1, 8, 2, 2), 16, 12, 2)
start, flat = after.index(b"\n") + 1, b""
for line in b"FRAME\n", b"FRAME Ip\n":
    start += len(line)
    flat += after[start : start + 16 * 12 * 3 // 2]
    start += 16 * 12 * 3 // 2
compare("Y4M to raw", before, flat, SMOOTH, "-.raw")
compare("luma alone", before, pnm([list(flat[: 16 * 12])], 16, 12, 255, 1)
        + pnm([list(flat[16 * 18 : 16 * 18 + 16 * 12])], 16, 12, 255, 1), SMOOTH, "-.pgm")
bits = bytes(255 if value >= 99 else 0 for value in luma)
compare("bits", pnm([luma], height, width, 255, 1), pnm([list(bits)], height, width, 255, 1), ["threshold:99"])
words = [50 * value for value in luma]
compare("bits of 16 bits", header.replace(b"mono", b"mono14") + pack(words, 2),
        header.replace(b"mono", b"mono14") + pack([16383 if value >= 4950 else 0 for value in words], 2),
        ["threshold:4950"])
compare("bits, raw", bytes(luma), bytes(value // 255 for value in bits), ["threshold:99"], "-", "--shape", f"{height}x{width}")

# Comments in headers; no frame.
compare("comments", b"P5 # one\n# two\n14 11\r\n255\n" + pack(luma, 1), pnm([mono], height, width, 255, 1), SMOOTH)
line = b"YUV4MPEG2 W4 H4 F25:1\n"
compare("no frame", line, line, SMOOTH)


def fails(words, data, output="-", status=1, steps=SMOOTH, wrote=b"", options=()):
    for ranks in (1, 3):
        got = run(data, steps, output, ranks, *options)
        text = got.stderr.decode()
        check(got.returncode == status and words in text and text.count("\n") == 1 and got.stdout == wrote, words,
              ranks, "ranks:", got.returncode, text, got.stdout[:30])


# Frames before one that is damaged are written.
good, smooth = portable(SMOOTH, grey)
length = len(good) // 5
fails("ends within frame 5, after 712 of its 713 bytes", good[:-1], wrote=smooth[: 4 * length])
fails("ends within frame 1", good[: length // 2])
fails("frame 3 does not begin with P5 or P6", good[: 2 * length] + b"\n" + good, wrote=smooth[: 2 * length])
fails("header of frame 6 is damaged", good + b"P5 0 3 255\n", wrote=smooth)
fails("header of frame 6 is damaged", good + b"P5 3 3 65536\n", wrote=smooth)
fails("header of frame 6 is damaged", good + b"P5 3", wrote=smooth)
fails("bytes, and", b"P6 1073741824 1073741824 65535\n" + 100 * b"x")
fails("ends within frame 1", line + b"FRAME\nxxxx")
fails("frame 1 does not begin with FRAME", line + b"FRAM\nxxxx")
fails("line of a frame does not end within", line + b"FRAME" + 2000 * b"x")
fails("line of YUV4MPEG2 does not end within", b"YUV4MPEG2 " + 2000 * b"x")
fails("no width W and height H", b"YUV4MPEG2 W4 F25:1\n")
fails("its colours are C444alpha", b"YUV4MPEG2 W4 H4 C444alpha\n")
fails("its colours are C420p17", b"YUV4MPEG2 W4 H4 C420p17\n")
fails("frames of this format are alike", b"P5 2 2 255\n1234P5 1 4 255\n1234", "-.raw", wrote=b"2222",
      steps=["uniform:9:mode=constant:cval=50"])
fails("standard input has no frame", b"", options=("--shape", "4x4"))
fails("the steps make float32", good, status=2, steps=["sobel"])
fails("the steps make uint16; give the last step dtype=uint8", line + b"FRAME\n" + 24 * b"x", status=2,
      steps=["rescale:0,9:dtype=uint16"], wrote=b"")
fails("a result is 64512, above the maximum 1023", b"P5 1 1 1023\n\x04\x00"[:12] + b"\x03\xff", status=2, steps=["invert"])
fails("the colours of YUV4MPEG2 are none of PPM", before, "-.ppm", 2)
fails("the greys of YUV4MPEG2 are its luma", before, status=2, options=("--grey",))
fails("the colours of PPM are none of YUV4MPEG2", colour, "-.y4m", 2)
fails("--grey makes greys", colour, "-.ppm", 2, options=("--grey",))
fails("--dtype takes", good, status=2, options=("--shape", "4x4", "--dtype", "f2"))
fails("--table is for images", good, status=2, options=("--table", os.path.join(folder, "t.csv")))
fails("--report is for images", good, status=2, options=("--report", os.path.join(folder, "r.html")))
fails("-o -.y4m is for frames that come from standard input", b"GIF89a no frames", "-.y4m", 2)
print(checks, "checks,", failures, "failed")
sys.exit(failures > 0 or checks < 100)
