"""Random jobs of all commands: what is computed from which inputs, into which outputs, and how."""

import os

import inputs
from inputs import ALL, GREYS, PICTURES, Input

ARRAYS = (".npy", ".tif", ".mha", ".mhd", ".nii", ".nii.gz", ".nrrd", ".raw", ".h5", ".ome.zarr", ".zarr")
PACKED = (".tif", ".ome.zarr", ".zarr", ".mha", ".nrrd")
COLOURS = (".png", ".ppm", ".pnm", ".tif")

# Choices that must not change a byte of the result.
WAYS = ("decomposition", "exchange", "corners", "packing", "detector", "instructions", "vote", "wait", "method",
        "engine", "halo-depth", "schedule", "once", "give-back", "master-rests", "ranks-per-image")


class Job:
    """A command line without the ways of computing it.

    words     what comes behind the command
    outputs   pairs of an option and the name of a file or folder
    inputs    files that it reads
    keeps     how it can go on after it was ended: None, "checkpoint", "journal" or "joblog"
    stdin     a file that it reads through a pipe, or None
    stdout    the name of what it writes to standard output, or None
    facts     keys of its JSON report that are part of the result
    times     it writes times, which differ from run to run
    told_of   outputs that tell of a failure, or how far the run has come
    shortest  cells along its shortest axis, which limit the depth of halos"""

    def __init__(self, command, words, outputs, files=(), keeps=None, **more):
        self.command, self.words, self.outputs, self.inputs = command, words, outputs, list(files)
        self.keeps = keeps
        self.stdin, self.stdout = more.get("stdin"), more.get("stdout")
        self.facts, self.times = more.get("facts", ()), more.get("times", False)
        self.shortest, self.images = more.get("shortest", 0), more.get("images", 1)
        self.told_of = {name for option, name in outputs
                        if option in ("--log", "--population") or self.images > 1 and "{name}" not in name}

    def line(self, folder):
        files = [word for option, name in self.outputs for word in (option, os.path.join(folder, name))]
        facts = ["--json", os.path.join(folder, "facts.json")] if self.facts else []
        words = [word.replace("@OUT@", folder) for word in self.words]
        return [self.command, *first_words(self.command, files + facts, words)]


def first_words(command, files, words):
    """Options of `tasks` stand before the command that it runs."""
    return [*files, *words] if command == "tasks" else [*words, *files]


def flags(rng, *names):
    return [name for name in names if rng.random() < 0.3]


def some(rng, pairs, least=1):
    """Some of the outputs, but not none."""
    return rng.sample(pairs, rng.randint(least, len(pairs)))


def piped(rng, given):
    """Words, and the file that goes to standard input if it is to come from there."""
    if given.piped and rng.random() < 0.15:
        return ["-", *given.words[1:]], given.words[0]
    return given.words, None


def images_of(rng, folder, kinds, least=1):
    """One image, or a few for a batch: words, files, how many, stdin."""
    if rng.random() < 0.7:
        given = inputs.image(rng, folder, kinds, least=least)
        words, stdin = piped(rng, given)
        return words, given.files, 1, stdin
    below = os.path.join(folder, "images")
    os.mkdir(below)
    endings = (".png", ".tif", ".npy", ".pgm", ".h5", ".nii", ".mha", ".zarr")
    many = [inputs.image(rng, below, kinds if rng.random() < 0.8 else GREYS, f"image{i}", least=least,
                         endings=endings if kinds is not PICTURES else (".png", ".tif"))
            for i in range(rng.randint(2, 6))]
    files = [file for one in many for file in one.files]
    words = [one.words[0] for one in many]
    alike = {os.path.splitext(word)[1] for word in words}
    if len(alike) == 1 and alike != {".zarr"} and rng.random() < 0.5:
        words = rng.choice(([os.path.join(below, "*" + alike.pop())], ["--batch", below]))
    return words, files, len(many), None


def batched(rng, count, outputs):
    """Outputs of many images: each name with the image's, tables of all together in one."""
    if count == 1:
        return outputs, None
    tables = ("--regions", "--contacts")
    named = [(option, name if option in tables and rng.random() < 0.5 else "{name}-" + name)
             for option, name in outputs]
    return named + ([("--table", "table.csv")] if rng.random() < 0.5 else []), "journal"


# ---- commands ------------------------------------------------------------------------------------


def label(rng, folder):
    solid = rng.random() < 0.3
    values = rng.random() < 0.2
    kinds = ("few",) if values else ALL if solid else ALL + PICTURES
    if solid:
        given = inputs.volume(rng, folder, kinds)
        (words, stdin), files, count = piped(rng, given), given.files, 1
    else:
        words, files, count, stdin = images_of(rng, folder, kinds)
    words = [*words, *flags(rng, "--periodic", "--clear-border")]
    words += ["-c", rng.choice(("6", "18", "26") if solid else "48")]
    words += ["--values"] if values else flags(rng, "--invert", "--fill-holes")
    if not values and rng.random() < 0.5:
        words += ["-t", rng.choice(("30%", "20%..60%", "35%,55%", "otsu", "local:1"))]
    for option in ("--min-area", "--largest"):
        words += [option, str(rng.randint(1, 9))] if rng.random() < 0.3 else []
    seeds = rng.random() < 0.1
    words += ["--numbering", "seed"] if seeds else []
    ending = ".npy" if seeds else rng.choice(ARRAYS + (() if solid else (".png", ".pgm")))
    outputs = some(rng, [("-o", "labels" + ending), ("--regions", rng.choice(("regions.csv", "regions.json"))),
                         ("--colour", "colour" + ("-%03d" if solid else "") + rng.choice(COLOURS)),
                         *([("--contacts", "contacts.csv")] if values else [])])
    if ("-o", "labels" + ending) in outputs and ending in PACKED and rng.random() < 0.4:
        words += ["--compress", "deflate"]
    outputs, keeps = batched(rng, count, outputs)
    return Job("label", words, outputs, files, keeps, stdin=stdin, images=count)


def life(rng, folder):
    if rng.random() < 0.5:
        width, height = rng.randint(3, 300), rng.randint(3, 200)
        given = Input([f"soup:{width}x{height}:{rng.randint(5, 60)}%:{rng.randrange(999)}"], [], (height, width), False)
    else:
        given = inputs.pattern(rng, folder)
    words, stdin = piped(rng, given)
    words = [*words, "--rule", rng.choice(("B3/S23", "B36/S23", "B2/S", "345/2/4")), "-n", str(rng.randint(0, 300))]
    if rng.random() < 0.4:
        words += ["--topology", rng.choice(("torus", "plane", "dead"))]
    outputs = some(rng, [("-o", "cells" + rng.choice((".rle", ".cells", ".npy", ".png", ".pgm", ".tif"))),
                         ("--population", rng.choice(("population.csv", "population.json")))])
    return Job("life", words, outputs, given.files, None if stdin else "checkpoint", stdin=stdin,
               shortest=min(given.shape))


def run(rng, folder):
    kernel, files = rng.choice(("heat", "heat3d")), []
    axes = 2 if kernel == "heat" else 3
    size = [rng.randint(3, 200 if axes == 2 else 30) for _ in range(axes)]
    words = [kernel, "--beats", str(rng.randint(1, 150)), *flags(rng, "--periodic=x,y")]
    if rng.random() < 0.3:
        given = (inputs.image(rng, folder, ("f8",), least=3) if axes == 2 else inputs.volume(rng, folder, ("f8",)))
        while len(given.words) > 1 or given.words[0].startswith("--"):
            given = inputs.image(rng, folder, ("f8",), least=3, endings=(".npy", ".h5", ".nrrd")) if axes == 2 else \
                inputs.save(rng, folder, "other", inputs.random_samples(rng, size[::-1], "f8"), "f8", 3, (".npy",))
        words, files, size = [*words, "--input", given.words[0]], given.files, given.shape
    else:
        words += ["--size", "x".join(map(str, size))]
    outputs = some(rng, [("-o", "cells" + rng.choice(ARRAYS + ((".png",) if axes == 2 else ()))),
                         ("--log", "log.csv")])
    return Job("run", words, outputs, files, "checkpoint", shortest=min(size))


def cluster(rng, folder):
    words, files, count, stdin = images_of(rng, folder, PICTURES)
    words = [*words, "-k", str(rng.randint(1, 30)), "-n", str(rng.randint(1, 12)), *flags(rng, "--connected")]
    outputs = some(rng, [("-o", "labels" + rng.choice((".npy", ".png", ".tif", ".pgm"))),
                         ("--mosaic", "mosaic.png"), ("--outline", "outline" + rng.choice(COLOURS)),
                         ("--centres", rng.choice(("centres.csv", "centres.json")))])
    outputs, keeps = batched(rng, count, outputs)
    return Job("cluster", words, outputs, files, keeps or (None if stdin else "checkpoint"), stdin=stdin,
               images=count)


def chan_vese(rng, folder):
    words, files, count, stdin = images_of(rng, folder, PICTURES)
    words = [*words, "-n", str(rng.randint(1, 40)), "--smoothing", str(rng.randint(0, 3))]
    outputs = some(rng, [("-o", "inside" + rng.choice((".npy", ".png", ".pgm", ".tif"))),
                         ("--overlay", "overlay" + rng.choice(COLOURS))])
    outputs, keeps = batched(rng, count, outputs)
    return Job("chan-vese", words, outputs, files, keeps or (None if stdin else "checkpoint"), stdin=stdin,
               images=count)


def snake(rng, folder):
    words, files, count, stdin = images_of(rng, folder, PICTURES, least=30)
    words = [*words, "--init", f"grid:{rng.randint(1, 4)}x{rng.randint(1, 4)}", "-n", str(rng.randint(1, 60))]
    words += flags(rng, "--subpixel", "--order=jacobi")
    outputs = some(rng, [("-o", "contours" + rng.choice((".csv", ".json", ".svg"))),
                         ("--overlay", "overlay" + rng.choice(COLOURS)), ("--gradient", "gradient.png")])
    outputs, keeps = batched(rng, count, outputs)
    return Job("snake", words, outputs, files, keeps or (None if stdin else "checkpoint"), stdin=stdin,
               images=count)


def motion(rng, folder):
    shape, kind = (rng.randint(20, 120), rng.randint(20, 120)), rng.choice(PICTURES)
    ending, frames = rng.choice((".png", ".tif")), rng.choice((2, 2, 4))
    many = [inputs.image(rng, folder, (kind,), f"frame{i}", shape, endings=(ending,)) for i in range(frames)]
    if frames > 2 and rng.random() < 0.5:
        words = [os.path.join(folder, "frame%d" + ending)]
    else:
        words = [one.words[0] for one in many]
    words += ["-k", str(rng.randint(1, 30)), "--radius", str(rng.randint(2, 19))]
    number = "-%02d" if frames > 2 else ""
    outputs = some(rng, [("-o", "flow" + number + rng.choice((".npy", ".flo", ".png"))),
                         ("--vectors", f"vectors{number}.csv"), ("--arrows", f"arrows{number}.png")])
    return Job("motion", words, outputs, [one.files[0] for one in many], "checkpoint" if frames > 2 else None)


def paths(rng, folder):
    if rng.random() < 0.4:
        given = inputs.graph(rng, folder)
        place = lambda: str(rng.randint(1, given.shape[0]))
        (words, stdin), plain = (given.words, None), True
        nearest = rng.choice(("nearest.csv", "nearest.npy", "nearest.txt"))
        far = "distances" + rng.choice((".csv", ".npy", ".txt"))
    else:
        given = inputs.image(rng, folder, rng.choice((GREYS, ("f4", "i2", "u4"))))
        place = lambda: f"{rng.randrange(given.shape[1])},{rng.randrange(given.shape[0])}"
        (words, stdin), plain = piped(rng, given), False
        nearest, far = "nearest" + rng.choice(COLOURS + (".npy",)), "distances.npy"
        words = [*words, "--neighbours", rng.choice(("4", "8", "16"))]
    for _ in range(rng.randint(1, 4)):
        words = [*words, "--from", place()]
    outputs = [("-o", far), ("--nearest", nearest)]
    if rng.random() < 0.5:
        words, outputs = [*words, "--to", place()], [*outputs, ("--path", "path.csv")]
    outputs = some(rng, outputs) if "--to" not in words else outputs
    return Job("paths", words, outputs, given.files, None if stdin or plain else "checkpoint", stdin=stdin)


def walk(rng, folder):
    if rng.random() < 0.3:
        given, drawn = inputs.volume(rng, folder, GREYS), []
    else:
        given, drawn = inputs.image(rng, folder, GREYS), [("--trajectories", "ways" + rng.choice(COLOURS))]
    words = [*given.words, "-t", "20%", "--walkers", str(rng.randint(1, 400)), "--steps", str(rng.randint(4, 60)),
             "--seed", str(rng.randint(1, 99))]
    words += ["--edges", rng.choice(("periodic", "mirrored", "reflecting"))] if rng.random() < 0.5 else []
    outputs = some(rng, [("-o", rng.choice(("walk.csv", "walk.json"))), *drawn])
    return Job("walk", words, outputs, given.files, "journal")


def trace(rng, folder):
    given = inputs.scene(rng, folder)
    words, stdin = piped(rng, given)
    words = [*words, "--depth", str(rng.randint(1, 5)), "--subpixels", str(rng.randint(1, 2))]
    outputs = some(rng, [("-o", "picture" + rng.choice(COLOURS)), ("--heat", "heat.png")])
    return Job("trace", words, outputs, given.files, None if stdin else "journal", stdin=stdin)


def synthetic(rng, folder):
    words = ["--work", str(rng.randint(1, 80))]
    if rng.random() < 0.5:
        words += ["--tasks", str(rng.randint(1, 200))]
        return Job("synthetic", words, [], [], "journal", facts=("digest",))
    size = rng.randint(1, 60), rng.randint(1, 60)
    words += ["--size", f"{size[0]}x{size[1]}", "--beats", str(rng.randint(1, 40)),
              "--profile", rng.choice(("constant", "linear:ratio=4", "hot:width=.2", "random"))]
    return Job("synthetic", words, [], [], None, facts=("digest",), shortest=min(size))


def tasks(rng, folder):
    """Jobs that print, and jobs that write a file each."""
    given = [f"in put{i}" if rng.random() < 0.1 else f"input{i}" for i in range(rng.randint(1, 12))]
    outputs = [("--results", "results")] if rng.random() < 0.3 else []
    words, files = ["--keep-order", *flags(rng, *(() if outputs else ("--tag",)), "--retries=2")], []
    shell = rng.choice(("seq {#} | sort -n; echo {}", "echo {} >&2; echo {.}", "head -c 3000 /dev/zero | wc -c; :",
                        "printf '%s\\n' {} {#} >@OUT@/file{#}.txt"))
    if rng.random() < 0.3:
        path = inputs.text(folder, "list", given)
        return Job("tasks", [*words, "--jobs", path, "--", shell], outputs, [path], "joblog", stdout="printed")
    return Job("tasks", [*words, "--", shell, ":::", *given], outputs, files, "joblog", stdout="printed")


def bench(rng, folder):
    what = rng.choice(("decomposition", "vote"))
    words = [what, "--repeat", "1", "--beats", "2"]
    if what == "decomposition":
        words += ["--kernel", rng.choice(("heat", "life", "label")), "--size", "200x200", "--depth", "1"]
    return Job("bench", words, [("--csv", "table.csv")], [], None, times=True)


MAKERS = {label: 5, life: 2, run: 2, cluster: 2, chan_vese: 2, snake: 2, motion: 1, paths: 3, walk: 2, trace: 1,
          synthetic: 1, tasks: 2, bench: 0.5}


def random_job(rng, folder, fits=lambda job: True):
    """A job that fits, in a new folder for its inputs below `folder`."""
    for number in range(1000):
        below = os.path.join(folder, f"in{number}")
        os.mkdir(below)
        job = rng.choices(list(MAKERS), list(MAKERS.values()))[0](rng, below)
        if fits(job):
            return job
    raise RuntimeError("no job fits")


def random_ways(rng, tables, job, ranks):
    """Options that change how the job is computed, not what."""
    words, rows = [], {row["name"]: row for row in tables[job.command]}

    def any_of(option):
        return rng.choice((rows[option]["choices"] or rows[option]["offers"]).strip("|").split("|"))

    for row in rows.values():
        if row["name"] not in WAYS or rng.random() < 0.6:
            continue
        option = "--" + row["name"]
        if row["name"] == "decomposition":
            words += [option, rng.choice(("strips", "blocks", "auto"))]
        elif row["name"] == "halo-depth":
            words += [option, str(rng.randint(1, max(1, min(4, job.shortest // ranks))))]
        elif row["name"] == "schedule":
            words += [option, any_of("schedule")] if is_of_tasks(job) else []
        elif row["name"] == "ranks-per-image":
            words += [option, str(rng.randint(1, ranks))] if job.images > 1 else []
        elif row["choices"]:
            words += [option, any_of(row["name"])]
        elif is_of_tasks(job) and rng.random() < 0.5:
            words.append(option)
    cut = words[words.index("--decomposition") + 1] if "--decomposition" in words else "strips"
    if ranks > 1 and cut == "strips" and rng.random() < 0.5 and "balance" in rows:
        if job.command == "motion":  # hands out clusters
            return [*words, "--balance", any_of("balance")]
        words += ["--balance", any_of("balance"), "--balance-every", str(rng.randint(1, 3)),
                  "--migrate", any_of("migrate")]
        if rng.random() < 0.3:
            words += ["--slow", f"{rng.randrange(ranks)}:{rng.randint(2, 4)}"]
    return words


def is_of_tasks(job):
    return job.images > 1 or job.keeps in ("journal", "joblog")
