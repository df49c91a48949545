# Doxygen's filter for headers: their comments are ordinary ones, and say by where they stand what
# they are about.
# - At the left margin, with a declaration below: about that, and about those that follow without
#   an empty line. With an empty line below: about the file.
# - Within a structure or enumeration: on a line of its own about the next member, behind a member
#   about that.
# Comments in macros, in functions and beside #endif are left alone.
# A function that a macro of the same name gives the size of its options is shown as it is called.

# Text as Doxygen shows it.
function plain(text, parts, count, i, out) {
    gsub(/\\/, "\\\\", text)
    gsub(/[@#%]/, "\\\\&", text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    count = split(text, parts, "`")
    out = parts[1]
    for (i = 2; i <= count; i++) {
        # One that is closed on another line is left to Doxygen.
        out = out (count % 2 == 0 && i == count ? "`" : i % 2 == 0 ? "<code>" : "</code>") parts[i]
    }
    return out
}

# A line of a comment, what opens and closes it left alone.
function escaped(line, head, tail) {
    head = tail = ""
    if (match(line, /\/\*+/)) {
        head = substr(line, 1, RSTART + RLENGTH - 1)
        line = substr(line, RSTART + RLENGTH)
    }
    if (match(line, /\*\/.*$/)) {
        tail = substr(line, RSTART)
        line = substr(line, 1, RSTART - 1)
    }
    return head plain(line) tail
}

# The collected comment, opened by `open`. Its first sentence is what lists show: one or two words
# about who may call is none.
function told(open, text, start) {
    text = comment
    sub(/\/\*/, "", text)
    start = match(text, /^ (Local|Collective)[^.]*\. /) ? RLENGTH : 0
    if (match(substr(text, start + 1), /\.[ \n]+[^ \n*]/)) {
        start += RSTART
        text = substr(text, 1, start) "\n *\n *" rest(substr(text, start + 1))
    }
    return open " @brief" text
}

# What follows a sentence, on its line or on the next.
function rest(text) {
    sub(/^\n \*/, "", text)
    return text
}

function collect(line) {
    comment = comment (comment == "" ? "" : "\n") escaped(line)
    return line ~ /\*\//
}

function is_declaration(line) {
    return line ~ /^[A-Za-z#]/ && line !~ /^#(include|if|ifdef|ifndef|endif|else|undef)/
}

# Behind a comment at the margin.
function place(line) {
    if (is_declaration(line)) {
        print told("/**")
        about = comment
    } else {
        print line == "" ? told("/** @file\n *") : comment
    }
    comment = ""
    ended = 0
}

# The size of options is the macro's business: drops the macro, and the size from the declaration.
function as_called(more) {
    while ($0 !~ /;$/ && (getline more) > 0) {
        sub(/^ +/, " ", more)
        $0 = $0 more
    }
    sub(/_sized\(/, "(")
    sub(/, size_t options_bytes\)/, ")")
}

BEGIN { comment = about = "" }

/^#define halo_[a-z0-9_]+\(\.\.\.\)/ { in_dropped = /\\$/; next }
in_dropped { in_dropped = /\\$/; next }
!margin && !inside_comment && /^[a-z].* \*?halo_[a-z0-9_]+_sized\(/ { as_called() }

waiting { waiting = 0; place($0) }

# Margin, in and after a comment.
margin { margin = !collect($0); waiting = !margin; next }
inside_comment { inside_comment = $0 !~ /\*\//; print escaped($0); next }

in_macro { in_macro = /\\$/; print; next }
/^#/ { in_macro = /\\$/; about = ""; print; next }

/^\/\*/ { about = ""; margin = !collect($0); waiting = !margin; next }

/^{/ { in_function = 1 }
/^}/ { if (in_function) { in_function = 0; about = ""; print; next } }
in_function { print; next }

/^[ ]+\/\*/ { # before a member
    inside_comment = !/\*\//
    match($0, /\/\*/)
    print substr($0, 1, RSTART - 1) "/** @brief" escaped(substr($0, RSTART + 2))
    next
}
/[^ ].*\/\*/ { # behind a member
    inside_comment = !/\*\//
    match($0, /\/\*/)
    print substr($0, 1, RSTART - 1) "/**< @brief" escaped(substr($0, RSTART + 2))
    next
}
$0 == "" { about = ""; print; next }
about != "" && ended && /^[A-Za-z]/ { comment = about; print told("/**"); comment = "" }
{ ended = /;$/; print }
END { if (waiting) place("") }
