#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/ranks/ranks.h"
#include "app/ranks/signals.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beats_per_exchange.h"
#include "core/move/scatter_gather.h"
#include "partition/cuts.h"
#include "partition/decomposition.h"

#include <string.h>

/* One of many images has a copy of the options that were parsed. Options of a service that the
 * command does not have are in neither. */
bool app_was_given(const app_run *run, const void *field)
{
    uintptr_t offset = (uintptr_t)field - (uintptr_t)run->options;
    return offset < app_options_bytes(run->command->syntax) &&
           app_given(run->given, (const char *)app_options_into(run->given) + offset);
}

static halo_status call(halo_status (*step)(app_run *run), app_run *run)
{
    return step != NULL ? step(run) : HALO_OK;
}

/* ---- before anything is replaced or takes long ----------------------------------------------- */

/* Are the image's colours, if it has any, wanted after its greys? */
static bool needs_colours(const app_run *run)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        if (output->colours && app_output_path(run, output) != NULL) {
            return true;
        }
    }
    return false;
}

static halo_status open_image(app_run *run)
{
    const app_command *command = run->command;
    if (!command->image) {
        return HALO_OK;
    }
    app_image_options use = app_image_options_of_run(run);
    use.again = needs_colours(run);
    if (run->arguments->stack) {
        use.slices = run->arguments->image.list;
        use.slice_count = run->arguments->image.count;
    }
    if (command->image_use != NULL) {
        command->image_use(run, &use);
    }
    HALO_TRY(app_image_open(run->image, run, run->arguments->image.first, &use));
    if (run->image->info.geometry.ignored) {
        app_warn(run,
                 "%s: what the header says of where it lies in space (spacing, origin or "
                 "directions) is not finite, or has all axes in one plane, and is left out",
                 run->image->path);
    }
    run->domain = run->image->domain;
    return HALO_OK;
}

/* Is the number of beats unknown before the end? */
static bool is_endless(const app_run *run)
{
    const app_arguments *arguments = run->arguments;
    return run->command->beats->endless && arguments->until.steady &&
           !app_was_given(run, &arguments->beats) && app_services_until(run) < 0;
}

/* A command may have found it before, and a service the first beat of all. */
static void find_last_beat(app_run *run)
{
    int64_t until = app_services_until(run);
    bool found = run->last_beat != 0;
    run->loop->begun = run->loop->begun >= 0 ? run->loop->begun : run->first_beat;
    if (!found) {
        int64_t beats = is_endless(run) ? INT64_MAX / 2 : run->arguments->beats;
        run->last_beat = run->loop->begun + beats;
    }
    if (until >= 0) {
        run->last_beat = found ? halo_min(run->last_beat, until) : until;
    }
}

static halo_status give_root_all_rows(app_run *run)
{
    int ranks = halo_world_ranks(run->world);
    HALO_TRY(halo_agree(
        run->world, HALO_ALLOCATE(run->writing->root_cuts, ranks + 1, "which rows rank 0 has")));
    halo_cuts_whole(run->domain.n[0], ranks, run->writing->root_cuts);
    run->cuts = run->writing->root_cuts;
    return HALO_OK;
}

static halo_status prepare(app_run *run)
{
    const app_command *command = run->command;
    HALO_TRY(call(command->load, run));
    HALO_TRY(app_services_call(run, APP_STEP(open)));
    HALO_TRY(app_is_one_of_many(run) ? HALO_OK /* the files of all were compared */
                                     : app_files_check(run, NULL));
    HALO_TRY(open_image(run));
    HALO_TRY(call(command->open, run));
    if (command->beats != NULL) {
        find_last_beat(run);
    }
    HALO_TRY(app_services_call(run, APP_STEP(check)));
    HALO_TRY(command->root ? give_root_all_rows(run) : HALO_OK);
    HALO_TRY(call(command->create, run));
    return app_services_call(run, APP_STEP(ready));
}

/* ---- beats ----------------------------------------------------------------------------------- */

static halo_status read_image(app_run *run)
{
    const app_command *command = run->command;
    if (!command->image) {
        return HALO_OK;
    }
    return command->read != NULL
               ? command->read(run)
               : app_read_image(run, halo_beat_cuts(run->beat),
                                halo_beat_view(run->beat, command->image_field), NULL, NULL);
}

static halo_status beat(app_run *run)
{
    const app_beats *beats = run->command->beats;
    halo_status status = app_services_call(run, APP_STEP(begin));
    if (status == HALO_OK) {
        progress_phase(&run->progress, is_endless(run) ? "until steady" : beats->phase);
        status = app_run_beats(run, beats->events);
    }
    return app_services_end(run, status);
}

static halo_status compute(app_run *run)
{
    const app_command *command = run->command;
    bool filled;
    HALO_TRY(read_image(run));
    HALO_TRY(app_services_turn(run, APP_STEP(fill), &filled));
    HALO_TRY(filled ? HALO_OK : call(command->fill, run));
    HALO_TRY(call(command->begin, run));
    HALO_TRY(app_outputs_write(run, APP_BEFORE_BEATS));
    HALO_TRY(command->beats != NULL ? beat(run) : command->run(run));
    HALO_FAIL_IF(app_is_one_of_many(run) && run->loop->ending == APP_SIGNAL, HALO_FILE,
                 "stopped by a signal");
    HALO_TRY(call(command->end, run));
    return app_outputs_write(run, APP_AT_END);
}

static halo_status run_caught(app_run *run)
{
    double begun = halo_seconds();
    halo_status status = prepare(run);
    HALO_IF_OK(status, compute(run));
    run->seconds = halo_seconds() - begun;
    progress_end(&run->progress);
    return status;
}

halo_status app_run_steps(app_run *run)
{
    run->loop->changed = run->loop->begun = -1;
    return run_caught(run);
}

halo_status app_run_all(app_run *run)
{
    run->progress = progress_create(run->arguments->common.progress, halo_world_rank(run->world));
    if (run->command->beats == NULL) { /* nothing looks for signals: they end it at once */
        return app_run_steps(run);
    }
    halo_status status = app_signals_catch(run->world);
    HALO_IF_OK(status, app_run_steps(run));
    app_signals_release(run->world);
    return status;
}

/* ---- for commands ---------------------------------------------------------------------------- */

halo_status app_read_image(app_run *run, const int64_t *cuts, const halo_view *into,
                           halo_rows_sink *watch, void *context)
{
    const app_command *command = run->command;
    HALO_TRY(app_image_read(run->image, cuts, into, &run->progress, watch, context, &run->clock));
    HALO_TRY(command->takes_nodata ? HALO_OK
                                   : app_image_check_missing(run->image, command->syntax->name));
    return app_services_call(run, APP_STEP(seen));
}

/* Rows of bits are never cut. */
static void find_axes_to_cut(const halo_domain *domain, const halo_kernel *kernel,
                             bool cut[HALO_AXES])
{
    int last = domain->axes - 1;
    for (int a = 0; a < HALO_AXES; a++) {
        cut[a] = a <= last;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS; f++) {
        cut[last] = cut[last] && kernel->cell_bits[f] != HALO_BIT;
    }
}

static halo_status make_blocks(const app_run *run, const halo_kernel *kernel,
                               halo_partition *blocks)
{
    const decomposition_arguments *decomposition = &run->arguments->decomposition;
    int64_t layers =
        halo_min(halo_max(decomposition->beats_per_exchange, 1) * kernel->depth, INT32_MAX);
    int parts[HALO_AXES];
    bool cut[HALO_AXES];
    find_axes_to_cut(&run->domain, kernel, cut);
    int ranks = halo_world_ranks(run->world);
    HALO_TRY(halo_decomposition_parse(decomposition->parts, &run->domain, cut, ranks, (int)layers,
                                      parts));
    HALO_TRY(halo_partition_blocks(blocks, &run->domain, parts));
    if (app_ranks_are_given(run) || halo_partition_check_depth(blocks, (int)layers) == HALO_OK) {
        return HALO_OK;
    }
    halo_partition_free(blocks);
    return halo_partition_thick_strips(blocks, &run->domain, ranks, layers);
}

static halo_status create_beat(app_run *run, const halo_partition *partition,
                               const halo_kernel *kernel, const halo_beat_options *options)
{
    const common_arguments *common = &run->arguments->common;
    const decomposition_arguments *decomposition = &run->arguments->decomposition;
    halo_beat_options all = *options;
    all.vote = common->vote;
    /* A rank alone exchanges with nobody, nor may it make what exchanges need. */
    all.exchange = halo_world_is_alone(run->world) ? NULL : decomposition->exchange;
    all.corner_way = decomposition->corners;
    all.packing = decomposition->packing;
    all.first_beat = run->first_beat;
    all.last_beat = run->last_beat;
    all.watch = app_watch;
    all.context = run;
    app_services_join(run, &all);
    run->kernel = kernel;
    return halo_beat_create(&run->beat, run->world, &run->domain, partition, kernel, &all);
}

halo_status app_create_strips(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options)
{
    halo_partition strips = {0};
    int ranks = halo_world_ranks(run->world);
    halo_status status = halo_agree(
        run->world, halo_partition_thick_strips(&strips, &run->domain, ranks, kernel->depth));
    HALO_IF_OK(status, create_beat(run, &strips, kernel, options));
    halo_partition_free(&strips);
    return status;
}

halo_status app_create_blocks(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options)
{
    int64_t requested = run->arguments->decomposition.beats_per_exchange;
    halo_partition blocks = {0};
    halo_status status = halo_agree(run->world, make_blocks(run, kernel, &blocks));
    if (status == HALO_OK) {
        halo_beat_options all = *options;
        all.beats_per_exchange = requested > 0 ? (int)requested : HALO_BEATS_PER_EXCHANGE_AUTO;
        status = create_beat(run, &blocks, kernel, &all);
    }
    halo_partition_free(&blocks);
    return status;
}
