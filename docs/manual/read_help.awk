# What --help of a command says, for those who write it down elsewhere: includes of awk, in front of
# manual.awk and completion.awk. They define option(spec, text), group(title), and other(line).
#
# The help's lines are as long as they have to be (ARGP_HELP_FMT=rmargin=...), so that the text of
# an option is on its line, or all of it on the next one.
function put_option() {
    if (spec != "") option(spec, text)
    spec = text = ""
}
/^ [^ -].*:$/ && !ended { put_option(); group(substr($0, 2, length($0) - 2)); next }
/^ +-/ && !ended {
    put_option()
    sub(/^ +/, "")
    spec = $0
    if (match($0, /   */)) {
        spec = substr($0, 1, RSTART - 1)
        text = substr($0, RSTART + RLENGTH)
    }
    next
}
/^          / && spec != "" && text == "" { text = $0; sub(/^ +/, "", text); next }
/^Mandatory or optional arguments/ { put_option(); ended = 1; next }
{ put_option(); other($0) }
END { put_option() }
