# The tutorial as a script: fragments of C are kept, put together where a comment says so, and the
# shell's commands follow in their order.
/^<!-- fragment / { name = $3; next }
/^<!-- write / {
    file = $3
    sub(/:$/, "", file)
    printf ": >%s\n", file
    for (i = 4; i < NF; i++) printf "{ cat fragments/%s; echo; } >>%s\n", $i, file
    next
}
/^```c$/ {
    if (name == "") { print "echo 'a fragment without a name' >&2; exit 1"; exit }
    print "cat >fragments/" name " <<'END_OF_FRAGMENT'"
    code = 1
    next
}
/^```sh$/ { shell = 1; next }
/^```$/ {
    if (code) print "END_OF_FRAGMENT"
    code = shell = 0
    name = ""
    next
}
code { print; next }
shell {
    print
    print "commands=$((commands + 1))"
}
END { print "echo \"$commands commands\"" }
