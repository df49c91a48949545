#include "app/image/image.h"
#include "app/paths/paths.h"
#include "app/ranks/ranks.h"
#include "app/report/report.h"
#include "app/services/movie.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"

#include "app/beats.h"
#include "app/frame.h"
#include "app/program.h"
#include "app/services/checkpoint.h"
#include "app/services/field_pictures.h"
#include "app/services/memory.h"
#include "app/stencil/cells.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/transport/processes.h"
#include "core/world/job.h"
#include "io/png/png_write.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- beats ----------------------------------------------------------------------------------- */

/* Can the cells be shown as it was asked for? */
static halo_status check_picture(app_run *run)
{
    const stencil_options *options = run->options;
    stencil_job *job = run->job;
    stencil_picture_options *how = &app_field_pictures_of(run)->how;
    *how = (stencil_picture_options){.field = (int)options->field,
                                     .plane = options->plane,
                                     .colours = (halo_colour_map)options->colours,
                                     .has_range = options->range.given,
                                     .lo = options->range.lo,
                                     .hi = options->range.hi,
                                     .own_range = options->input == NULL};
    return app_movie_arguments(run)->path != NULL || stencil_output_is_picture(options)
               ? stencil_picture_create(&job->picture, run->world, job->kernel, &run->domain, how)
               : HALO_OK;
}

static halo_status open_grid(app_run *run)
{
    stencil_job *job = run->job;
    HALO_TRY(stencil_source_open(run));
    if (job->kernel->options != NULL) {
        HALO_TRY(
            halo_agree(run->world, stencil_params_create(&job->params, job->kernel, job->options)));
    }
    HALO_TRY(stencil_output_check(run));
    return check_picture(run);
}

static halo_status create(app_run *run)
{
    const stencil_job *job = run->job;
    return app_create_blocks(run, job->kernel,
                             &(halo_beat_options){.kernel_options = job->params.values});
}

/* Lines of blocks are brought together for files: of one field to be read or written, of all for
 * checkpoints. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const stencil_options *options = run->options;
    const stencil_job *job = run->job;
    const checkpoint_arguments *state = app_checkpoint_arguments(run);
    const int *parts = halo_beat_partition(run->beat)->parts;
    int64_t all = 0, cells = halo_box_cells(&halo_beat_view(run->beat, 0)->owned);
    int fields = stencil_cells_fields(job->kernel);
    for (int f = 0; f < fields; f++) {
        all += cells * job->kernel->cell_bits[f] / CHAR_BIT;
    }
    bool blocks = parts[1] > 1 || parts[2] > 1;
    int64_t field = blocks ? cells * job->kernel->cell_bits[options->field] / CHAR_BIT : 0;
    field += halo_min(field, APP_ON_THE_WAY);
    needs->reading = blocks && app_restores(run) ? all : field;
    needs->computing = blocks && state->checkpoint != NULL ? all : 0;
    if (options->output != NULL) {
        int64_t bits = halo_max(job->kernel->cell_bits[options->field], CHAR_BIT);
        int64_t row = run->domain.n[1] * run->domain.n[2] * bits / CHAR_BIT;
        needs->writing +=
            field + (stencil_output_is_picture(options) ? app_png_later(run, HALO_PNG_GREY8)
                                                        : app_npy_later(run, row));
    }
}

/* Says why a kernel has ended whose cells may go on changing, but little. */
static const char *ending(const app_run *run)
{
    return run->kernel->single ? "no cell changes by more than the tolerance" : NULL;
}

/* The log is ahead of the checkpoint: a run that goes on drops lines, but does not write missing
 * ones. */
static const app_event events[] = {{.when = app_movie_when, .visit = app_movie_visit},
                                   {.when = stencil_log_when, .visit = stencil_log_visit},
                                   {.when = app_checkpoint_when, .visit = app_checkpoint_visit},
                                   {.when = stencil_output_when, .visit = stencil_output_visit},
                                   {0}};

static const app_beats beats = {.phase = "computing",
                                .counted = "at beat",
                                .update = "cell",
                                .shares = APP_EXCHANGING,
                                .advance = stencil_log_advance,
                                .ending = ending,
                                .events = events,
                                .endless = true};

/* ---- the program ----------------------------------------------------------------------------- */

static const char speed[] = "[{nanoseconds%.4g>0} ns a cell and beat, {giga%.4g} G cells/s]";

static void destroy(app_run *run)
{
    stencil_job *job = run->job;
    stencil_log_close(&job->log);
    halo_beat_destroy(&run->beat); /* whose kernel may refer to its options */
    stencil_params_free(&job->params);
    app_image_close(&job->input);
    free(job->text);
}

/* Is an option of the kernel also one of the program? It would never be reached, or hide that. */
static halo_status check_names(const app_syntax *syntax, const halo_option *rows,
                               const halo_kernel *kernel)
{
    app_place at = {0};
    for (const halo_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        for (const halo_option *own = rows; own->type != HALO_OPTION_END; own++) {
            HALO_FAIL_IF(
                own->name != NULL && row->name != NULL &&
                    (strcmp(own->name, row->name) == 0 ||
                     halo_list_has(row->aliases, own->name, strlen(own->name))),
                HALO_ARGUMENT,
                "kernel \"%s\" has an option --%s, which all programs have; give it another name",
                kernel->name, own->name);
        }
    }
    return HALO_OK;
}

/* Puts the kernel's options, in *rows, behind the tables of what the program computes and writes,
 * of which a program of one kernel has one less. */
static halo_status add_rows(const halo_option **tables, halo_option **rows,
                            const stencil_program *program, app_syntax *syntax)
{
    const halo_kernel *kernel = program->kernel;
    int before = program->syntax != NULL ? 3 : 2, count = 0;
    HALO_TRY(kernel != NULL ? stencil_params_rows(rows, kernel, sizeof(stencil_options)) : HALO_OK);
    if (*rows == NULL) {
        return HALO_OK;
    }
    HALO_TRY(check_names(syntax, *rows, kernel));
    for (; syntax->tables[count] != NULL; count++) {
        tables[count + (count >= before)] = syntax->tables[count];
    }
    tables[before] = *rows;
    syntax->tables = tables;
    syntax->bytes = sizeof(stencil_options) + kernel->options_bytes;
    return HALO_OK;
}

/* A kernel of the user's own is a file. */
static halo_status add_files(app_run *run, app_files *files)
{
    const char *kernel = ((const stencil_options *)run->options)->kernel;
    bool is_file = kernel != NULL && (strchr(kernel, '/') != NULL || halo_name_ends(kernel, ".so"));
    return halo_agree(run->world, app_files_add(files, APP_READ, is_file ? kernel : NULL));
}

static const app_phase no_phases[] = {{0}};

/* Is --check among the arguments? */
static bool asks_for_check(int argc, char *const *argv)
{
    bool asks = false;
    for (int i = 1; i < argc; i++) {
        asks = asks || strcmp(argv[i], "--check") == 0;
    }
    return asks;
}

static report_line nothing_done(const app_run *run)
{
    (void)run;
    return (report_line){0};
}

static const app_service_use check_services[] = {APP_SHARED_SERVICES, {0}};

static int call_check(halo_world *all, const stencil_program *program, const app_syntax *syntax,
                      int argc, char **argv)
{
    const app_command command = {.syntax = syntax,
                                 .name = "run",
                                 .job_bytes = sizeof(stencil_job),
                                 .services = check_services,
                                 .load = stencil_load,
                                 .files = add_files,
                                 .run = stencil_check_kernel,
                                 .lines = stencil_check_summary,
                                 .phases = no_phases,
                                 .own = nothing_done,
                                 .facts = stencil_check_facts,
                                 .destroy = destroy};
    return app_main(all, &command, program->name, (void *)program, argc, argv);
}

static int call_frame(halo_world *all, const stencil_program *program, const app_syntax *syntax,
                      int argc, char **argv)
{
    const app_command command = {.syntax = syntax,
                                 .name = "run",
                                 .job_bytes = sizeof(stencil_job),
                                 .load = stencil_load,
                                 .open = open_grid,
                                 .create = create,
                                 .needs = find_needs,
                                 .files = add_files,
                                 .fill = stencil_source_fill,
                                 .begin = stencil_log_open,
                                 .beats = &beats,
                                 .outputs = stencil_outputs,
                                 .lines = stencil_summary,
                                 .speed = speed,
                                 .facts = stencil_facts,
                                 .destroy = destroy};
    return app_main(all, &command, program->name, (void *)program, argc, argv);
}

static halo_status prepare(const halo_option **tables, halo_option **rows,
                           const stencil_program *program, app_syntax *syntax,
                           stencil_documentation *text)
{
    HALO_TRY(program->kernel != NULL ? stencil_check_texts(program->kernel) : HALO_OK);
    if (program->syntax != NULL) {
        *syntax = *program->syntax;
    } else {
        HALO_TRY(stencil_program_syntax(syntax, program, text));
    }
    return add_rows(tables, rows, program, syntax);
}

int stencil_main(halo_world *all, const stencil_program *program, int argc, char **argv)
{
    stencil_documentation text = {NULL, NULL};
    const halo_option *tables[STENCIL_TABLES] = {NULL};
    halo_option *rows = NULL;
    app_syntax syntax;
    int exit = app_agree_early(all, program->name, prepare(tables, &rows, program, &syntax, &text));
    if (exit == 0) {
        exit = asks_for_check(argc, argv) ? call_check(all, program, &syntax, argc, argv)
                                          : call_frame(all, program, &syntax, argc, argv);
    }
    free(rows);
    free(text.about);
    free(text.notes);
    return exit;
}

/* There may be one rank only. Returns the exit status, or -1. */
static int answer_single(const stencil_program *program, const halo_kernel *kernel, const char *why,
                         int64_t *ranks)
{
    char remedy[HALO_PROCESSES_REMEDY];
    if (*ranks > 1) {
        return app_complain(
            program->name,
            halo_fail(HALO_ARGUMENT,
                      "--ranks %" PRId64 " makes threads of one process, and kernel \"%s\" %s; "
                      "leave it out for one rank, or %s",
                      *ranks, kernel->name, why, halo_processes_remedy(remedy, *ranks)));
    }
    *ranks = 1;
    return -1;
}

static int answer_parsed(const stencil_program *program, const stencil_options *options,
                         int64_t *ranks)
{
    const halo_kernel *kernel = program->kernel;
    halo_status found =
        kernel == NULL ? program->find(program->context, options->kernel, &kernel) : HALO_OK;
    if (found != HALO_OK) {
        return app_complain(program->name, found);
    }
    const char *why = stencil_unsafe(program, kernel);
    *ranks = app_ranks_requested(&options->all);
    return why != NULL ? answer_single(program, kernel, why, ranks) : -1;
}

int stencil_answer(const stencil_program *program, int argc, char **argv, int64_t *ranks)
{
    stencil_documentation text = {NULL, NULL};
    const halo_option *tables[STENCIL_TABLES] = {NULL};
    halo_option *rows = NULL;
    app_syntax syntax;
    app_arguments *options = NULL;
    halo_status status = prepare(tables, &rows, program, &syntax, &text);
    int exit = status == HALO_OK ? app_answer_alone(&syntax, program->name, argc, argv, &options)
                                 : app_complain(program->name, status);
    if (exit < 0) {
        exit = answer_parsed(program, (const stencil_options *)options, ranks);
    }
    free(options);
    free(rows);
    free(text.about);
    free(text.notes);
    return exit;
}

/* ---- a program of one kernel ----------------------------------------------------------------- */

static int main_of_rank(halo_world *all, int argc, char **argv, const void *program)
{
    return stencil_main(all, program, argc, argv);
}

static int run_alone(const stencil_program *program, int argc, char **argv)
{
    int64_t requested = 0;
    int answered = stencil_answer(program, argc, argv, &requested);
    return answered >= 0
               ? answered
               : app_run_threads(requested, program->name, main_of_rank, program, argc, argv);
}

int halo_main(int argc, char **argv, const halo_kernel *kernel)
{
    const stencil_program program = {.name = app_program_name(argc, argv, "kernel"),
                                     .kernel = kernel};
    if (app_is_alone() && !halo_job_is_started()) {
        return run_alone(&program, argc, argv);
    }
    int status = app_begin(&argc, &argv, program.name, HALO_OK);
    return halo_job_end(status != 0 ? status
                                    : stencil_main(halo_job_world(), &program, argc, argv));
}
