#include "app/frame.h"
#include "app/frame_internal.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/printable.h"
#include "core/world/collect.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Ranks agree on their arguments, and on the verdicts on them, before they run a command: a rank
 * that goes its own way leaves the others waiting for ever. */

int app_exit_status(halo_status status)
{
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? APP_USAGE : APP_FAILED;
}

void app_say_failure(const halo_world *world, const char *program, halo_status status,
                     const char *message)
{
    bool threads = halo_world_is_process(world) && halo_world_ranks(world) > 1;
    if (status == HALO_MEMORY && threads && halo_memory_address_space() < INT64_MAX) {
        halo_print_message(program,
                           "%s; the address space is limited (ulimit -v): use fewer ranks (-j), or "
                           "raise the limit",
                           message);
    } else {
        halo_print_line(program, message);
    }
}

/* The exit status of the lowest rank that failed, whose message rank 0 prints: its own without the
 * number that agreement puts before it, unless it is `spoken`. */
static int agree(halo_world *world, const char *program, halo_status mine, bool spoken)
{
    char own[HALO_MESSAGE_SIZE] = "";
    if (mine != HALO_OK) {
        snprintf(own, sizeof own, "%s", halo_last_message());
    }
    halo_status agreed = halo_world_agree(world, mine);
    if (agreed != HALO_OK && halo_world_rank(world) == 0 && (mine == HALO_OK || !spoken)) {
        app_say_failure(world, program, agreed, mine == HALO_OK ? halo_last_message() : own);
    }
    return app_exit_status(agreed);
}

int app_agree_early(halo_world *all, const char *program, halo_status mine)
{
    return agree(all, program, mine, false);
}

int app_agree_verdict(halo_world *all, const char *program, app_verdict verdict)
{
    halo_status mine = verdict == APP_REFUSED     ? HALO_ARGUMENT
                       : verdict == APP_NO_MEMORY ? HALO_MEMORY
                                                  : HALO_OK;
    return agree(all, program, mine, true);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Parsing depends on it: with it, options behind the first argument are arguments. */
static const char order[] = "POSIXLY_CORRECT";

/* Returns this rank's arguments as a shell command; NULL without memory. */
static char *given_line(int argc, char *const *argv)
{
    char *line = app_command_line(getenv(order) != NULL ? "POSIXLY_CORRECT=1" : "", argc, argv);
    if (line != NULL && line[0] == ' ') {
        memmove(line, line + 1, strlen(line));
    }
    return line;
}

static uint64_t hash_of(int argc, char *const *argv)
{
    uint64_t hash = getenv(order) != NULL;
    for (int i = 1; i < argc; i++) { /* each with the 0 byte at its end, which parts the words */
        hash = XXH3_64bits_withSeed(argv[i], strlen(argv[i]) + 1, hash);
    }
    return hash;
}

/* Finds the first character at which this rank's line differs from that of rank 0; -1 if none
 * does. It compares pieces, since a rank may have no memory for all of it. */
static int64_t find_difference(halo_world *world, const char *own)
{
    enum { PIECE = 4096 };
    int64_t length = (int64_t)strlen(own), of_zero = length, at = -1;
    char piece[PIECE];
    (void)halo_bcast(world, &of_zero, sizeof of_zero, 0);
    for (int64_t from = 0; from <= of_zero; from += PIECE) {
        memset(piece, 0, sizeof piece);
        if (halo_world_rank(world) == 0) {
            memcpy(piece, own + from, (size_t)halo_min(PIECE, of_zero - from));
        }
        (void)halo_bcast(world, piece, PIECE, 0);
        for (int i = 0; at < 0 && i < PIECE && from + i <= of_zero; i++) {
            /* All before it is the same, so that the end of this line is the last to be looked at.
             */
            at = own[from + i] != piece[i] ? from + i : -1;
        }
    }
    return at;
}

enum { SHOWN = 150 };

/* The part of a line around the character `at`, which begins with a word. */
static void cut_line(const char *line, int64_t at, char shown[SHOWN])
{
    enum { BEFORE = 60 };
    int64_t from = 0;
    if (strlen(line) >= SHOWN) {
        for (from = halo_max(0, at - BEFORE); from > 0 && line[from - 1] != ' ';) {
            from--;
        }
    }
    from = at - from < SHOWN / 2 ? from : at; /* of a very long word its end */
    int room = SHOWN - (int)sizeof "`... ... `";
    snprintf(shown, SHOWN, "`%s%.*s%s`", from > 0 ? "... " : "", room, line + from,
             strlen(line + from) > (size_t)room ? " ..." : "");
    if (*line == '\0') {
        snprintf(shown, SHOWN, "nothing");
    }
}

/* All ranks know that one was given something else than rank 0. */
static halo_status complain(halo_world *world, int argc, char *const *argv)
{
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    char *line = given_line(argc, argv), zero[SHOWN] = "", other[SHOWN] = "";
    const char *own = line != NULL ? line : "";
    int64_t at = find_difference(world, own), lowest = at >= 0 ? rank : ranks;
    halo_status status = halo_allreduce_min(world, &lowest, 1);
    int which = lowest < ranks ? (int)lowest : 0;
    (void)halo_bcast(world, &at, sizeof at, which);
    cut_line(own, at, rank == 0 ? zero : other);
    (void)halo_bcast(world, zero, SHOWN, 0);
    (void)halo_bcast(world, other, SHOWN, which);
    free(line);
    return status != HALO_OK
               ? status
               : halo_fail(HALO_ARGUMENT,
                           "rank 0 was given %s, rank %d %s; give all ranks the same arguments",
                           zero, which, other);
}

int app_agree_arguments(halo_world *all, const char *program, int argc, char *const *argv)
{
    int64_t hash = (int64_t)hash_of(argc, argv), pair[] = {hash, ~hash};
    halo_status status = halo_allreduce_min(all, pair, 2);
    if (status == HALO_OK && pair[0] != ~pair[1]) { /* the least is not the greatest */
        status = complain(all, argc, argv);
    }
    return agree(all, program, status, false);
}
