#!/usr/bin/env bash
# The kernel in README.md: it compiles as it stands there, keeps to its contract, and the commands below
# it make a picture that shows something.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
needs_python numpy PIL
what='the kernel of README.md'
section=$(sed -n '/^## A kernel of your own/,/^## Install/p' "$SOURCE/README.md")
cd "$work/out" || exit
ln -s "$data" data
# shellcheck disable=SC2016 # the marks of a code block
sed -n '/^```c$/,/^```$/p' <<<"$section" | grep -v '^```' >heat.c
holds 'there is no source' grep -q '^int main' heat.c
commands=$(sed -n '/^cc heat.c/,/^```$/p' <<<"$section" | grep -v '^```' | sed "s|~/halobeat|$tools/moved|; s|\$HOME/halobeat|$tools/moved|")
holds 'there are not three commands' [ "$(wc -l <<<"$commands")" = 3 ]
{
    echo 'set -eux'
    printf 'cc() { %q -std=c11 -Wall -Wextra -Wpedantic -Werror "$@"; }\n' "$CC"
    echo "$commands"
} >run.bash
holds 'a command failed' bash run.bash >"$work/stdout" 2>"$work/stderr"
holds 'it is not checked' grep -q '^check  *heat reads and writes what its table says' "$work/stdout"
# The picture has many colours, bright in the middle and dark at the edges, where heat flows away.
holds 'the picture shows nothing' "$python" - warm.png <<'PYTHON'
import sys
import numpy as np
from PIL import Image

picture = np.asarray(Image.open(sys.argv[1]).convert("RGB")).astype(int)
assert picture.shape == (512, 512, 3), picture.shape
assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
light = picture.sum(axis=2)
assert light.std() > 50, light.std()
assert light[[0, -1]].mean() < light[60:70].mean() / 2
PYTHON
finish
