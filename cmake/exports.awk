# Lists names that one layer uses of another, one a line: words "halo_..." that stand in sources of two layers, and
# those that are called in headers (on indented lines: inline functions and macros), which others may include. That
# some of them are no names of functions does no harm; that none is missing is for the linker to say, and that none
# is too many for tests/install/names.sh.
#
# Given: layer_of.awk, and files, by paths from the top of the source tree.

FNR == 1 { # libhalobeat_mpi is one more
    layer = FILENAME ~ /^src\/core\/transport\/mpi\// ? "mpi" : layer_of(FILENAME)
    comment = 0
}
{
    # Comments are left out.
    line = $0
    if (comment) {
        if (!sub(/^.*\*\//, "", line)) next
        comment = 0
    }
    while (match(line, /\/\*/)) {
        start = RSTART
        if (end = index(substr(line, start + 2), "*/")) {
            line = substr(line, 1, start - 1) " " substr(line, start + end + 3)
        } else {
            line = substr(line, 1, start - 1)
            comment = 1
        }
    }
    body = FILENAME ~ /\.h$/ && line ~ /^ /
    while (match(line, /halo_[a-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (!(name in first)) first[name] = layer
        if (first[name] != layer || (body && line ~ /^\(/)) shared[name]
    }
}
END { for (name in shared) print name }
