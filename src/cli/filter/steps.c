#include "app/batch/batch.h"
#include "app/paths/paths.h"
#include "app/paths/planes.h"
#include "base/filename_pattern.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/filter/job.h"
#include "io/array/picture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --steps: the result of each step as a file. Each step then begins a pass, so that nothing is
 * computed twice, and no more than two images are in memory, however many steps there are. */

static const char endings[] = HALO_GREY_ENDINGS HALO_ARRAY_NUMBERS_ENDINGS, fallback[] = ".tif";

/* ---- names ----------------------------------------------------------------------------------- */

enum { ENDING_SIZE = 32 };
typedef char step_ending[ENDING_SIZE];

/* The ending of --output, as far as that is the name of one file. Of FILE.h5:/DATA it is .h5. */
static void find_ending(const filter_options *options, step_ending ending)
{
    const char *name = options->output;
    size_t most = 0, file = halo_name_file(name);
    for (const char *at = endings; *at != '\0';) {
        size_t length = strcspn(at, "|");
        if (length > most && halo_name_ends_by(name, file, at, length)) {
            most = length;
            snprintf(ending, ENDING_SIZE, "%.*s", (int)length, at);
        }
        at += length + (at[length] == '|');
    }
    if (most == 0 || app_planes_are_named(name)) {
        snprintf(ending, ENDING_SIZE, "%s", fallback);
    }
}

static bool is_grey(halo_sample_type type)
{
    return type == HALO_SAMPLE_BIT || type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
}

/* Can files of this name have such an image? Bits are written as bytes. */
static bool holds(const char *path, halo_sample_type type, int axes)
{
    return halo_picture_is_png(path)
               ? axes == 2 && is_grey(type)
               : halo_array_holds(path, type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type, axes);
}

/* The name of the file of step `i`, from 0, with this ending. */
static halo_status print_name(const filter_options *options, int i, const char *folder,
                              const char *ending, char path[FILENAME_SIZE])
{
    const char *step = options->step[i];
    int length = (int)strcspn(step, ":");
    const char *slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/' ? "" : "/";
    return HALO_REQUIRE(snprintf(path, FILENAME_SIZE, "%s%s%02d-%.*s%s", folder, slash, i + 1,
                                 length, step, ending) < FILENAME_SIZE,
                        HALO_ARGUMENT, "the name of the folder \"%.100s...\" is too long", folder);
}

/* The same with the ending of --output, if that format has such images. */
static halo_status find_name(const app_run *run, int i, const char *folder,
                             char path[FILENAME_SIZE])
{
    const filter_job *job = run->job;
    step_ending ending;
    find_ending(run->options, ending);
    HALO_TRY(print_name(run->options, i, folder, ending, path));
    return holds(path, job->chain.step[i].out, run->domain.axes)
               ? HALO_OK
               : print_name(run->options, i, folder, fallback, path);
}

/* ---- files of the run ------------------------------------------------------------------------ */

/* Was a step with the same name before? */
static bool is_repeated(const filter_options *options, int i)
{
    size_t length = strcspn(options->step[i], ":");
    for (int k = 0; k < i; k++) {
        if (strcspn(options->step[k], ":") == length &&
            memcmp(options->step[k], options->step[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* No other file may be called as those of a step, whatever their numbers. */
static halo_status add_step(app_files *files, const filter_options *options, int i,
                            const char *ending)
{
    char suffix[FILENAME_SIZE];
    snprintf(suffix, sizeof suffix, "-%.*s%s", (int)strcspn(options->step[i], ":"),
             options->step[i], ending);
    return app_files_add_numbered(files, options->folder, "", suffix);
}

static halo_status add_steps(const filter_options *options, app_files *files)
{
    step_ending ending;
    find_ending(options, ending);
    for (int i = 0; i < options->steps; i++) {
        if (!is_repeated(options, i)) {
            HALO_TRY(add_step(files, options, i, ending));
            HALO_TRY(strcmp(ending, fallback) != 0 ? add_step(files, options, i, fallback)
                                                   : HALO_OK);
        }
    }
    return HALO_OK;
}

halo_status filter_add_files(app_run *run, app_files *files)
{
    const filter_options *options = run->options;
    bool one = options->folder != NULL && app_batch_of(run) == NULL;
    return halo_agree(run->world, one ? add_steps(options, files) : HALO_OK);
}

static bool is_there(const app_run *run, int i, const char *folder, const char *ending)
{
    char path[FILENAME_SIZE];
    return print_name(run->options, i, folder, ending, path) == HALO_OK &&
           halo_array_is_there(path);
}

bool filter_steps_are_there(const app_run *run, const char *folder)
{
    const filter_options *options = run->options;
    step_ending ending;
    bool there = true;
    find_ending(options, ending);
    for (int i = 0; there && i < options->steps; i++) {
        there = is_there(run, i, folder, ending) || is_there(run, i, folder, fallback);
    }
    return there;
}

/* ---- writing --------------------------------------------------------------------------------- */

static halo_status fill_held(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const filter_job *job = run->job;
    const filter_held *held = &job->held;
    int64_t begin = job->row_cuts[halo_world_rank(run->world)];
    for (int64_t i = 0; i < rows; i++) {
        filter_copy_row(run, held->type, halo_view_row(held->rows, first + i - begin),
                        (char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* A compression that the format of a step does not have is left out. */
halo_status filter_write_step(app_run *run, const char *folder)
{
    const filter_job *job = run->job;
    char path[FILENAME_SIZE];
    HALO_TRY(halo_agree(run->world, find_name(run, job->held.step, folder, path)));
    halo_array_about *about = &run->writing->about;
    if (halo_array_check_packing(path, about->packing) != HALO_OK) {
        about->packing = HALO_ARRAY_PACKING_NONE;
    }
    return filter_write_file(run, path, job->held.type, fill_held);
}

halo_status filter_make_folder(app_run *run)
{
    const filter_options *options = run->options;
    return options->folder != NULL ? paths_make_folder(run->world, options->folder) : HALO_OK;
}

/* The step whose result segment `segment` makes, from 0; -1: it ends within a step. */
static int step_of(const filter_chain *chain, int segment)
{
    const filter_segment *s = &chain->segment[segment];
    const filter_part *last = chain->part[s->first + s->count - 1];
    return last->index == last->step->parts - 1 ? last->step->number - 1 : -1;
}

static halo_status write_held(app_run *run)
{
    const filter_options *options = run->options;
    const filter_job *job = run->job;
    bool last = job->done == job->chain.segments;
    HALO_TRY(options->folder != NULL && job->held.step >= 0
                 ? app_output_write(run, filter_steps_output, options->folder)
                 : HALO_OK);
    return app_checkpoint_arguments(run)->checkpoint != NULL && !last ? app_checkpoint_visit(run)
                                                                      : HALO_OK;
}

halo_status filter_take_segment(void *context, int segment, const halo_view *result,
                                halo_sample_type type)
{
    app_run *run = context;
    filter_job *job = run->job;
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, job->stretch, run->world);
    job->held = (filter_held){result, type, step_of(&job->chain, segment)};
    job->done = segment + 1;
    halo_status status = write_held(run);
    progress_phase(&run->progress, "filtering");
    job->stretch = halo_clock_begin(run->world);
    return status;
}
