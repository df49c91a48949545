# shellcheck shell=bash
# Sourced by ./run. Turns ctest's results into the few lines a person wants to read.

# report_tests FILE: FILE is what ctest --output-junit wrote. Lists what failed, what was skipped
# and why (the line "skipped: WHY" in a test's output); the last line is the count.
report_tests() {
    awk '
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
        /<testcase / { name = attribute("name"); status = attribute("status"); why = "" }
        # A test that ctest could not start has not passed, whatever ctest calls it.
        /<skipped message=/ && attribute("message") !~ /^SKIP_/ { status = "fail" }
        /skipped: / {
            text = $0
            sub(/.*skipped: */, "", text); sub(/<\/system-out>.*/, "", text)
            if (status == "run") left = left "  " name ": " plain(text) "\n"
            else if (why == "") why = plain(text)
        }
        /<\/testcase>/ {
            if (status == "run") passed++
            else if (status == "fail") { failed++; failures = failures "  " name "\n" }
            else {
                skipped++
                if (why == "") why = status == "disabled" ? "disabled" : "no reason given"
                skips = skips "  " name ": " why "\n"
            }
        }
        END {
            if (left != "") printf "\nLeft out in tests that passed:\n%s", left
            if (skips != "") printf "\nSkipped:\n%s", skips
            if (failures != "") printf "\nFailed:\n%s", failures
            printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
        }' "$1"
}
