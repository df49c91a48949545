# Cases of the completion from the help of one command: lines "COMMAND OPTION) values;;", and the
# list of its options.
# Names that may stand where no option is: "WHAT is measured:" and "  name: ..." below it.
function other(line, words) {
    if (line ~ /^[A-Z]+ is /) {
        listing = 1
    } else if (listing && line ~ /^  [a-z]/) {
        split(line, words, /[ :]+/)
        names = names " " words[2]
    } else if (line !~ /^   /) {
        listing = 0
    }
}
function group(title) {}

# What `values` becomes: words to choose from, endings of files, folders.
function values_of(argument, parts, count, i, words, endings) {
    count = split(argument, parts, "|")
    words = endings = ""
    for (i = 1; i <= count; i++) {
        if (parts[i] ~ /^(FILE)?\.[a-z0-9]+$/) {
            sub(/^FILE/, "", parts[i])
            endings = endings " " parts[i]
        } else if (parts[i] == "DIR") {
            return "folders"
        } else if (parts[i] ~ /^FILE/) {
            return "files"
        } else if (parts[i] ~ /^[a-z0-9-]+$/) {
            words = words " " parts[i]
        }
    }
    return endings != "" ? "files" endings : "words" words
}

function option(spec, text, parts, count, i, name, argument) {
    argument = ""
    if (match(spec, /=.*/)) argument = substr(spec, RSTART + 1)
    count = split(spec, parts, ", ")
    for (i = 1; i <= count; i++) {
        name = parts[i]
        sub(/[=[ ].*/, "", name)
        if (name ~ /^--/ || count == 1) options = options " " name
        if (argument != "") {
            cases = cases "        \"" command " " name "\") echo \"" values_of(argument) "\" ;;\n"
        }
    }
}
END {
    if (names != "") cases = cases "        \"" command " @\") echo \"either" names "\" ;;\n"
    print cases "        \"" command "\") echo \"words" options "\" ;;"
}
