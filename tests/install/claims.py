#!/usr/bin/env python3
"""Does each installed file belong to one of Debian's packages?

    claims.py DEBIAN PREFIX [PYTHON]

DEBIAN is the folder with NAME.install and not-installed, PREFIX where `cmake --install` has installed, and PYTHON where
it has installed the component python; without that, packages called python3-... are left out. Libraries for MPI are
called mpich and openmpi in packages, and all versions of Python have one folder there. Status 1 if a file is in no package or in two, or a pattern has none."""
import fnmatch
import pathlib
import sys


def packaged_names(path):
    """The names in packages of an installed file: lib is the folder of an architecture there."""
    parts = path.split("/")
    if parts[0] in ("lib", "lib64") and parts[1].startswith("python3"):
        parts[:3] = ["lib", "python3", "dist-packages"]
    elif parts[0] in ("lib", "lib64"):
        parts[:1] = ["lib", "x86_64-linux-gnu"]
    name = "/".join(["usr", *parts])
    for word in ("halobeat_mpi", "Halobeat_mpi"):
        stem, found, rest = name.rpartition(word)
        if found:
            return [f"{stem}{word[:-3]}{mpi}{rest}" for mpi in ("mpich", "openmpi")]
    return [name]


def matches(name, pattern):
    """As dh_install's patterns: `*` stays within a folder, and a folder is all that is in it."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(fnmatch.fnmatchcase(*pair) for pair in zip(parts, wanted))


def main():
    debian, *prefixes = map(pathlib.Path, sys.argv[1:])
    patterns = [(file.name, pattern) for file in sorted([*debian.glob("*.install"), debian / "not-installed"])
                if len(prefixes) > 1 or not file.name.startswith("python3-")
                for pattern in file.read_text(encoding="utf-8").split()]
    names = [name for prefix in prefixes for path in sorted(prefix.rglob("*")) if path.is_symlink() or path.is_file()
             for name in packaged_names(str(path.relative_to(prefix)))]
    faults, used = [], set()
    for name in names:
        claims = [claim for claim in patterns if matches(name, claim[1])]
        used.update(claims)
        if len({file for file, _ in claims}) != 1:
            faults.append(f"{name} is in {[file for file, _ in claims] or 'no package'}")
    faults += [f"{file} has {pattern}, which is not installed" for file, pattern in patterns
               if (file, pattern) not in used]
    print("\n".join([*faults, f"{len(names)} files, {len(patterns)} patterns, {len(faults)} faults"]))
    return bool(faults) or len(names) < 100


if __name__ == "__main__":
    sys.exit(main())
