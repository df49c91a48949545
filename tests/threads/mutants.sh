#!/usr/bin/env bash
# Is the model of the transport of threads able to find faults? Each mutant is the transport with one
# fault put in, most of them lost wake-ups, wrong orders and memory that is used too long; the model
# must find every one within its patterns.
#
#   mutants.sh COMPILER SOURCE_FOLDER PYTHON LIBRARY...
set -euo pipefail
compiler=$1 root=$2 python=$3
libraries=("${@:4}")
patterns=20000

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=(-std=gnu11 -O1 -g -DHALO_SYNC_STEPPED -I"$root/src" -I"$root/tests" -I"$root")
sources=(src/core/transport/threads/{collect,common,group,mailbox,ranks,run,shown,sync,transport}.c src/core/world/wait.c
    tests/threads/{model,pattern,pattern_messages,pattern_operations}.c)

object() { echo "$folder/$(basename "$1" .c).o"; }

for source in "${sources[@]}"; do
    "$compiler" "${flags[@]}" -c "$root/$source" -o "$(object "$source")"
done

# build PROGRAM [SOURCE OBJECT]: links it, with another object of that source.
build() {
    local program=$1 source=${2:-} other=${3:-} objects=()
    for one in "${sources[@]}"; do
        if [ "$one" = "$source" ]; then objects+=("$other"); else objects+=("$(object "$one")"); fi
    done
    "$compiler" "${objects[@]}" "${libraries[@]}" -lm -o "$program"
}

build "$folder/model"
"$folder/model" 1 2000

missed=0 count=0
# mutant NAME SOURCE PYTHON_EXPRESSION: the expression makes the changed text from `s`.
mutant() {
    local name=$1 source=$2 change=$3 status=0
    "$python" - "$root/$source" "$folder/mutant.c" "$change" <<'END'
import re, sys
s = open(sys.argv[1]).read()
changed = eval(sys.argv[3])
if changed == s:
    sys.exit("the mutant changes nothing: the text it looks for is not in " + sys.argv[1])
open(sys.argv[2], "w").write(changed)
END
    "$compiler" "${flags[@]}" -c "$folder/mutant.c" -o "$folder/mutant.o"
    build "$folder/mutant" "$source" "$folder/mutant.o"
    # Some mutants crash, of which the shell would tell.
    { timeout 120 "$folder/mutant" 1 $patterns >"$folder/out" 2>&1 || status=$?; } 2>/dev/null
    count=$((count + 1))
    if [ $status = 0 ]; then
        echo "not found: $name"
        missed=$((missed + 1))
    else
        echo "found: $name ($(grep -m 1 -o 'seed [0-9]*' "$folder/out" || echo "status $status"))"
    fi
}

threads=src/core/transport/threads
mutant "an event is counted before the sleeper is taken note of" $threads/ranks.c \
    's.replace("if (SYNC_LOAD(&rank->parked, seq_cst) != 0 && SYNC_EXCHANGE(&rank->parked, 0, seq_cst) != 0) {\n        SYNC_ADD(&rank->events, 1, seq_cst);", "if (SYNC_LOAD(&rank->parked, seq_cst) != 0) {\n        SYNC_ADD(&rank->events, 1, seq_cst);\n        SYNC_STORE(&rank->parked, 0, seq_cst);")'
mutant "nobody wakes" $threads/ranks.c \
    's.replace("    halo_threads_wake(owner);", "    (void)owner;")'
mutant "who is woken is looked for before the request is finished" $threads/ranks.c \
    's.replace("    SYNC_STORE(&request->state, state, seq_cst);\n    halo_threads_wake(owner);", "    halo_threads_wake(owner);\n    SYNC_STORE(&request->state, state, seq_cst);")'
mutant "events are read after a rank is announced" $threads/transport.c \
    's.replace("    unsigned seen = SYNC_LOAD(&self->events, seq_cst);\n    SYNC_STORE(&self->parked, 1, seq_cst);\n    return seen;", "    SYNC_STORE(&self->parked, 1, seq_cst);\n    return SYNC_LOAD(&self->events, seq_cst) + 0 * self->parked;")'
mutant "a rank that is announced does not look again" src/core/world/wait.c \
    's.replace("        p->announced = true;\n", "        p->announced = true;\n        sleeping->sleep(world->end, p->seen, -1);\n", 1)'
mutant "a broken team does not wake" $threads/ranks.c \
    're.sub(r"    for \(int r = 0; first && r < team->ranks; r\+\+\) \{.*?\n    \}\n", "", s, flags=re.S)'
mutant "a slot is free before its requests are finished" $threads/collect.c \
    's.replace("static void complete(threads_slot *slot, unsigned state)\n{", "static void complete(threads_slot *slot, unsigned state)\n{\n    SYNC_STORE(&slot->arrived, 0, release); /* for halo_threads_leave */\n    SYNC_ADD(&slot->turn, 1, release);").replace("    }\n    SYNC_STORE(&slot->arrived, 0, release); /* for halo_threads_leave */\n    SYNC_ADD(&slot->turn, 1, release);\n}", "    }\n}", 1)'
mutant "a slot is free before the number of ranks is reset" $threads/collect.c \
    's.replace("    SYNC_STORE(&slot->arrived, 0, release); /* for halo_threads_leave */\n    SYNC_ADD(&slot->turn, 1, release);", "    SYNC_ADD(&slot->turn, 1, release);\n    SYNC_STORE(&slot->arrived, 0, release); /* for halo_threads_leave */")'
mutant "nobody waits for the turn of a slot" $threads/collect.c \
    's.replace("SYNC_LOAD(&slot->turn, acquire) != turn", "false && turn > 0")'
mutant "the parts are one too few" $threads/collect.c \
    's.replace("SYNC_STORE(&slot->left, ranks, relaxed)", "SYNC_STORE(&slot->left, ranks - 1, relaxed)")'
mutant "a rank leaves an operation that is being done" $threads/collect.c \
    's.replace("return seen != slot->group->ranks;", "return true;")'
mutant "a rank leaves without its part" $threads/collect.c \
    's.replace("    if (state == THREADS_PART) {\n        halo_threads_take_part(request);\n        state = SYNC_LOAD(&request->state, acquire);\n    }\n    if (state == THREADS_OPEN && give_up", "    if (state == THREADS_OPEN && give_up")'
mutant "who shows numbers wakes nobody" $threads/shown.c \
    's.replace("            halo_threads_wake(end->group->members[r]);", "            (void)r;")'
mutant "numbers are shown before they are written" $threads/shown.c \
    's.replace("    memcpy(line->values, mine, (size_t)count * sizeof *mine);\n    SYNC_STORE(&line->number, number + 1, seq_cst);", "    SYNC_STORE(&line->number, number + 1, seq_cst);\n    halo_sync_step();\n    memcpy(line->values, mine, (size_t)count * sizeof *mine);")'
mutant "nobody waits for a line to be read" $threads/shown.c \
    's.replace("return most < THREADS_RING;", "return true;")'
mutant "reductions complete in order only" $threads/shown.c \
    's.replace("end->ahead |= 1U << (number - end->complete);", "end->ahead |= 1;")'
mutant "a rank that waits completes no reductions" $threads/ranks.c \
    's.replace("if (self->showing > 0) {", "if (false) {")'
mutant "a rank sees one rank too few" $threads/shown.c \
    's.replace("while (request->seen < end->base.ranks) {", "while (request->seen < end->base.ranks - 1) {")'
mutant "a message is freed before it is copied" $threads/mailbox.c \
    's.replace("    halo_threads_message_free(message);\n    if (sender", "    if (sender").replace("    threads_request *sender = message->sender;\n", "    threads_request *sender = message->sender;\n    halo_threads_message_free(message);\n    halo_sync_yield();\n")'
mutant "the sender goes on before its message is copied" $threads/mailbox.c \
    's.replace("    unsigned state = deliver(", "    if (sender != NULL) {\n        halo_threads_finish(sender, THREADS_DONE);\n        halo_sync_yield();\n        sender = NULL;\n    }\n    unsigned state = deliver(")'
mutant "a receive is finished before it is filled" $threads/mailbox.c \
    's.replace("        halo_threads_finish(receive, deliver(receive, data, bytes));", "        receive->bytes = bytes;\n        halo_threads_finish(receive, THREADS_DONE);\n        deliver(receive, data, bytes);")'
mutant "a receive does not take the lock" $threads/mailbox.c \
    's.replace("        halo_sync_take(&box->lock);\n        list = match_receives(list, &last);\n        halo_sync_release(&box->lock);", "        halo_sync_step();\n        list = match_receives(list, &last);\n        halo_sync_step();")'
mutant "receives are put into the mailbox in the other order" $threads/mailbox.c \
    's.replace("    *self->last_beside = receive;\n    self->last_beside = &receive->next;", "    receive->next = self->beside;\n    self->beside = receive;")'
mutant "only receives of one mailbox are put into it" $threads/mailbox.c \
    's.replace("    while (list != NULL) {\n        threads_mailbox *box", "    if (list != NULL) {\n        threads_mailbox *box")'
mutant "a receive beside its mailbox is not taken back" $threads/mailbox.c \
    's.replace("    halo_threads_post(request->owner); /* it may be beside its mailbox */\n", "")'
mutant "receives from any source come last" $threads/mailbox.c \
    's.replace("bool is_any = first == NULL || (other != NULL && (*other)->order < (*first)->order);", "bool is_any = first == NULL;")'
mutant "the end of a list is lost" $threads/mailbox.c \
    's.replace("    if (bucket->last_posted == &request->next) {\n        bucket->last_posted = at;\n    } else {", "    {")'
mutant "a receive is taken back while its message comes" $threads/mailbox.c \
    're.sub(r"    while \(SYNC_LOAD\(&request->state, acquire\) == THREADS_OPEN\) \{.*?\n    \}\n", "", s, flags=re.S)'
mutant "a message that was left is not taken back" $threads/mailbox.c \
    's.replace("request->from == THREADS_SENDING ? take_back(box, request) : unpost(box, request);", "request->from == THREADS_SENDING ? (void)take_back, true : unpost(box, request);")'
mutant "a synchronous send is complete too soon" $threads/mailbox.c \
    's.replace("bool copies = head->bytes <= THREADS_EAGER && !matched;", "bool copies = head->bytes <= THREADS_EAGER && !matched;\n    if (matched) { *request = threads_handle(&complete_request); threads_message *m = halo_threads_message(end->self, 0); m->from = head->from; m->tag = head->tag; m->bytes = head->bytes; m->data = head->data; m->sender = NULL; append_message(box, m); return true; }")'
mutant "the lock does not wake" $threads/sync.c \
    's.replace("if (SYNC_EXCHANGE(lock, 0, release) == 2) {", "if (SYNC_EXCHANGE(lock, 0, release) == 3) {")'

echo "$((count - missed)) of $count mutants found"
[ $missed = 0 ]
