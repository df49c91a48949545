#!/usr/bin/env bash
# Every option of every command refuses what its row of the table of options does not take: values
# beyond the limits and of other types, names with other endings, options that need another one or
# exclude it.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

what='refusals'
start_with 3
holds 'some are wrong' "$python" "$(dirname "$0")/refusals.py" "$program" "$work/out" "${starter[@]}"
holds 'files were written' [ -z "$(listing | grep -v '^\.$')" ]
finish
