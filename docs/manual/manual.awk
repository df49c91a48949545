# A section of the manual page from the help of one command.
function roff(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    if (line ~ /^[.']/) line = "\\\&" line
    return line
}
function group(title) { print ".SS " roff(title); grouped = 1 }
function option(spec, text, parts, count, i) {
    count = split(spec, parts, ", ")
    spec = ""
    for (i = 1; i <= count; i++) spec = spec (i > 1 ? ", " : "") "\\fB" roff(parts[i]) "\\fR"
    gsub(/=/, "\\fR=\\fI", spec)
    print ".TP\n" spec "\n" roff(text)
}
function other(line) {
    if (NR == 1) {
        sub(/^Usage: /, "", line)
        print ".SH " roff(toupper(command)) "\n.B " roff(line) "\n.PP"
    } else if (line == "") {
        print (ended && verbatim ? "" : ".PP")
    } else {
        if (ended && !verbatim) { print ".PP\n.nf"; verbatim = 1 }
        print roff(line)
    }
}
END { if (verbatim) print ".fi" }
