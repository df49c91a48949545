# shellcheck shell=bash
# Sourced by ./run. Turns ctest's results into the few lines a person wants to read.

# report_tests FILE: FILE is what ctest --output-junit wrote. Lists what failed, what was skipped
# and why (lines "skipped: WHY" in a test's output, "skipped: WHAT, not installed: PACKAGE..." where
# a program is missing), and what to install; the last line is the count. With
# HALOBEAT_TESTS_COMPLETE=1 it is a failure that something is not installed, or that a test says no
# reason. Fails if anything failed.
report_tests() {
    awk -v complete="${HALOBEAT_TESTS_COMPLETE:-}" '
        function attribute(name,    value) {
            if (!match($0, name "=\"[^\"]*\"")) return ""
            value = substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3)
            return plain(value)
        }
        function plain(text) {
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
            gsub(/&apos;/, "\047", text); gsub(/&amp;/, "\\&", text)
            return text
        }
        # told WHY: why a test, or a part of it, was left out.
        function told(text,    at) {
            at = match(text, /not installed: /)
            if (at) {
                missing = 1
                count = split(substr(text, at + RLENGTH), words, /[ ,]+/)
                for (i = 1; i <= count; i++) if (words[i] != "") packages[words[i]] = 1
            }
            parts = parts "  " name ": " text "\n"
        }
        function tell(title, text) { if (text != "") printf "\n%s:\n%s", title, text }
        /<testcase / {
            name = attribute("name"); status = attribute("status"); parts = ""; missing = 0
        }
        # A test that ctest could not start has not passed, whatever ctest calls it.
        /<skipped message=/ && attribute("message") !~ /^SKIP_/ { status = "fail" }
        /skipped: / {
            text = $0
            sub(/.*skipped: */, "", text); sub(/<\/system-out>.*/, "", text)
            told(plain(text))
        }
        /<\/testcase>/ {
            skip = status != "run" && status != "fail"
            if (skip && parts == "") {
                missing = 1
                told(status == "disabled" ? "disabled" : "no reason given")
            }
            if (status == "fail" || (complete && missing)) {
                failed++
                failures = failures (missing && status != "fail" ? parts : "  " name "\n")
            } else if (skip) {
                skipped++
                skips = skips parts
            } else {
                passed++
                left = left parts
            }
        }
        END {
            tell("Left out in tests that passed", left)
            tell("Skipped", skips)
            tell("Failed", failures)
            for (name in packages) list = list " " name
            if (list != "") printf "\nTo test that too: apt-get install%s\n", list
            printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
            exit failed > 0
        }' "$1"
}
