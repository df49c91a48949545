#include "base/memory.h"
#include "cli/filter/job.h"

#include <inttypes.h>
#include <string.h>

/* Checkpoints have what a pass has made, which is all that the later ones need. Which passes there
 * are, the steps say: they are given again, and must be the same. */

#define ROW(option, kind, member) HALO_OPTION_ROW(checkpoint_arguments, option, kind, member)

const halo_option filter_checkpoint_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Interruptions:"},
    {ROW("checkpoint", OUTPUT, checkpoint),
     .help = "Save there what each pass over the image has made, before the next one begins"},
    {ROW("restore", INPUT, restore), .flags = APP_GOES_ON,
     .help = "Continue behind the pass that this checkpoint has, with the same image and steps, on "
             "any number of ranks"},
    {ROW("resume", FLAG, resume), .flags = APP_GOES_ON, .needs = "checkpoint",
     .excludes = "restore",
     .help = "Begin, or continue from the checkpoint if it exists: the same command line can be "
             "repeated until the run is done"},
    {.type = HALO_OPTION_END}};

/* ---- entries --------------------------------------------------------------------------------- */

static const app_kept kept[] = {
    {.row = {.name = "steps", .type = HALO_OPTION_TEXT}},
    {.row = {.name = "passes", .type = HALO_OPTION_INTEGER, .min = 1, .max = INT32_MAX}},
    {.max = 0}};

/* The steps as text, for free(). */
static halo_status join_steps(const filter_options *options, char **out)
{
    size_t size = 1;
    for (int i = 0; i < options->steps; i++) {
        size += strlen(options->step[i]) + 1;
    }
    HALO_TRY(HALO_ALLOCATE(*out, size, "the steps"));
    for (int i = 0; i < options->steps; i++) {
        strcat(strcat(*out, i > 0 ? " " : ""), options->step[i]);
    }
    return HALO_OK;
}

static bool keep(app_run *run, json_t *saved)
{
    const filter_job *job = run->job;
    char *steps;
    bool good = join_steps(run->options, &steps) == HALO_OK &&
                json_object_set_new(saved, "steps", app_fact_text(steps)) == 0 &&
                json_object_set_new(saved, "passes", json_integer(job->chain.segments)) == 0;
    free(steps);
    return good;
}

static bool take_size(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    filter_job *job = run->job;
    (void)saved;
    job->saved_rows = info->rows;
    job->saved_bytes = info->row_bytes;
    return true;
}

static int64_t count_passes(const app_run *run)
{
    return ((const filter_job *)run->job)->done;
}

/* ---- is it a checkpoint of this run? --------------------------------------------------------- */

static int64_t width_of(const app_run *run)
{
    return run->domain.n[run->domain.axes - 1];
}

static int64_t rows_of(const app_run *run)
{
    return run->domain.axes == HALO_AXES ? run->domain.n[0] * run->domain.n[1] : run->domain.n[0];
}

/* The type of what segment `segment` reads. */
static halo_sample_type type_before(const filter_chain *chain, int64_t segment)
{
    return chain->part[chain->segment[segment].first]->in;
}

static halo_status check_steps(const app_run *run, const char *own)
{
    const filter_job *job = run->job;
    const char *path = app_checkpoint_arguments(run)->restore;
    const char *steps = json_string_value(json_object_get(app_restored(run), "steps"));
    HALO_FAIL_IF(strcmp(steps, own) != 0, HALO_ARGUMENT,
                 "the checkpoint \"%.300s\" is of other steps, %.300s; give the same, or another "
                 "checkpoint",
                 path, steps);
    int64_t passes = json_integer_value(json_object_get(app_restored(run), "passes"));
    return HALO_REQUIRE(passes == job->chain.segments, HALO_ARGUMENT,
                        "the checkpoint \"%.300s\" is of %" PRId64 " passes, and there are %d: "
                        "--steps makes each step a pass of its own; give it as before, or leave it "
                        "out as before",
                        path, passes, job->chain.segments);
}

halo_status filter_check_restored(app_run *run)
{
    filter_job *job = run->job;
    char *own;
    run->last_beat = job->chain.segments;
    if (!app_restores(run)) {
        return HALO_OK;
    }
    halo_status status = join_steps(run->options, &own);
    HALO_IF_OK(status, check_steps(run, own));
    free(own);
    HALO_TRY(status);
    job->start = job->done = (int)run->first_beat;
    bool fits = run->first_beat > 0 && run->first_beat < job->chain.segments;
    return HALO_REQUIRE(
        fits && job->saved_rows == rows_of(run) &&
            job->saved_bytes ==
                filter_row_bytes(type_before(&job->chain, job->start), width_of(run)),
        HALO_ARGUMENT, "the checkpoint \"%.300s\" is of another picture; give the same one",
        app_checkpoint_arguments(run)->restore);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void *row_at(const app_run *run, const halo_view *view, int64_t row)
{
    const filter_job *job = run->job;
    return halo_view_row(view, row - job->row_cuts[halo_world_rank(run->world)]);
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const filter_job *job = run->job;
    size_t bytes = filter_row_bytes(job->held.type, width_of(run));
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, row_at(run, job->held.rows, first + i), bytes);
    }
    return HALO_OK;
}

/* Bits past the width are 0, whatever a file has. */
static void clear_end(void *row, int64_t width)
{
    enum { WORD = 64 };
    uint64_t *words = row;
    if (width % WORD != 0) {
        words[width / WORD] &= (UINT64_C(1) << width % WORD) - 1;
    }
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    const filter_job *job = run->job;
    halo_sample_type type = type_before(&job->chain, job->start);
    size_t bytes = filter_row_bytes(type, width_of(run));
    for (int64_t i = 0; i < rows; i++) {
        void *row = row_at(run, halo_field_view(job->samples), first + i);
        memcpy(row, (const char *)data + (size_t)i * pitch, bytes);
        if (type == HALO_SAMPLE_BIT) {
            clear_end(row, width_of(run));
        }
    }
    return HALO_OK;
}

/* The image, which has been read, is the checkpoint's: it is not needed any more. */
static halo_status replace_image(app_run *run)
{
    filter_job *job = run->job;
    halo_field_destroy(&job->samples);
    return halo_agree(run->world, halo_filter_run_create_field(
                                      &job->samples, run->world, &job->chain, job->start,
                                      type_before(&job->chain, job->start), &job->strips));
}

static halo_status lay_rows(app_run *run, app_layout *rows, bool reads)
{
    const filter_job *job = run->job;
    halo_sample_type type = reads ? type_before(&job->chain, job->start) : job->held.type;
    *rows = (app_layout){.rows = rows_of(run),
                         .row_bytes = filter_row_bytes(type, width_of(run)),
                         .cuts = job->row_cuts,
                         .fill = fill_rows,
                         .take = take_rows,
                         .context = run};
    return reads ? replace_image(run) : HALO_OK;
}

const app_state filter_state = {.image = "image",
                                .kept = kept,
                                .check = take_size,
                                .keep = keep,
                                .beat = count_passes,
                                .layout = lay_rows};
