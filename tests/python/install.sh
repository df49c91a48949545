#!/usr/bin/env bash
# The package as users install it: pip without network into a virtual environment, `cmake --install`, an archive of the
# sources. install.sh BUILD PYTHON: the wheel has what is built there; with HALOBEAT_TEST_MORE pip builds all of it.
set -euo pipefail
build=$1 python=$2
root=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "FAILED $*" >&2
    exit 1
}

# try PYTHON WHERE: that package labels, from that folder, and is typed.
try() {
    (cd "$work" && "$1" -c "
import halobeat, os, sys
assert halobeat.label([[1, 0, 1]])[1] == 2
folder = os.path.realpath(os.path.dirname(halobeat.__file__))
assert folder.startswith(os.path.realpath(sys.argv[1]) + '/'), folder
assert {'py.typed', '__init__.pyi', '_halobeat.abi3.so'} <= set(os.listdir(folder)), os.listdir(folder)
" "$2") || fail "the package in $2"
}

# pip_install NAME ARGUMENT...: into a new environment, which sees the system's NumPy, and its pip.
pip_install() {
    "$python" -m venv --system-site-packages --without-pip "$work/$1"
    "$work/$1/bin/python" -m pip install "${@:2}" >"$work/log" 2>&1 || { cat "$work/log" && fail "pip install ${*:2}"; }
}

if ! "$python" -c 'import venv, pip' 2>/dev/null; then
    if [ -n "${HALOBEAT_TESTS_COMPLETE:-}" ]; then fail "python3-pip is not installed"; fi
    echo "skipped: needs python3-pip"
    exit 77
fi
pip_install ready --config-settings "configured=$build" "$root"
try "$work/ready/bin/python" "$work/ready"
version=$("$work/ready/bin/python" -c 'import halobeat; print(halobeat.__version__)')
"$work/ready/bin/python" -m pip show halobeat >"$work/shown"
grep -qx "Version: $version" "$work/shown" || fail "pip show has another version than $version"

cmake --install "$build" --component python --prefix "$work/prefix" >/dev/null
PYTHONPATH=$(dirname "$(dirname "$(find "$work/prefix" -name _halobeat.abi3.so)")") try "$python" "$work/prefix"

# The wheel's bytes are the same each time.
backend() {
    (cd "$root/python" && "$python" -c "import sys, wheel_backend; wheel_backend.$1" "${@:2}" >"$work/log" 2>&1) ||
        { cat "$work/log" && fail "$1"; }
}
for i in 1 2; do
    mkdir "$work/$i"
    backend 'build_wheel(sys.argv[1], {"configured": sys.argv[2]})' "$work/$i" "$build"
done
cmp "$work"/1/*.whl "$work"/2/*.whl || fail "two wheels differ"
find "$work/1" -name 'halobeat-*' -printf '%f\n' | grep -qE "^halobeat-$version-cp311-abi3-linux_[a-z0-9_]+\.whl$" ||
    fail "the name of the wheel"

# What indexes of packages and pip read of it.
"$python" - "$root" "$work"/1/*.whl <<'PYTHON' || fail "the wheel's METADATA"
import email.parser, pathlib, sys, tomllib, zipfile

root = pathlib.Path(sys.argv[1])
project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
with zipfile.ZipFile(sys.argv[2]) as wheel:
    info = next(name for name in wheel.namelist() if name.endswith("/METADATA")).rpartition("/")[0]
    text = wheel.read(f"{info}/METADATA").decode()
    told = email.parser.Parser().parsestr(text)
    assert not told.defects, told.defects
    assert wheel.read(f"{info}/{told['License-File']}") == (root / "LICENSE").read_bytes()
    assert told.get_payload() == (root / project["readme"]).read_text() != ""
single = ["Metadata-Version", "Name", "Version", "Summary", "Author", "License", "License-File", "Keywords",
          "Requires-Python", "Description-Content-Type"]
assert sorted(told.keys()) == sorted(single + ["Requires-Dist"] * len(project["dependencies"])
                                     + ["Classifier"] * len(project["classifiers"])), told.keys()
assert told.get_all("Classifier") == project["classifiers"] and told["License"] == "MIT"
PYTHON

if [ -n "${HALOBEAT_TEST_MORE:-}" ]; then
    "$work/ready/bin/python" -m pip uninstall -y halobeat >/dev/null
    if "$work/ready/bin/python" -c 'import halobeat' 2>/dev/null; then fail "uninstalled, and still there"; fi
    pip_install editable --config-settings "configured=$build" --editable "$root"
    try "$work/editable/bin/python" "$build"
    # From an archive of the sources, as users do.
    backend 'build_sdist(sys.argv[1])' "$work"
    pip_install built "$work/halobeat-$version.tar.gz"
    try "$work/built/bin/python" "$work/built"
fi
echo "passed"
