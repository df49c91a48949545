"""What pip calls to build the package (PEP 517 and PEP 660), by CMake.

The wheel has the library in it, built without MPI. Settings of pip (--config-settings NAME=VALUE):

    build-dir=FOLDER   build there, in place of build/wheel of the sources
    configured=FOLDER  take the package from a folder that CMake has configured before
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


# ---- metadata --------------------------------------------------------------------------------------------------------

def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    project["version"] = re.search(r"^project\(Halobeat VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(),
                                   re.MULTILINE)[1]
    return project


def _name():
    project = _project()
    return f"{project['name']}-{project['version']}"


def _metadata():
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"Author: {', '.join(one['name'] for one in project['authors'])}",
             f"License: {project['license']['text']}", "License-File: LICENSE", f"Keywords: {','.join(project['keywords'])}",
             *(f"Classifier: {one}" for one in project["classifiers"]), f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {one}" for one in project["dependencies"]),
             "Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()]
    return "\n".join(lines)


def _tag():
    """The stable ABI of 3.11, on this kind of machine."""
    return "cp311-abi3-" + re.sub("[-.]", "_", sysconfig.get_platform())


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: halobeat {_project()['version']}\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


# ---- building --------------------------------------------------------------------------------------------------------

def _run(*command):
    print("+", *command, flush=True)
    try:
        subprocess.run(list(map(str, command)), check=True)
    except FileNotFoundError:
        sys.exit(f"halobeat is built by {command[0]}, which is not installed (Debian: apt install cmake)")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{command[0]} ended with status {error.returncode}; see above")


def _build(settings):
    """The folder in which CMake has built the package."""
    settings = settings or {}
    build = Path(settings.get("configured") or settings.get("build-dir") or ROOT / "build" / "wheel").resolve()
    if not settings.get("configured"):
        ninja = ["-G", "Ninja"] if shutil.which("ninja") and not (build / "CMakeCache.txt").exists() else []
        _run("cmake", "-S", ROOT, "-B", build, *ninja, "-D", "CMAKE_BUILD_TYPE=Release", "-D", "HALOBEAT_MPI=OFF",
             "-D", "HALOBEAT_PYTHON_PACKAGE=ON", "-D", f"Python3_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", build, "--parallel", os.cpu_count() or 1, "--target", "halobeat_python_package")
    return build


def _write_wheel(folder, files):
    """Writes a wheel with these files, {name: bytes}, whose bytes depend on nothing else."""
    files = dict(files)
    info = f"{_name()}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{info}/RECORD"
    lines = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    files[record] = ("".join(lines) + f"{record},,\n").encode()
    name = f"{_name()}-{_tag()}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if file.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


# ---- what pip calls --------------------------------------------------------------------------------------------------

def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = Path(metadata_directory) / f"{_name()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata())
    (info / "WHEEL").write_text(_wheel())
    return info.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = _build(config_settings)
    with tempfile.TemporaryDirectory() as stage:
        _run("cmake", "--install", build, "--component", "python", "--prefix", stage)
        package = next(Path(stage).rglob("_halobeat.abi3.so")).parent
        files = {path.relative_to(package.parent).as_posix(): path.read_bytes()
                 for path in sorted(package.rglob("*")) if path.is_file()}
    return _write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package of the build's folder, which `cmake --build FOLDER --target halobeat_python_package` renews."""
    folder = _build(config_settings) / "python"
    return _write_wheel(wheel_directory, {"halobeat.pth": f"{folder}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    """All files of the repository, or of an archive of it."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False)
    names = listed.stdout.decode().split("\0")[:-1] if listed.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in sorted(ROOT.rglob("*"))
        if path.is_file() and path.relative_to(ROOT).parts[0] not in ("build", "out", ".git")]
    name = f"{_name()}.tar.gz"
    with tempfile.TemporaryDirectory() as work, tarfile.open(Path(sdist_directory) / name, "w:gz") as archive:
        (Path(work) / "PKG-INFO").write_text(_metadata())
        archive.add(Path(work) / "PKG-INFO", f"{_name()}/PKG-INFO")
        for file in names:
            if (ROOT / file).exists():
                archive.add(ROOT / file, f"{_name()}/{file}")
    return name
