#!/bin/sh
# The manual page and the completion for bash, which the program prints from its tables of options.
#   make.sh PROGRAM FOLDER
# leaves FOLDER/halobeat.1 and FOLDER/halobeat.
set -eu
program=$1 folder=$2
here=$(dirname "$0")

# print WHAT FILE
print() {
    timeout 60 "$program" "--$1" >"$2" || {
        echo "$program --$1 has failed; on a machine where the program cannot run configure with" \
            "-D HALOBEAT_MANUAL=OFF" >&2
        exit 1
    }
}

mkdir -p "$folder"
print manual "$folder/commands"
print version "$folder/version"
sed -e "/^@COMMANDS@$/{r $folder/commands" -e 'd}' \
    -e "s/@VERSION@/$(sed -n '1s/^halobeat //p' "$folder/version")/" \
    "$here/halobeat.1.in" >"$folder/halobeat.1.new"
print completion "$folder/cases"
sed -e "/^@CASES@$/{r $folder/cases" -e 'd}' "$here/completion.bash.in" >"$folder/halobeat.new"
rm "$folder/cases" "$folder/commands" "$folder/version"
mv "$folder/halobeat.1.new" "$folder/halobeat.1"
mv "$folder/halobeat.new" "$folder/halobeat"
