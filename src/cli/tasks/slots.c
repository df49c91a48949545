#define _POSIX_C_SOURCE 200809L /* getrlimit, nanosleep */
#include "cli/tasks/job.h"

#include "app/ranks/ranks.h"
#include "base/cores.h"
#include "base/memory.h"
#include "base/printable.h"
#include "core/move/scatter_gather.h"
#include "core/transport/launcher.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Decides how many jobs run at once, and where. A job is a process that a thread waits for:
 * there are as many threads as jobs at once, and no more ranks than a user asks for. */

/* Jobs of a process for which it may have files open: two pipes, the process, and one to spare. */
static int count_by_files(void)
{
    enum { EACH = 4, OTHERS = 64, MOST = 1024 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > OTHERS + EACH * MOST) {
        return MOST;
    }
    return files.rlim_cur > OTHERS + EACH ? (int)((files.rlim_cur - OTHERS) / EACH) : 1;
}

static halo_status refuse_fewer(double jobs, int ranks)
{
    return halo_launcher_rank() < 0
               ? halo_fail(HALO_ARGUMENT,
                           "-j %g is less than the %d ranks, each of which runs a job; leave out "
                           "--ranks, which tasks do not need",
                           jobs, ranks)
               : halo_fail(HALO_ARGUMENT,
                           "-j %g is less than the %d ranks of this machine, each of which runs a "
                           "job; start as many ranks as jobs: mpiexec -n %g",
                           jobs, ranks, jobs);
}

/* Sets *out to the number of jobs at once that -j asks for on a machine where `ranks` ranks run
 * jobs and at most `most` jobs can run. */
static halo_status count_requested(const count_value *value, int ranks, double most, double *out)
{
    double all = floor(count_value_of(value, halo_cores_usable(), most));
    if (all < ranks && value->share <= 0 && !value->added) {
        return refuse_fewer(all, ranks);
    }
    *out = all;
    return HALO_REQUIRE(all <= most, HALO_ARGUMENT,
                        "-j %g needs more open files than there may be, which are enough for %g "
                        "jobs; raise the limit (ulimit -n)%s",
                        all, most, halo_launcher_rank() < 0 ? "" : ", or start more ranks");
}

/* Counts the jobs at once where -j does not say it: one for each rank that a launcher, --ranks
 * or HALOBEAT_RANKS gives, else one for each core. */
static halo_status count_unrequested(const tasks_job *job, int ranks, double most, double *out)
{
    app_ranks chosen = {.count = ranks};
    if (halo_launcher_rank() < 0) {
        HALO_TRY(app_ranks_choose(job->options->all.common.ranks, &chosen));
    }
    *out = fmin(chosen.count, most);
    return HALO_OK;
}

/* This rank's share of those on its machine, whose ranks that work are `index` of `ranks`; no more
 * than there are jobs. */
static halo_status share_slots(const tasks_job *job, int index, int ranks, int *slots)
{
    const count_value *value = &job->options->at_once;
    bool one = halo_world_is_process(job->run->world);
    double most = (double)count_by_files() * (one ? 1 : ranks), all = 0;
    HALO_TRY(value->given ? count_requested(value, ranks, most, &all)
                          : count_unrequested(job, ranks, most, &all));
    int count = (int)fmax(fmin(all, (double)job->todo_count), ranks);
    *slots = count / ranks + (index < count % ranks);
    return HALO_OK;
}

/* Collective. Slots of lower ranks, and of all. */
static halo_status number_slots(tasks_job *job)
{
    halo_world *world = job->run->world;
    int64_t before = job->slots, all = job->slots;
    HALO_TRY(halo_exscan(world, &before, 1));
    HALO_TRY(halo_allreduce_sum(world, &all, 1));
    bool one = halo_world_is_process(world);
    job->first_slot = (int)before;
    job->process_slot = one ? (int)before : 0;
    job->process_slots = one ? (int)all : job->slots;
    return HALO_OK;
}

halo_status tasks_count_slots(tasks_job *job)
{
    halo_world *world = job->run->world;
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world), index = 0, near = 0;
    int first = app_tasks_arguments(job->run)->master_rests && ranks > 1;
    for (int i = first; i < ranks; i++) {
        bool is_near = halo_world_is_near(world, i);
        index += is_near && i < rank;
        near += is_near;
    }
    job->slots = 0;
    HALO_TRY(
        halo_agree(world, rank >= first ? share_slots(job, index, near, &job->slots) : HALO_OK));
    return number_slots(job);
}

/* ---- when a job may start -------------------------------------------------------------------- */

/* Threads that run or could run at once, but for the one that asks; -1 if that is not known. */
static int64_t count_running(void)
{
    enum { LINE = 128 };
    char line[LINE] = "";
    FILE *file = fopen("/proc/loadavg", "re");
    if (file != NULL) {
        line[fread(line, 1, sizeof line - 1, file)] = '\0';
        fclose(file);
    }
    int64_t running;
    return sscanf(line, "%*f %*f %*f %" SCNd64 "/", &running) == 1 ? running - (running > 0) : -1;
}

static void nap(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* Once for a rank: somebody may wonder why nothing happens. */
static bool is_open(start_gate *gate)
{
    enum { TEXT = 256 };
    char text[TEXT] = "";
    int64_t running = gate->load > 0 ? count_running() : -1;
    int64_t memory = gate->memory > 0 ? halo_memory_available() : INT64_MAX;
    if (gate->load > 0 && (double)running >= gate->load) {
        snprintf(text, sizeof text,
                 "jobs wait: %" PRId64 " threads run on this machine, and --load asks for fewer "
                 "than %g",
                 running, gate->load);
    } else if (memory < gate->memory) {
        snprintf(text, sizeof text,
                 "jobs wait: %" PRId64 " MB of memory are free, and --memfree asks for %" PRId64
                 " MB",
                 memory >> 20, gate->memory >> 20);
    }
    if (text[0] != '\0' && !atomic_exchange(&gate->said, true)) {
        halo_print_line(gate->program, text);
    }
    return text[0] == '\0';
}

void start_gate_wait(start_gate *gate, double seconds, const atomic_bool *stop)
{
    static const double look = .1;
    double begins = halo_seconds() + seconds;
    for (double left = seconds; left > 0 && !atomic_load(stop); left = begins - halo_seconds()) {
        nap(fmin(left, look));
    }
    while (!atomic_load(stop) && !is_open(gate)) {
        nap(look);
    }
}
