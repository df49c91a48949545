#include "app/services/tasks.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "base/memory.h"
#include "cli/synthetic/job.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tasks that cost what rows of the profile do, with as many bytes as are asked for sent along: the
 * synthetic application of the study of master-worker strategies. The result of each is a number
 * that is known without doing the work. */

typedef struct {
    synthetic_profile profile;
    uint64_t *data;    /* rank 0: what goes along with a task */
    size_t words;      /* of 8 bytes */
    uint64_t digest;   /* rank 0: sum of all results, modulo 2^64, */
    uint64_t expected; /* and what it must be */
    int64_t steps;
} tasks_job;

/* ---- a task ---------------------------------------------------------------------------------- */

static uint64_t number_of(int64_t task, size_t word)
{
    return synthetic_mixed((uint64_t)task * UINT64_C(0x9e3779b97f4a7c15) + word);
}

static bool sends(const app_run *run)
{
    return ((const tasks_job *)run->job)->words > 0;
}

static const void *data_of(app_run *run, int64_t task, size_t *bytes)
{
    tasks_job *job = run->job;
    for (size_t i = 0; i < job->words; i++) {
        job->data[i] = number_of(task, i);
    }
    *bytes = job->words * sizeof *job->data;
    return job->data;
}

/* Is what came along the task's own? */
static halo_status check_data(const tasks_job *job, const halo_task_range *range)
{
    size_t bytes, wrong = 0;
    const uint64_t *data = halo_task_data(range, &bytes);
    for (size_t i = 0; i < bytes / sizeof *data; i++) {
        wrong += data[i] != number_of(range->task, i);
    }
    return HALO_REQUIRE(bytes == job->words * sizeof *data && wrong == 0, HALO_FORMAT,
                        "%zu of %zu words are wrong of what was sent along; this is a fault of the "
                        "program or the machine",
                        wrong, job->words);
}

static int64_t count_tasks(const app_run *run)
{
    return ((const tasks_job *)run->job)->profile.rows;
}

static size_t count_bytes(const app_run *run, int64_t task)
{
    (void)run;
    (void)task;
    return sizeof(uint64_t);
}

static halo_status compute(app_run *run, const halo_task_range *range, void *found)
{
    const tasks_job *job = run->job;
    int64_t steps = synthetic_profile_steps(&job->profile, range->task, 0);
    *(uint64_t *)found = synthetic_chains_share(range->task, 0, 0, steps, HALO_SIMULATED);
    return check_data(job, range);
}

static halo_status take(app_run *run, int64_t task, const void *found)
{
    uint64_t number;
    (void)task;
    memcpy(&number, found, sizeof number);
    ((tasks_job *)run->job)->digest += number;
    return HALO_OK;
}

static double count_flops(const app_run *run, int64_t task, const void *found)
{
    const tasks_job *job = run->job;
    (void)found;
    return (double)synthetic_profile_steps(&job->profile, task, 0) * SYNTHETIC_FLOPS_A_STEP;
}

static double request_flops(const app_run *run)
{
    return (double)((const synthetic_options *)run->options)->request_flops;
}

static void say_job(const app_run *run, char *text, size_t size)
{
    const tasks_job *job = run->job;
    char profile[HALO_SYNTHETIC_PROFILE_SIZE];
    synthetic_profile_write(&job->profile, profile);
    snprintf(text, size, "synthetic --profile %s --work %" PRId64, profile, job->profile.work);
}

const app_tasks_work synthetic_work = {.phase = "tasks",
                                       .count = count_tasks,
                                       .bytes = count_bytes,
                                       .compute = compute,
                                       .take = take,
                                       .flops = count_flops,
                                       .request_flops = request_flops,
                                       .data = data_of,
                                       .sends = sends,
                                       .says = say_job};

/* ---- the run --------------------------------------------------------------------------------- */

static halo_status open_job(app_run *run)
{
    const synthetic_options *options = run->options;
    tasks_job *job = run->job;
    job->words = (size_t)(options->bytes + 7) / sizeof *job->data;
    halo_status status = synthetic_profile_read(
        &job->profile, options->synthetic.profile, options->tasks,
        options->synthetic.work > 0 ? options->synthetic.work : HALO_SYNTHETIC_WORK);
    job->steps = status == HALO_OK ? synthetic_profile_sum(&job->profile) : 0;
    if (status == HALO_OK && job->words > 0) {
        status = HALO_ALLOCATE(job->data, job->words, "what goes along with a task");
    }
    return halo_agree(run->world, status);
}

/* A share of what all results add up to, on each rank. */
static halo_status find_expected(app_run *run)
{
    tasks_job *job = run->job;
    progress_phase(&run->progress, "checking");
    int rank = halo_world_rank(run->world), ranks = halo_world_ranks(run->world);
    uint64_t sum = 0;
    for (int64_t task = rank; task < job->profile.rows; task += ranks) {
        int64_t steps = synthetic_profile_steps(&job->profile, task, 0);
        sum += synthetic_chains_share(task, 0, 0, steps, true);
    }
    int64_t halves[] = {(int64_t)(sum & UINT32_MAX), (int64_t)(sum >> 32)};
    HALO_TRY(halo_allreduce_sum(run->world, halves, 2));
    job->expected = (uint64_t)halves[0] + ((uint64_t)halves[1] << 32);
    return HALO_OK;
}

static halo_status verdict(app_run *run)
{
    const tasks_job *job = run->job;
    bool wrong = app_is_root(run) && job->digest != job->expected;
    return halo_agree(run->world,
                      wrong ? halo_fail(HALO_FORMAT,
                                        "the result is wrong: digest %016" PRIx64
                                        " instead of %016" PRIx64 "; this is a fault of the "
                                        "program or the machine",
                                        job->digest, job->expected)
                            : HALO_OK);
}

static void destroy(app_run *run)
{
    free(((tasks_job *)run->job)->data);
}

/* ---- reports --------------------------------------------------------------------------------- */

static const app_output outputs[] = {APP_TASKS_OUTPUT, {0}};

static json_t *facts(app_run *run, json_t *texts)
{
    enum { DIGEST_TEXT = 17 };
    const synthetic_options *options = run->options;
    const tasks_job *job = run->job;
    char profile[HALO_SYNTHETIC_PROFILE_SIZE], digest[DIGEST_TEXT];
    synthetic_profile_write(&job->profile, profile);
    snprintf(digest, sizeof digest, "%016" PRIx64, job->digest);
    json_object_set_new(texts, "mean_steps",
                        json_real((double)job->steps / (double)job->profile.rows));
    return json_pack("{s:s, s:I, s:I, s:I, s:s, s:b, s:o}", "profile", profile, "work_steps",
                     (json_int_t)job->profile.work, "steps", (json_int_t)job->steps,
                     "bytes_per_task", (json_int_t)options->bytes, "digest", digest, "checked",
                     (int)(job->digest == job->expected), "tasks", app_tasks_facts(run));
}

static const app_line lines[] = {
    {.name = "profile",
     .text = "{profile}; {mean_steps%.6g} steps of work in a task on average, {bytes_per_task} "
             "bytes sent along"},
    APP_TASKS_LINES,
    {.name = "digest", .text = "{digest}, {checked?checked:WRONG}"},
    {0}};

static const char speed[] = "{tasks.seconds%.4g} s for the tasks";

const app_command synthetic_tasks_command = {.syntax = &synthetic_syntax,
                                             .job_bytes = sizeof(tasks_job),
                                             .open = open_job,
                                             .run = app_tasks_work_run,
                                             .end = find_expected,
                                             .outputs = outputs,
                                             .lines = lines,
                                             .speed = speed,
                                             APP_TASKS_REPORTS,
                                             .facts = facts,
                                             .verdict = verdict,
                                             .destroy = destroy};
