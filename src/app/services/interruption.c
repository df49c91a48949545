#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "app/services/interruption.h"

#include "app/frame.h"
#include "app/ranks/signals.h"
#include "app/services/tasks.h"
#include "base/handler_text.h"
#include "base/printable.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int CAUGHT[] = {SIGTERM, SIGINT, SIGHUP};
enum { CAUGHT_COUNT = sizeof CAUGHT / sizeof CAUGHT[0] };

/* Handlers take no argument of ours, so what they say has to be here. */
static const app_run *volatile running;
static const tasks_state *volatile tasks;
static char behind[HALO_HANDLER_TEXT]; /* what follows the numbers */
static struct sigaction before[CAUGHT_COUNT];
static bool caught[CAUGHT_COUNT];

static void say(int number)
{
    const app_run *run = running;
    halo_handler_text text = {.used = 0};
    halo_handler_append(&text, "stopped by a signal when ");
    halo_handler_append_number(&text, tasks->ended);
    halo_handler_append(&text, " of ");
    halo_handler_append_number(&text, tasks->count);
    halo_handler_append(&text, " tasks were done; ");
    halo_handler_append(&text, behind);
    if (isatty(STDERR_FILENO)) { /* behind the line that shows how far it is */
        (void)!write(STDERR_FILENO, "\n", 1);
    }
    halo_print_line(run->program, text.text);
    if (halo_world_is_process(run->world)) {
        _exit(APP_FAILED);
    }
    signal(number, SIG_DFL); /* launchers see to the other ranks */
    raise(number);
}

static bool has_option(const app_syntax *syntax, const char *name)
{
    app_place at = {0};
    const halo_option *row;
    while ((row = app_next_row(syntax, &at)) != NULL &&
           (row->name == NULL || strcmp(row->name, name) != 0)) {
    }
    return row != NULL;
}

static void describe(const app_run *run)
{
    const char *journal = app_tasks_arguments(run)->journal;
    if (journal != NULL) {
        snprintf(behind, sizeof behind, "they are in %.400s, and the same command goes on",
                 journal);
    } else if (has_option(run->command->syntax, "journal")) {
        snprintf(behind, sizeof behind,
                 "no output was written; with --journal FILE the same command goes on");
    } else if (tasks->log != NULL) {
        snprintf(behind, sizeof behind,
                 "they are in %.400s, and the same command goes on with --resume", tasks->log);
    } else {
        snprintf(
            behind, sizeof behind,
            "what they have written stays; with --joblog FILE --resume the same command goes on");
    }
}

void app_interruption_begin(const app_run *run)
{
    if (halo_world_rank(run->world) > 0) {
        return;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = say;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < CAUGHT_COUNT; i++) {
        sigaddset(&action.sa_mask, CAUGHT[i]);
    }
    tasks = app_tasks_of(run);
    describe(run);
    running = run;
    for (int i = 0; i < CAUGHT_COUNT; i++) {
        /* Libraries below MPI have handlers of their own, UCX one for SIGHUP that does nothing. */
        caught[i] = !halo_signals_caught() && sigaction(CAUGHT[i], NULL, &before[i]) == 0 &&
                    before[i].sa_handler != SIG_IGN && sigaction(CAUGHT[i], &action, NULL) == 0;
    }
}

void app_interruption_end(const app_run *run)
{
    for (int i = 0; i < CAUGHT_COUNT && app_is_root(run); i++) {
        if (caught[i]) {
            sigaction(CAUGHT[i], &before[i], NULL);
        }
        caught[i] = false;
    }
}
