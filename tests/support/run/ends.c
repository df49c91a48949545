#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A kernel that does not return from its update, in the part that has the middle row, at the beat
 * of --at: it calls exit or pthread_exit, crashes, fills its stack, or computes for ever, which it
 * says before. It is also built as a PROGRAM. */

#include "core/beat/kernel_export.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *how;
    int64_t at;
} ends_options;

typedef struct {
    ends_options requested;
    int64_t rows;
} ends_state;

static const halo_option rows[] = {{HALO_OPTION_ROW(ends_options, "how", CHOICE, how),
                                    .choices = "return|exit|leave|abort|crash|divide|deep|hang",
                                    .standard = "return", .help = "What it does"},
                                   {HALO_OPTION_ROW(ends_options, "at", INTEGER, at),
                                    .standard = "17", .help = "The beat, from 1"},
                                   {0}};

static halo_status ends_create(void **out, const halo_domain *domain, const void *options)
{
    ends_state *state = malloc(sizeof *state);
    if (state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: its state");
    }
    *state = (ends_state){.rows = domain->n[0]};
    memcpy(&state->requested, options, sizeof state->requested);
    *out = state;
    return HALO_OK;
}

static int *volatile nowhere;

/* Calls itself until its stack is full. */
static int go_deeper(volatile int *above)
{
    volatile int frame[64];
    frame[0] = *above + 1;
    return frame[0] == 0 ? 0 : go_deeper(frame) + frame[0];
}

/* A sanitizer would end the process in its own way. */
__attribute__((no_sanitize("undefined"))) static void end_by(const char *how)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    if (strcmp(how, "exit") == 0) {
        exit(0);
    }
    if (strcmp(how, "leave") == 0) {
        pthread_exit(NULL);
    }
    if (strcmp(how, "abort") == 0) {
        abort();
    }
    if (strcmp(how, "crash") == 0) {
        *nowhere = 1;
    }
    if (strcmp(how, "divide") == 0) {
        raise(SIGFPE);
    }
    if (strcmp(how, "deep") == 0) {
        volatile int depth = 0;
        depth = go_deeper(&depth);
    }
    if (strcmp(how, "hang") == 0) {
        fputs("ends: hangs\n", stderr);
    }
    while (strcmp(how, "hang") == 0) {
        nanosleep(&moment, NULL);
    }
}

static halo_status ends_step(halo_step *step)
{
    const ends_state *state = step->state;
    int64_t first = step->in->owned.lo[0] + step->todo.lo[0];
    bool middle = state->rows / 2 >= first && state->rows / 2 < first + step->todo.n[0];
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        memcpy((unsigned char *)halo_row(step->out, y) + step->todo.lo[1],
               (const unsigned char *)halo_row(step->in, y) + step->todo.lo[1],
               (size_t)step->todo.n[1]);
    }
    if (middle && step->beat + 1 == state->requested.at) {
        end_by(state->requested.how);
    }
    return HALO_OK;
}

static const halo_kernel ends_kernel = {.name = "ends",
                                        .help = "one part does not return",
                                        .axes = 2,
                                        .cell_bits = {8},
                                        .depth = 1,
                                        .step = ends_step,
                                        .create = ends_create,
                                        .destroy = halo_kernel_free_state,
                                        .options = rows,
                                        .options_bytes = sizeof(ends_options)};

#ifdef PROGRAM
#include "app/program.h"

int main(int argc, char **argv)
{
    return halo_main(argc, argv, &ends_kernel);
}
#else
HALO_KERNEL_EXPORT(ends_kernel);
#endif
