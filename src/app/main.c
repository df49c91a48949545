#define _POSIX_C_SOURCE 200809L /* nanosleep, gethostname */
#include "app/beats.h"
#include "app/frame.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/ranks/faults.h"
#include "app/ranks/ranks.h"
#include "base/memory.h"
#include "base/printable.h"
#include "core/transport/launcher.h"
#include "core/transport/threads/run.h"
#include "core/world/activity.h"
#include "core/world/job.h"
#include "core/world/simulated_compute.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* From the first step to the last line of the summary. */
static halo_status run_in_world(app_run *run)
{
    bool done;
    HALO_TRY(app_services_turn(run, APP_STEP(start), &done));
    if (done) {
        return HALO_OK;
    }
    HALO_TRY(app_run_all(run));
    HALO_TRY(run->command->facts != NULL ? app_report(run) : HALO_OK);
    return run->command->verdict != NULL ? run->command->verdict(run) : HALO_OK;
}

/* A run that a signal stopped is not a failure of any step. */
static int report_signal(const app_run *run, int rank)
{
    char left[HALO_MESSAGE_SIZE];
    app_services_left(run, left);
    if (rank == 0) {
        halo_print_message(run->program, "stopped by a signal %s %" PRId64 "%s",
                           run->command->beats->counted, app_beats_done(run), left);
    }
    return APP_FAILED;
}

/* Parts of a run that are behind pointers in app_run: few files need to know what is in them. */
typedef struct {
    app_image image;
    app_loop loop;
    app_writing writing;
} run_parts;

halo_status app_run_create(app_run *run)
{
    run_parts *parts;
    HALO_TRY(HALO_ALLOCATE(parts, 1, "a run"));
    run->image = &parts->image; /* the first member: app_run_free frees all */
    run->loop = &parts->loop;
    run->writing = &parts->writing;
    return app_services_create(run);
}

void app_run_free(app_run *run)
{
    if (run->image == NULL) {
        return;
    }
    if (run->command->destroy != NULL) {
        run->command->destroy(run);
    }
    halo_beat_destroy(&run->beat);
    app_services_destroy(run);
    halo_field_destroy(&run->samples);
    halo_field_destroy(&run->writing->background.colours);
    free(run->writing->root_cuts);
    json_decref(run->warnings);
    app_image_close(run->image);
    free(run->image);
    run->image = NULL;
}

static const char *wait_policy(const app_command *command, const char *requested)
{
    bool is_auto = command->auto_wait != NULL && strcmp(requested, "auto") == 0;
    return command->wait != NULL ? command->wait : is_auto ? command->auto_wait : requested;
}

static int run_command(app_run *run, halo_world *all)
{
    int rank = halo_world_rank(all);
    const common_arguments *common = &run->arguments->common;
    halo_world_options options = {.wait = wait_policy(run->command, common->wait)};
    app_services_world(run, &options);
    halo_status status = halo_world_duplicate(&run->world, all, &options);
    HALO_IF_OK(status, run_in_world(run));
    if (status != HALO_OK && rank == 0) {
        app_say_failure(all, run->program, status, halo_last_message());
    }
    int exit = app_exit_status(status);
    if (status == HALO_OK && run->loop->ending == APP_SIGNAL) {
        exit = report_signal(run, rank);
    }
    exit = exit == 0 && run->writing->lost ? APP_FAILED : exit;
    app_run_free(run);
    halo_world_destroy(&run->world);
    return exit;
}

/* Finds the value of --patience before arguments can be parsed: other ranks may never start.
 * Names may be shortened as far as no other option begins so; words behind -- are another
 * program's. Values that will be refused end nothing. */
static double find_patience(int argc, char *const *argv)
{
    static const char name[] = "--patience", shortest[] = "--pat";
    const char *text = NULL;
    double seconds;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0 && strcmp(argv[i], ":::") != 0; i++) {
        size_t length = strcspn(argv[i], "=");
        if (length >= sizeof shortest - 1 && strncmp(argv[i], name, length) == 0) {
            text = argv[i][length] == '=' ? argv[i] + length + 1 : argv[i + 1];
        }
    }
    return text != NULL && app_scan_patience(text, &seconds) == HALO_OK ? seconds : 0;
}

static void wait_while_it_speaks(void)
{
    const struct timespec time = {.tv_nsec = 500000000};
    nanosleep(&time, NULL);
}

/* The launcher ends this process, too, if rank 0 has the same to say. */
static void speak_if_it_does_not(const char *program)
{
    enum { SECONDS = 3, HOST = 64 };
    char host[HOST] = "";
    nanosleep(&(struct timespec){.tv_sec = SECONDS}, NULL);
    gethostname(host, sizeof host - 1);
    halo_print_message(program, "rank %d on %s: %s", halo_launcher_rank(), host,
                       halo_last_message());
}

int app_refuse_apart(const char *program)
{
    /* Rank 0 of a launcher that does not say how many it has started takes itself for alone. */
    int speaker = halo_launcher_copies().count == HALO_COPIES_UNKNOWN ? 1 : 0;
    if (halo_launcher_rank() <= speaker) {
        halo_print_line(program, halo_last_message());
    } else if (halo_job_is_refused() && halo_launcher_ends_all()) {
        speak_if_it_does_not(program);
    } else {
        wait_while_it_speaks();
    }
    return APP_USAGE;
}

/* Rank 0 says why. Ranks that have not found each other are all 0, and MPI has ended for them. */
static _Noreturn void fail_begin(const char *program, halo_status status)
{
    if (halo_job_has_ended()) {
        app_refuse_apart(program);
        halo_job_abandon(app_exit_status(status));
    }
    if (halo_job_rank() == 0) {
        halo_print_line(program, halo_last_message());
    }
    halo_job_abandon(APP_FAILED);
}

/* All ranks know of it, so that they can end MPI together, without what MPI prints of a job that is
 * aborted. */
static _Noreturn void leave_begin(const char *program)
{
    if (halo_job_rank() == 0) {
        halo_print_line(program, halo_last_message());
    }
    exit(halo_job_end(APP_FAILED));
}

/* A program does this before it starts ranks of any kind. */
static void begin_process(void)
{
    halo_launcher_take_single();
    /* A file that may not grow is an error to report, not a reason to be killed. */
    signal(SIGXFSZ, SIG_IGN);
    /* Nor is a reader of the summary or of messages that goes away. */
    signal(SIGPIPE, SIG_IGN);
}

int app_begin(int *argc, char ***argv, const char *program, halo_status ready)
{
    begin_process();
    const halo_monitor_options options = {.program = program,
                                          .patience = find_patience(*argc, *argv)};
    halo_status status = halo_job_begin(argc, argv, &options);
    if (status == HALO_MEMORY && !halo_job_is_refused()) {
        leave_begin(program);
    }
    if (status != HALO_OK) {
        fail_begin(program, status);
    }
    /* Simulated ranks have the arguments of one process, and comparing them would take their time.
     */
    halo_world *all = halo_job_world();
    int together = app_agree_early(all, program, ready);
    return together != 0 || HALO_SIMULATED ? together
                                           : app_agree_arguments(all, program, *argc, *argv);
}

/* A rank of app_run_threads. */
typedef struct {
    app_rank_main *main;
    const char *name;
    halo_activity *activities; /* [ranks] */
    const void *context;
    const app_ranks *ranks; /* those that were wanted */
    int argc;
    char **argv;
    int exit; /* of rank 0, which has said why if it is not 0; -1: its main has not returned */
} thread_program;

static halo_status run_thread(halo_world *world, void *context)
{
    thread_program *program = context;
    int ranks = halo_world_ranks(world);
    halo_world_watch(world, &program->activities[halo_world_rank(world)]);
    app_rank_faults_take(halo_world_rank(world));
    if (halo_world_rank(world) == 0 && ranks < program->ranks->count) {
        halo_print_message(
            program->name,
            "the system allows too few threads for %d ranks: this run has %d; raise "
            "the limit for more (ulimit -u, ulimit -v, the control group's pids.max)",
            program->ranks->count, ranks);
    }
    char **words = NULL; /* parsing puts them in another order */
    halo_status status =
        halo_agree(world, HALO_ALLOCATE(words, program->argc + 1, "the arguments"));
    if (status == HALO_OK) {
        memcpy((void *)words, (const void *)program->argv, (size_t)program->argc * sizeof *words);
        int exit = program->main(world, program->argc, words, program->context);
        if (halo_world_rank(world) == 0) {
            program->exit = exit;
        }
    }
    free((void *)words);
    app_rank_faults_leave();
    return status;
}

static int run_threads(const app_ranks *ranks, const char *name, app_rank_main *main,
                       const void *context, int argc, char **argv)
{
    thread_program program = {.main = main,
                              .name = name,
                              .context = context,
                              .ranks = ranks,
                              .argc = argc,
                              .argv = argv,
                              .exit = -1};
    int count = ranks->count;
    begin_process();
    program.activities = halo_activities_create(count);
    if (program.activities == NULL) {
        return app_complain(name, halo_fail(HALO_MEMORY, "out of memory: %d ranks", count));
    }
    const halo_monitor_options options = {.program = name,
                                          .patience = find_patience(argc, argv),
                                          .ranks = program.activities,
                                          .count = count};
    halo_monitor_begin_alone(&options);
    app_rank_faults_begin(name, program.activities, count);
    halo_status status = ranks->is_requested ? halo_run(count, NULL, run_thread, &program)
                                             : halo_run_fewer(&count, NULL, run_thread, &program);
    app_rank_faults_end();
    halo_monitor_end();
    free(program.activities);
    if (status != HALO_OK && program.exit <= 0) {
        halo_print_line(name, halo_last_message());
        return APP_FAILED;
    }
    return program.exit;
}

int app_run_threads(int64_t requested, const char *name, app_rank_main *main, const void *context,
                    int argc, char **argv)
{
    app_ranks ranks;
    halo_status status = app_ranks_choose(requested, &ranks);
    return status == HALO_OK ? run_threads(&ranks, name, main, context, argc, argv)
                             : app_complain(name, status);
}

/* The number of threads is chosen where there is no launcher: a program of one kernel that has
 * started MPI by itself has one rank. */
static halo_status check_threads(const app_run *run, const halo_world *all)
{
    int64_t requested = run->arguments->common.ranks;
    int ranks = halo_world_ranks(all);
    char start[64] = "";
    if (requested == 0 || (app_is_alone() && requested == ranks)) {
        return HALO_OK;
    }
    if (requested != ranks) {
        snprintf(start, sizeof start, ", or start as many with mpiexec -n %" PRId64, requested);
    }
    return halo_fail(HALO_ARGUMENT,
                     "--ranks %" PRId64 " makes threads of one process, and here a launcher has "
                     "started %d %s; leave it out%s",
                     requested, ranks,
                     ranks == 1 ? "process as the only rank" : "processes as ranks", start);
}

int app_main(halo_world *all, const app_command *command, const char *program, void *context,
             int argc, char **argv)
{
    if (command->call != NULL) {
        return command->call(all, argc, argv);
    }
    int rank = halo_world_rank(all);
    app_run run = {.command = command, .program = program, .context = context};
    run.options = calloc(1, app_options_bytes(command->syntax));
    run.job = calloc(1, command->job_bytes + 1);
    run.arguments = run.options;
    halo_status made = run.options != NULL && run.job != NULL
                           ? app_run_create(&run)
                           : halo_fail(HALO_MEMORY, "out of memory: its options");
    int status = app_agree_early(all, program, made);
    if (status == 0) {
        app_verdict verdict = app_options_parse(&run.given, command->syntax, program, argc, argv,
                                                rank == 0, run.options);
        status = app_agree_verdict(all, program, verdict);
        bool parsed = status == 0 && verdict == APP_PARSED;
        if (parsed && check_threads(&run, all) != HALO_OK) { /* on all ranks, or on none */
            status = app_agree_early(all, program, HALO_ARGUMENT);
        }
        if (parsed && status == 0) {
            status = run_command(&run, all);
        } else {
            app_run_free(&run);
        }
        app_options_destroy(&run.given);
    }
    free(run.arguments != NULL ? run.arguments->image.list : NULL);
    free(run.options);
    free(run.job);
    return status;
}
