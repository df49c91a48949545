#!/usr/bin/env bash
# Contours on a disk and a star, without noise and with, enclose what they should.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy skimage PIL
what="a disk and a star"
holds "contours go astray" "$python" "$(dirname "$0")/snake_skimage.py" "$program" "$work"
finish
