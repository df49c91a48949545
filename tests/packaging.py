#!/usr/bin/env python3
"""Do the files for packages, citations and CI agree with CMakeLists.txt and with each other?

    packaging.py

The recipes for Spack and conda name each package that CMake looks for, in the versions that it asks for, and no other;
so do tools/setup.sh and debian/control for Debian, whose library packages are named by the interface's version. The
recipes are read with stand-ins for functions of Spack and conda-build. Versions and licences are those of
CMakeLists.txt and LICENSE, and the version's date that of CHANGELOG.md; .github/workflows/ci.yml calls .ci/run. Status 1 if something does not hold."""
import datetime
import fnmatch
import importlib.util
import pathlib
import re
import sys
import tomllib
import types

missing = [package for module, package in (("yaml", "python3-yaml"), ("jinja2", "python3-jinja2"))
           if importlib.util.find_spec(module) is None]
if missing:
    print("skipped: the whole test, not installed:", *missing)
    sys.exit(77)
import jinja2
import yaml

root = pathlib.Path(__file__).resolve().parent.parent

# CMake calls a package by the first name, Spack, conda-forge and Debian by the others.
NAMES = {
    "PNG": ("libpng", "libpng", "libpng-dev"),
    "ZLIB": ("zlib-api", "zlib", "zlib1g-dev"),
    "JANSSON": ("jansson", "jansson", "libjansson-dev"),
    "XXHASH": ("xxhash", "xxhash", "libxxhash-dev"),
    "ISAL": ("isa-l", "isa-l", "libisal-dev"),
    "HDF5": ("hdf5", "hdf5", "libhdf5-dev"),
    "TIFF": ("libtiff", "libtiff", "libtiff-dev"),
    "JPEG": ("jpeg", "libjpeg-turbo", "libjpeg-dev"),
    "BLOSC": ("c-blosc", "blosc", "libblosc-dev"),
    "ZSTD": ("zstd", "zstd", "libzstd-dev"),
    "LZ4": ("lz4", "lz4-c", "liblz4-dev"),
    "BZip2": ("bzip2", "bzip2", "libbz2-dev"),
    "LZMA": ("xz", "liblzma-devel", "liblzma-dev"),
}
REQUIRED = {"PNG", "ZLIB", "JANSSON", "XXHASH"}
CONDA_TOOLS = {"compiler_c", "stdlib_c", "cmake", "ninja", "pkg-config"}
DEBIAN_TOOLS = {"build-essential", "cmake", "ninja-build", "pkg-config"}
DEBIAN_PACKAGERS = {"debhelper-compat", "dh-sequence-python3", "python3-dev", "python3-numpy"}
SPACK_TOOLS = {"c", "cmake", "pkgconfig"}

checks = failures = 0


def holds(condition, *words):
    global checks, failures
    checks += 1
    if not condition:
        failures += 1
        print("FAILED", *words)


def same(what, found, expected):
    holds(found == expected, f"{what}: {found!r}, but expected {expected!r}")


def text(name):
    return (root / name).read_text(encoding="utf-8")


def read_cmake():
    """The version, CMake's own least version, and the packages that it looks for: {name: least version}."""
    main = text("CMakeLists.txt")
    sources = main + text("cmake/hdf5.cmake") + text("cmake/libraries.cmake")
    packages, required = {}, set()
    for call, name, rest in re.findall(r"\b(find_package|pkg_check_modules)\((\w+)([^)]*)\)", sources):
        least = re.search(r">=([0-9.]+)", rest)
        packages[name] = least.group(1) if least else ""
        if re.search(r"\bREQUIRED\b", rest):
            required.add(name)
    holds({"MPI", "PkgConfig"} <= set(packages), "CMakeLists.txt looks for neither MPI nor pkg-config")
    required.discard("PkgConfig")
    for name in ("MPI", "PkgConfig"):
        packages.pop(name, None)
    same("packages that CMake looks for, as tests/packaging.py names them", sorted(packages), sorted(NAMES))
    same("packages without which CMake fails", required, REQUIRED)
    return (re.search(r"^project\(Halobeat VERSION ([0-9.]+)", main, re.M).group(1),
            re.search(r"^cmake_minimum_required\(VERSION ([0-9.]+)\)", main, re.M).group(1), packages,
            set(re.findall(r"^(?:option|set)\((HALOBEAT_\w+)", main + text("python/CMakeLists.txt"), re.M)))


def read_python():
    """Python's least version, and its packages: {name: least version}."""
    project = tomllib.loads(text("pyproject.toml"))["project"]
    packages = {"python": project["requires-python"], **dict(re.match(r"([\w-]+)(.*)", one).groups()
                                                             for one in project["dependencies"])}
    return {name: least.removeprefix(">=") for name, least in packages.items()}


class Spack:
    """What Spack's modules have, as far as the recipe uses it: directives that take down what they are told."""

    def __init__(self):
        self.versions, self.variants, self.dependencies, self.generators, self.licenses = [], {}, [], [], []
        self.extended, self.after = [], []

    def read(self, path):
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = SpackPackage
        cmake.generator = lambda *names: self.generators.extend(names)
        package = types.ModuleType("spack.package")
        package.license = lambda name, **_: self.licenses.append(name)
        package.version = lambda name, **_: self.versions.append(name)
        package.variant = lambda name, **more: self.variants.update({name: more})
        package.depends_on = lambda spec, **more: self.dependencies.append((spec, more))
        package.extends = lambda name, **more: self.extended.append((name, more))
        package.run_after = lambda phase: lambda method: self.after.append((phase, method)) or method
        modules = {"spack": types.ModuleType("spack"), "spack.package": package, cmake.__name__: cmake}
        for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
            modules[name] = types.ModuleType(name)
        sys.modules.update(modules)
        scope = {"__name__": "package"}
        exec(compile(text(path), path, "exec"), scope)
        for name in modules:
            del sys.modules[name]
        return scope["Halobeat"]


class SpackPackage:
    def __init__(self, chosen):
        self.chosen = chosen
        self.spec = self
        self.builder = types.SimpleNamespace(build_directory="/build")
        self.started = []

    def define(self, name, value):
        return name, {True: "ON", False: "OFF"}.get(value, value)

    def define_from_variant(self, name, variant):
        return self.define(name, self.chosen[variant])

    def satisfies(self, spec):
        return self.chosen[spec[1:]] == (spec[0] == "+")

    def __getitem__(self, name):
        holds(self.chosen.get(name, name == "cmake"), f"Spack's recipe asks for {name} where it does not depend on it")
        command = lambda *words: self.started.append(words)
        command.path = f"/{name}/bin/{name}"
        return types.SimpleNamespace(mpicc="/mpi/bin/mpicc", command=command)


def check_spack(version, cmake_version, packages, python, options):
    spack = Spack()
    recipe = spack.read("packaging/spack/package.py")
    same("versions in Spack's recipe", spack.versions, [version])
    same("licences in Spack's recipe", spack.licenses, ["MIT"])
    same("generators in Spack's recipe", spack.generators, ["ninja"])
    found = {}
    for spec, more in spack.dependencies:
        name, least = re.match(r"([a-z0-9-]+)(?:@([0-9.]+):)?", spec).groups()
        holds(name not in found, f"Spack's recipe depends twice on {name}")
        found[name] = least or ""
        when = more.get("when", "")
        holds(when == "" or when[0] == "+" and when[1:] in spack.variants, f"no variant for {name}: {when!r}")
        holds((when == "") == (name in SPACK_TOOLS or any(NAMES[p][0] == name for p in REQUIRED)),
              f"Spack's recipe: {name} has to be optional where CMake goes on without it, and only there")
        same(f"type of Spack's {name}", more.get("type"),
             ("build", "run") if when == "+python" else "build" if name in SPACK_TOOLS else None)
    expected = {NAMES[name][0]: least for name, least in packages.items()}
    expected.update({"c": "", "cmake": cmake_version, "pkgconfig": "", "mpi": "", "python": python["python"],
                     "py-numpy": python["numpy"]})
    same("dependencies of Spack's recipe", dict(sorted(found.items())), dict(sorted(expected.items())))
    used = {more["when"][1:] for _, more in spack.dependencies if "when" in more}
    same("variants of Spack's recipe that bring a dependency", used, set(spack.variants))
    same("what Spack's recipe extends", spack.extended, [("python", {"when": "+python"})])
    for off in [None, *spack.variants]:
        chosen = {name: name != off for name in spack.variants}
        package = recipe(chosen)
        arguments = dict(package.cmake_args())
        for phase, method in spack.after:
            same("when Spack's recipe goes on", phase, "install")
            method(package)
        same(f"what Spack's recipe starts without {off}", package.started,
             [] if off == "python" else [("--install", "/build", "--component", "python")])
        expected = {"HALOBEAT_MPI": "OFF" if off == "mpi" else "ON",
                    "CMAKE_DISABLE_FIND_PACKAGE_BZip2": "ON" if off == "zarr" else "OFF",
                    "HALOBEAT_PYTHON_PACKAGE": "OFF" if off == "python" else "ON"}
        if off != "python":
            expected["Python3_EXECUTABLE"] = "/python/bin/python"
        if off != "mpi":
            expected["MPI_C_COMPILER"] = "/mpi/bin/mpicc"
        same(f"CMake's options without Spack's variant {off}", arguments, expected)
        holds({name for name in arguments if name.startswith("HALOBEAT_")} <= options, "CMake has no such option")


def render_conda(mpi):
    """meta.yaml as conda-build reads it for one MPI: without the lines whose selector does not hold, then rendered."""
    lines = []
    for line in text("packaging/conda/meta.yaml").split("\n"):
        selector = re.search(r"# \[(.*)\]$", line)
        if not selector or eval(selector.group(1), {"mpi": mpi, "linux": True}):
            lines.append(line)
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    return yaml.safe_load(environment.from_string("\n".join(lines)).render(
        mpi=mpi, py="311", PKG_HASH="0123456", compiler=lambda language: f"compiler_{language}",
        stdlib=lambda language: f"stdlib_{language}",
        pin_subpackage=lambda name, max_pin="", exact=False: f"{name} {'exact' if exact else max_pin}"))


def check_conda(version, cmake_version, packages, python):
    kinds = yaml.safe_load(text("packaging/conda/conda_build_config.yaml"))["mpi"]
    same("kinds of MPI in conda's recipe", kinds, ["nompi", "mpich", "openmpi"])
    numbers, strings = {}, set()
    for mpi in kinds:
        what = f"conda's recipe for {mpi}"
        recipe = render_conda(mpi)
        same(f"version of {what}", recipe["package"], {"name": "halobeat-split", "version": version})
        same(f"licence of {what}", recipe["about"]["license"], "MIT")
        holds((root / recipe["about"]["license_file"]).is_file(), f"{what} names no file with the licence")
        same(f"sources of {what}", (root / "packaging/conda" / recipe["source"]["path"]).resolve(), root)
        holds("skip" not in recipe["build"], f"{what} skips Linux")
        numbers[mpi] = recipe["build"]["number"]
        own = [] if mpi == "nompi" else [mpi]
        needs = {NAMES[name][1]: least for name, least in packages.items()}
        needs.update({name: "" for name in own})
        outputs = {output["name"]: output for output in recipe["outputs"]}
        same(f"packages of {what}", list(outputs), ["halobeat", "python-halobeat"])
        for name, output in outputs.items():
            check_conda_output(f"{name} of {what}", output, mpi, cmake_version, needs,
                               python if name == "python-halobeat" else {})
            strings.add(output["build"]["string"])
        same(f"run of {what}", outputs["halobeat"]["requirements"]["run"], own)
        same(f"run of the Python package of {what}", outputs["python-halobeat"]["requirements"]["run"],
             own + [f"{name} >={least}" for name, least in python.items()] + ["halobeat exact"])
        same(f"run_exports of {what}", outputs["halobeat"]["build"]["run_exports"], ["halobeat x"])
    same("strings of builds in conda's recipe", len(strings), 2 * len(kinds))
    same("builds that conda prefers", [mpi for mpi in kinds if numbers[mpi] == max(numbers.values())], ["nompi"])


def check_conda_output(what, output, mpi, cmake_version, needs, python):
    """One package; python has the version that its extension is built with, if it has one."""
    string = output["build"]["string"]
    holds(string.startswith("nompi_" if mpi == "nompi" else f"mpi_{mpi}_") and "0123456" in string,
          f"{what} has another string: {string}")
    requirements = output["requirements"]
    same(f"build of {what}", set(name.split()[0] for name in requirements["build"]), CONDA_TOOLS)
    holds(f"cmake >={cmake_version}" in requirements["build"], f"{what} takes another CMake than {cmake_version}")
    host = {}
    for requirement in requirements["host"]:
        name, least = re.match(r"([a-z0-9-]+)(?: >=([0-9.]+))?", requirement).groups()
        holds(name not in host, f"{what} depends twice on {name}")
        host[name] = least or ""
    expected = dict(needs)
    expected.update({name: least for name, least in python.items() if name == "python"})
    same(f"host of {what}", dict(sorted(host.items())), dict(sorted(expected.items())))
    holds("hdf5 >=1.10.5 nompi_*" in requirements["host"], f"{what} takes a parallel HDF5")
    configure, _, install = output["build"]["script"]
    same(f"switches of {what}", re.findall(r"HALOBEAT_MPI=(\w+)", configure), ["OFF" if mpi == "nompi" else "ON"])
    same(f"switches for Python of {what}", re.findall(r"HALOBEAT_PYTHON_PACKAGE=(\w+)", configure),
         ["ON" if python else "OFF"])
    holds(install.endswith("--component python") == bool(python), f"{what} installs something else")
    same(f"compilers of {what}", configure.count("MPI_C_COMPILER=${PREFIX}/bin/mpicc"), mpi != "nompi")
    holds("\n" not in configure, f"the command that configures {what} has several lines")


def read_control():
    """The paragraphs of debian/control: {field: text}."""
    paragraphs = []
    for paragraph in text("debian/control").strip().split("\n\n"):
        fields = re.findall(r"^([A-Za-z-]+):((?:.*)(?:\n[ \t].*)*)", paragraph, re.M)
        paragraphs.append({name: value.strip() for name, value in fields})
    return paragraphs


def relations(field):
    """Names in a field of relations, with what is said about each: {"cmake": "(>= 3.25)"}."""
    found = {}
    for relation in filter(None, (relation.strip() for relation in field.split(","))):
        name, _, rest = relation.partition(" ")
        holds(name not in found, f"debian/control names {name} twice in one field")
        found[name] = rest
    return found


def check_debian(version, cmake_version, packages):
    setup = text("tools/setup.sh")
    listed = re.search(r"^build_packages=\(([^)]*)\)", setup, re.M).group(1).split()
    same("build_packages of tools/setup.sh", sorted(listed),
         sorted(DEBIAN_TOOLS | {NAMES[name][2] for name in packages}))
    mpich = re.search(r"^mpi_packages=\(([^)]*)\)", setup, re.M).group(1).split()
    open_mpi = re.search(r'^ +\[openmpi\]="([^"]*)"', setup, re.M).group(1).split()
    control = read_control()
    needs = relations(control[0]["Build-Depends"])
    same("Build-Depends in debian/control", sorted(needs),
         sorted({*listed, *mpich, *open_mpi, *DEBIAN_PACKAGERS} - {"build-essential"}))
    same("CMake in debian/control", needs["cmake"], f"(>= {cmake_version})")
    interface = version.split(".")[0]
    libraries = [f"libhalobeat{mpi}{interface}" for mpi in ("", "-mpich", "-openmpi")]
    binary = [paragraph["Package"] for paragraph in control[1:]]
    same("packages in debian/control with libraries of this interface (debian/README.source tells how to rename them)",
         [name for name in binary if re.search(r"\d$", name)], libraries)
    everywhere = "".join(map(text, ("debian/control", "debian/README.Debian", "debian/tests/control", "README.md",
                                   "docs/python.md")))
    everywhere += " ".join(path.name for path in (root / "debian").iterdir())
    named = re.findall(r"libhalobeat(?:-mpich|-openmpi)?\d+(?:\.\d+)?", everywhere)
    same("names of such packages in debian and pages", set(named), set(libraries))
    for name in binary:
        holds((root / "debian" / f"{name}.install").is_file(), f"there is no debian/{name}.install")
    entry = re.match(r"halobeat \((\d+:)?([0-9.]+)(~\w+)?-[^)]+\) ", text("debian/changelog"))
    same("version in debian/changelog", entry and entry.group(2), version)
    holds(f"halobeat-{version}/ v{version} " in text("debian/README.source"), "debian/README.source has another tag")
    licences = re.findall(r"^Files: \*\n.*\nLicense: (.*)", text("debian/copyright"), re.M)
    same("licence in debian/copyright", licences, ["Expat"])
    check_debian_data()
    # What messages name is what the packages recommend; debian/rules finds the libraries' names by itself.
    for name in ("ffmpeg", "gnuplot-nox"):
        holds(name in relations(control[1]["Recommends"]), f"the package halobeat does not recommend {name}")


def check_debian_data():
    """Each file below data that data/README.md ascribes to others stands in debian/copyright, and no other."""
    paragraphs = text("debian/copyright").split("\n\n")
    files = {name: re.search(r"^License: (.*)", paragraph, re.M).group(1) for paragraph in paragraphs
             for name in re.findall(r"(?:^Files:|^) (data/[\w.*/-]+)", paragraph, re.M)}
    there = {str(path.relative_to(root)) for path in (root / "data").rglob("*") if path.is_file()}
    for name in files:
        holds(fnmatch.filter(there, name), f"debian/copyright names {name}, which is not there")
    for name, licence in re.findall(r"^\| `([\w.-]+)` \|.*\| ([^|]*) \|$", text("data/README.md"), re.M):
        found = files.get(f"data/{name}", "nothing")
        holds(found.split("-")[0] == licence.split()[0].replace("public", "public-domain").split("-")[0],
              f"debian/copyright has {found} for data/{name}, data/README.md {licence}")


def number_of(version):
    return tuple(int(part) for part in version.split("."))


def check_released(version):
    """The date is the same wherever it stands, and what else names the version has it."""
    released = check_changelog(version)
    check_citation(version, released)
    day = re.findall(r"^ -- .*  \w+, (\d+ \w+ \d+) ", text("debian/changelog"), re.M)[:1]
    same("date in debian/changelog", [str(datetime.datetime.strptime(d, "%d %b %Y").date()) for d in day], [released])
    symbols = re.findall(r"`(HALOBEAT(?:_PRIVATE)?_[0-9.]+)`", text("docs/how-it-works.md"))
    same("versions of symbols in docs/how-it-works.md", symbols,
         [f"HALOBEAT_{version.split('.', maxsplit=1)[0]}", f"HALOBEAT_PRIVATE_{version}"])


def check_citation(version, released):
    citation = yaml.safe_load(text("CITATION.cff"))
    # The format's keys, of which it requires four.
    known = {"abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi", "identifiers",
             "keywords", "license", "license-url", "message", "preferred-citation", "references", "repository",
             "repository-artifact", "repository-code", "title", "type", "url", "version"}
    holds({"authors", "cff-version", "message", "title"} <= set(citation) <= known,
          f"keys of CITATION.cff: {list(citation)}")
    same("version of CITATION.cff's format", citation["cff-version"], "1.2.0")
    same("version in CITATION.cff", citation["version"], version)
    same("date in CITATION.cff", str(citation.get("date-released")), released)
    same("licence in CITATION.cff", citation["license"] + " License", text("LICENSE").split("\n", 1)[0])
    holds(all(set(author) == {"name"} for author in citation["authors"]), "an author has no name")


def check_changelog(version):
    headings = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.M)
    shaped = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d{2}-\d{2})", heading) for heading in headings]
    holds(headings and all(shaped), f"headings of CHANGELOG.md: {headings}")
    versions = [number_of(heading.group(1)) for heading in shaped if heading]
    same("versions in CHANGELOG.md from the newest on", versions, sorted(set(versions), reverse=True))
    released = dict(heading.groups() for heading in shaped if heading).get(version)
    holds(released and released != "unreleased", f"CHANGELOG.md has no date for {version}")
    links = re.findall(r"^\[(.*)\]: \S+/v([0-9.]+)$", text("CHANGELOG.md"), re.M)
    same("links of CHANGELOG.md", links, [(number, number) for number, date in
                                          (heading.groups() for heading in shaped if heading) if date != "unreleased"])
    return released


def check_workflow():
    workflow = yaml.safe_load(text(".github/workflows/ci.yml"))
    # YAML 1.1, which Python's module reads, takes `on` for true.
    same("events of CI", set(workflow[True]), {"push", "pull_request", "schedule", "workflow_dispatch"})
    cache = re.search(r"CCACHE_DIR=\$\{CCACHE_DIR:-\$root/([^}]*)\}", text(".ci/run")).group(1)
    logs = re.search(r"^logs=(\S+)$", text(".ci/run"), re.M).group(1)
    for name, command, event in (("every-change", ".ci/run", "push"), ("weekly", ".ci/run --all", "schedule")):
        job = workflow["jobs"][name]
        same(f"container of CI's job {name}", job["container"]["image"], "debian:12")
        holds(f"== '{event}'" in job["if"], f"CI's job {name} does not run on {event}")
        same(f"commands of CI's job {name}", [s["run"] for s in job["steps"] if s.get("run", "").startswith(".ci/")],
             [command])
        actions = {s["uses"]: s for s in job["steps"] if "uses" in s}
        holds(all(re.fullmatch(r"[\w/-]+@v\d+", action) for action in actions), f"actions of CI: {list(actions)}")
        paths = {action.split("@")[0]: step.get("with", {}).get("path") for action, step in actions.items()}
        same(f"folders of CI's job {name}", paths,
             {"actions/checkout": None, "actions/cache": cache, "actions/upload-artifact": logs})
    same("jobs of CI", len(workflow["jobs"]), 2)


def main():
    version, cmake_version, packages, options = read_cmake()
    python = read_python()
    check_spack(version, cmake_version, packages, python, options)
    check_conda(version, cmake_version, packages, python)
    check_debian(version, cmake_version, packages)
    check_released(version)
    check_workflow()
    print(f"{checks} checks, {failures} failed")
    return failures != 0 or checks < 100


if __name__ == "__main__":
    sys.exit(main())
