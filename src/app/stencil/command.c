#define _POSIX_C_SOURCE 200809L
#include "app/stencil/stencil.h"

#include "app/program.h"
#include "app/stencil/cells.h"
#include "base/build.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/world/handshake.h"
#include "core/world/job.h"

#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Checkpoints keep the kernel's options as JSON. */
static halo_status check_text(const char *options)
{
    json_t *text = json_string(options);
    bool good = text != NULL;
    json_decref(text);
    return good ? HALO_OK
                : halo_fail(HALO_ARGUMENT, "--options takes text in UTF-8, as checkpoints do");
}

static halo_status check_kernel(const app_run *run, const halo_kernel *kernel)
{
    const stencil_options *asked = run->options;
    if (kernel->axes < 0 || kernel->axes > HALO_AXES) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" says it has %d axes; 0 (any) to 3 can be",
                         kernel->name, kernel->axes);
    }
    int fields = stencil_cells_fields(kernel);
    if (asked->field >= fields) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" has no field %d; it has %d, counted from 0",
                         kernel->name, (int)asked->field, fields);
    }
    if (asked->options != NULL && kernel->params == NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" has no options of its own; leave --options out",
                         kernel->name);
    }
    if (kernel->saved_bytes > HALO_KERNEL_SAVED) {
        return halo_fail(HALO_ARGUMENT, "kernel \"%s\" has %zu bytes of state to save; %d can be",
                         kernel->name, kernel->saved_bytes, (int)HALO_KERNEL_SAVED);
    }
    if (asked->options != NULL) {
        HALO_TRY(check_text(asked->options));
    }
    if (run->arguments->until.steady && !kernel->converges) {
        return halo_fail(
            HALO_ARGUMENT,
            "kernel \"%s\" does not count what changes (`converges` in its table): give "
            "--beats N instead of --until",
            kernel->name);
    }
    return HALO_OK;
}

/* What was given one by one, as the text that checkpoints keep. */
static halo_status take_options(app_run *run)
{
    stencil_job *job = run->job;
    const char *behind = (const char *)run->options + sizeof(stencil_options);
    HALO_TRY(stencil_params_text(&job->text, job->kernel, run->given, behind));
    if (job->text != NULL && job->options != NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "--options %.100s cannot be given with %.100s, too: give "
                         "all as options of their own",
                         job->options, job->text);
    }
    job->asked = job->options = job->text != NULL ? job->text : job->options;
    return HALO_OK;
}

halo_status stencil_suit_kernel(stencil_job *job)
{
    stencil_params params = {0};
    if (job->kernel->suited == NULL) {
        return HALO_OK;
    }
    halo_status status = stencil_params_create(&params, job->kernel, job->options);
    if (status == HALO_OK) {
        job->kernel = halo_kernel_suited(job->kernel, params.values);
    }
    stencil_params_free(&params);
    return status;
}

static halo_status find_kernel(app_run *run)
{
    const stencil_program *program = run->context;
    const stencil_options *asked = run->options;
    stencil_job *job = run->job;
    job->kernel = program->kernel;
    job->asked = job->options = asked->options;
    if (job->kernel == NULL) {
        HALO_TRY(program->find(program->context, asked->kernel, &job->kernel));
    }
    snprintf(job->name, sizeof job->name, "run %s", job->kernel->name);
    HALO_TRY(program->kernel != NULL ? take_options(run) : HALO_OK);
    HALO_TRY(stencil_suit_kernel(job));
    return check_kernel(run, job->kernel);
}

#ifdef HALOBEAT_SIMGRID /* all ranks are copies of one program, and read the same file */
halo_status stencil_same_kernel(const halo_kernel *kernel, MPI_Comm comm)
{
    (void)kernel;
    (void)comm;
    return HALO_OK;
}
#else
halo_status stencil_same_kernel(const halo_kernel *kernel, MPI_Comm comm)
{
    char build[HALO_BUILD_TEXT], text[HALO_BUILD_TEXT + 64] = "no object";
    if (halo_build_of_object(build, kernel)) {
        snprintf(text, sizeof text, "a shared object of build %s", build);
    }
    return halo_handshake_compare(comm, "loads the kernel from", text,
                                  "copy one shared object to all hosts");
}
#endif

static halo_status load(app_run *run)
{
    const stencil_job *job = run->job;
    HALO_TRY(halo_agree(run->world, find_kernel(run)));
    return stencil_same_kernel(job->kernel, halo_world_comm(run->world));
}

/* ---- beats ----------------------------------------------------------------------------------- */

/* Can the cells be shown as it was asked for? */
static halo_status check_picture(app_run *run)
{
    const stencil_options *asked = run->options;
    stencil_job *job = run->job;
    run->shown = (stencil_picture_options){.field = (int)asked->field,
                                           .plane = asked->plane,
                                           .colours = (halo_colour_map)asked->colours,
                                           .has_range = asked->range.given,
                                           .lo = asked->range.lo,
                                           .hi = asked->range.hi,
                                           .own_range = asked->input == NULL};
    return run->arguments->movie.path != NULL || stencil_output_is_picture(asked)
               ? stencil_picture_create(&job->picture, run->world, job->kernel, &run->domain,
                                        &run->shown)
               : HALO_OK;
}

static halo_status open_grid(app_run *run)
{
    stencil_job *job = run->job;
    HALO_TRY(stencil_source_open(run));
    if (job->kernel->params != NULL) {
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
    const stencil_options *asked = run->options;
    const stencil_job *job = run->job;
    const checkpoint_arguments *state = &run->arguments->state;
    const int *parts = halo_beat_partition(run->beat)->parts;
    int64_t all = 0, cells = halo_box_cells(&halo_beat_view(run->beat, 0)->owned);
    int fields = stencil_cells_fields(job->kernel);
    for (int f = 0; f < fields; f++) {
        all += cells * job->kernel->cell_bits[f] / CHAR_BIT;
    }
    bool blocks = parts[1] > 1 || parts[2] > 1;
    int64_t field = blocks ? cells * job->kernel->cell_bits[asked->field] / CHAR_BIT : 0;
    field += halo_min(field, APP_ON_THE_WAY);
    needs->reading = blocks && run->reader != NULL ? all : field;
    needs->computing = blocks && state->checkpoint != NULL ? all : 0;
    if (asked->output != NULL) {
        int64_t bits = halo_max(job->kernel->cell_bits[asked->field], CHAR_BIT);
        int64_t row = run->domain.n[1] * run->domain.n[2] * bits / CHAR_BIT;
        needs->writing +=
            field + (stencil_output_is_picture(asked) ? app_png_later(run, HALO_PNG_GREY8)
                                                      : app_npy_later(run, row));
    }
}

/* Of a kernel that ends though cells may go on changing, but little. */
static const char *ending(const app_run *run)
{
    return run->kernel->single ? "no cell changes by more than the tolerance" : NULL;
}

static const app_event events[] = {{.when = app_movie_when, .visit = app_movie_visit},
                                   {.when = app_checkpoint_when, .visit = app_checkpoint_visit},
                                   {.when = stencil_output_when, .visit = stencil_output_visit},
                                   {.when = stencil_log_when, .visit = stencil_log_visit},
                                   {0}};

static const app_beats beats = {.phase = "computing",
                                .counted = "at beat",
                                .update = "cell",
                                .shares = APP_EXCHANGING,
                                .advance = stencil_log_advance,
                                .ending = ending,
                                .events = events,
                                .endless = true};

/* ---- reports --------------------------------------------------------------------------------- */

enum { TEXT = 96 };

/* Axes by their names, "y,x", or "". */
static void print_periodic(const halo_domain *domain, char text[TEXT])
{
    text[0] = '\0';
    for (int a = 0; a < domain->axes; a++) {
        size_t used = strlen(text);
        if (domain->periodic[a]) {
            snprintf(text + used, TEXT - used, "%s%c", used > 0 ? "," : "",
                     "xyz"[domain->axes - 1 - a]);
        }
    }
}

static json_t *json_of_numbers(const int64_t *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_integer(numbers[i]));
    }
    return array;
}

/* The numbers of the first and of the last colour of pictures, and what is no number. */
static halo_status add_shown(const app_run *run, json_t *facts)
{
    const stencil_options *asked = run->options;
    if (run->shown_nothings < 0) {
        return HALO_OK;
    }
    const char *const names[] = {HALO_COLOUR_MAP_LIST(HALO_NAME)};
    json_t *shown = json_pack("{s:[f,f], s:s, s:I}", "range", run->shown_range[0],
                              run->shown_range[1], "colours", names[asked->colours],
                              "cells_that_are_no_numbers", (json_int_t)run->shown_nothings);
    return json_object_set_new(facts, "picture", shown) == 0 ? HALO_OK : HALO_MEMORY;
}

static json_t *facts(app_run *run, json_t *texts)
{
    const stencil_job *job = run->job;
    const halo_domain *domain = &run->domain;
    const int *cut = halo_beat_partition(run->beat)->parts;
    int64_t parts[HALO_AXES] = {cut[0], cut[1], cut[2]};
    char grid[STENCIL_SIZE_TEXT], periodic[TEXT];
    stencil_size_print(domain->n, domain->axes, " x ", grid);
    print_periodic(domain, periodic);
    json_object_set_new(texts, "help", app_fact_text(job->kernel->help));
    json_object_set_new(texts, "grid", app_fact_text(grid));
    json_object_set_new(texts, "axes", app_fact_text(periodic[0] != '\0' ? periodic : NULL));
    json_t *all = json_pack(
        "{s:s, s:o, s:s?, s:o, s:s, s:o, s:o, s:I, s:s}", "kernel", job->kernel->name, "options",
        app_fact_text(job->options), "cell_type", stencil_cells_name(job->kernel, 0), "size",
        json_of_numbers(domain->n, domain->axes), "periodic",
        periodic[0] != '\0' ? periodic : "none", "parts", json_of_numbers(parts, domain->axes),
        "decomposition", app_fact_parts(domain->axes, cut), "halo_depth",
        (json_int_t)halo_beat_beats_per_exchange(run->beat), "exchange_mode",
        decomposition_exchange(&run->arguments->decomposition));
    if (all != NULL && job->kernel->single) {
        json_object_set_new(all, "converged", json_boolean(run->ending == APP_STEADY));
    }
    if (all != NULL && add_shown(run, all) != HALO_OK) {
        json_decref(all);
        all = NULL;
    }
    return all;
}

static const app_line lines[] = {
    {.name = "kernel", .verbose = true, .text = "{kernel}: {help}"},
    {.name = "options", .verbose = true, .text = "{options}"},
    {.name = "grid",
     .verbose = true,
     .text = "{grid} cells[ of {cell_type}][, periodic along {axes}], in {decomposition}"},
    {.name = "beat", .text = "{beat}: {ended}[{converged?:, and it has not converged}]"},
    {.name = "picture",
     .text = "{picture.range.0%.6g} to {picture.range.1%.6g}, {picture.colours}"
             "[; {picture.cells_that_are_no_numbers>0} cells are no numbers]"},
    {.name = "exchange", .text = "{exchange_mode}, halo depth {halo_depth}", .verbose = true},
    {0}};

static const char speed[] = "{nanoseconds%.4g} ns a cell and beat, {giga%.4g} G cells/s";

/* ---------------------------------------------------------------------------------------------- */

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
static halo_status check_names(const app_syntax *syntax, const app_option *rows,
                               const halo_kernel *kernel)
{
    app_place at = {0};
    for (const app_option *row; (row = app_next_row(syntax, &at)) != NULL;) {
        for (const app_option *own = rows; own->type != APP_END; own++) {
            if (own->name != NULL && row->name != NULL &&
                (strcmp(own->name, row->name) == 0 ||
                 app_list_has(row->aliases, own->name, strlen(own->name)))) {
                return halo_fail(HALO_ARGUMENT,
                                 "kernel \"%s\" has an option --%s, which all programs have; give "
                                 "it another name",
                                 kernel->name, own->name);
            }
        }
    }
    return HALO_OK;
}

/* Puts the kernel's options, in *rows, behind the first tables of the program. */
static halo_status add_rows(const app_option **tables, app_option **rows,
                            const stencil_program *program, app_syntax *syntax)
{
    const halo_kernel *kernel = program->kernel;
    int before = program->syntax != NULL ? 2 : 1, count = 0;
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
    syntax->bytes = sizeof(stencil_options) + kernel->params_bytes;
    return HALO_OK;
}

static int call_frame(const stencil_program *program, const app_syntax *syntax, int argc,
                      char **argv)
{
    const app_command command = {.syntax = syntax,
                                 .name = "run",
                                 .job_bytes = sizeof(stencil_job),
                                 .load = load,
                                 .open = open_grid,
                                 .create = create,
                                 .needs = find_needs,
                                 .fill = stencil_source_fill,
                                 .begin = stencil_log_open,
                                 .beats = &beats,
                                 .state = &stencil_state,
                                 .drawing = &app_field_drawing,
                                 .outputs = stencil_outputs,
                                 .lines = lines,
                                 .speed = speed,
                                 .facts = facts,
                                 .destroy = destroy};
    return app_main(&command, program->name, (void *)program, argc, argv);
}

int stencil_main(const stencil_program *program, int argc, char **argv)
{
    char text[STENCIL_DOCUMENTATION];
    const app_option *tables[STENCIL_TABLES] = {NULL};
    app_option *rows = NULL;
    app_syntax syntax =
        program->syntax != NULL ? *program->syntax : stencil_program_syntax(program, text);
    int exit = app_agree_early(program->name, add_rows(tables, &rows, program, &syntax));
    if (exit == 0) {
        exit = call_frame(program, &syntax, argc, argv);
    }
    free(rows);
    return exit;
}

/* ---- a program of one kernel ----------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int halo_main(int argc, char **argv, const halo_kernel *kernel)
{
    const stencil_program program = {.name = argc > 0 ? base_name(argv[0]) : kernel->name,
                                     .kernel = kernel};
    app_begin(&argc, &argv, program.name);
    return halo_job_end(stencil_main(&program, argc, argv));
}
