#!/bin/sh
# The manual page and the completion for bash, from what the program's own --help says.
#   make.sh PROGRAM VERSION FOLDER
# leaves FOLDER/halobeat.1 and FOLDER/halobeat.
set -eu
program=$1 version=$2 folder=$3
here=$(dirname "$0")
export LC_ALL=C ARGP_HELP_FMT=rmargin=100000

# help [COMMAND]
help() {
    timeout 60 "$program" "$@" --help || {
        echo "$program $* --help has failed, which the manual page is made from; on a machine" \
            "where it cannot run configure with -D HALOBEAT_MANUAL=OFF" >&2
        exit 1
    }
}

# each_command AWK: that script on the help of every command.
each_command() {
    for command in $commands; do
        help "$command" >"$folder/help"
        awk -v command="$command" -f "$here/read_help.awk" -f "$here/$1" "$folder/help"
    done
}

mkdir -p "$folder"
help >"$folder/help"
commands=$(awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' "$folder/help")
[ -n "$commands" ]
{
    printf '.TH HALOBEAT 1 "" "halobeat %s" "User Commands"\n' "$version"
    printf '.SH NAME\nhalobeat \\- heartbeat computing on images and grids\n'
    printf '.SH SYNOPSIS\n.B halobeat\n.I COMMAND\n[\\fIOPTION\\fR...]\n.br\n'
    printf '.B mpiexec \\-n\n.I RANKS\n.B halobeat\n.I COMMAND\n[\\fIOPTION\\fR...]\n'
    printf '.SH COMMANDS\n'
    awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 }
         on { name = $1; sub(/^ *[^ ]+ +/, ""); gsub(/-/, "\\-"); print ".TP\n.B " name "\n" $0 }' \
        "$folder/help"
    each_command manual.awk
} >"$folder/halobeat.1.new"
{
    sed -n '1,/^@CASES@$/{/^@CASES@$/!p}' "$here/completion.bash.in"
    each_command completion.awk
    printf '        "") echo "words %s --help --version" ;;\n' "$(printf '%s' "$commands" | tr '\n' ' ')"
    sed '1,/^@CASES@$/d' "$here/completion.bash.in"
} >"$folder/halobeat.new"
rm "$folder/help"
mv "$folder/halobeat.1.new" "$folder/halobeat.1"
mv "$folder/halobeat.new" "$folder/halobeat"
