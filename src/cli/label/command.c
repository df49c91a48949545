#include "app/image/image.h"
#include "app/options/values.h"
#include "app/paths/planes.h"
#include "app/report/facts.h"
#include "app/report/report.h"
#include "app/services/balance.h"
#include "app/services/memory.h"
#include "base/minmax.h"
#include "cli/commands.h"
#include "cli/label/job.h"

#include <string.h>

/* ---- from grey to foreground ----------------------------------------------------------------- */

static void use_image(const app_run *run, app_image_options *use)
{
    const label_options *options = run->options;
    use->want = options->values ? HALO_IMAGE_SAMPLES : HALO_IMAGE_NATIVE;
    use->ground = options->background.ground;
    use->count_clear = !options->values;
    use->again = label_may_need_colours(options);
    enum { MOST_IN_IMAGES = 8 };
    use->volumes = true;
    use->narrow = options->label.connectivity == 6 ||
                  options->label.connectivity > MOST_IN_IMAGES || options->axes.is[0];
    use->solid = use->solid || use->narrow;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        use->periodic[axis] = options->periodic || options->axes.is[axis];
    }
}

/* Blocks side by side, in rows or in planes. */
static bool has_blocks(const label_job *job)
{
    const int *parts = halo_label_partition(job->label)->parts;
    return parts[1] > 1 || parts[2] > 1;
}

/* Refuses explicit blocks with --balance. */
static halo_status check_balance(const app_run *run)
{
    const label_job *job = run->job;
    if (app_balancing_of(run) == NULL || halo_label_can_balance(job->label)) {
        return HALO_OK;
    }
    const int *parts = halo_label_partition(job->label)->parts;
    return halo_fail(
        HALO_ARGUMENT,
        "--balance moves boundaries of strips where --method union labels, and %d x %d x %d "
        "blocks were asked for; use --decomposition strips or another method, or "
        "leave out --balance",
        parts[0], parts[1], parts[2]);
}

/* The decomposition; with --balance, "auto" means strips. */
static const char *choose_parts(const app_run *run)
{
    const label_options *options = run->options;
    const char *parts = run->arguments->decomposition.parts;
    bool is_auto = parts != NULL && strcmp(parts, "auto") == 0;
    bool balanced =
        app_balancing_of(run) != NULL && halo_label_method_merges(options->label.method);
    return is_auto && balanced ? "strips" : parts;
}

/* Volumes with an axis of 1 have no local threshold, and all of their voxels are at an edge, so
 * that they have no holes: these take the image as it is. Measures of samples take the rows of the
 * image. */
static bool transposes(const app_run *run)
{
    const label_options *options = run->options;
    bool takes_cubes = options->fill_holes || options->threshold.kind == THRESHOLD_LOCAL;
    return !(takes_cubes && run->domain.axes == HALO_AXES) && options->mask_filter == NULL &&
           !options->split.given &&
           !label_needs(run, LABEL_BY_MOMENTS | LABEL_BY_MEDIANS | LABEL_BY_QUANTILES);
}

/* The squares of a local threshold reach into the next strip, and no further, and so do filters. */
static int64_t least_rows(const app_run *run)
{
    const label_options *options = run->options;
    const filter_chain *filter = ((const label_job *)run->job)->mask_filter;
    bool local = options->threshold.kind == THRESHOLD_LOCAL;
    int64_t rows = local ? (int64_t)options->threshold.local.radius : 1;
    int64_t thinnest = filter != NULL ? halo_filter_run_thinnest(filter, true) : 1;
    return halo_min(halo_max(rows, thinnest), halo_max(rows, run->domain.n[0]));
}

static halo_status create_label(app_run *run)
{
    const label_options *given = run->options;
    const app_arguments *all = run->arguments;
    label_job *job = run->job;
    halo_label_options options = given->label;
    options.connectivity = label_connectivity(run);
    options.near =
        (halo_label_near){.type = given->split.given ? HALO_SAMPLE_I32 : label_value_type(run),
                          .delta = given->delta,
                          .sets_foreground = label_sets_foreground(run),
                          .has_background = !given->background.none,
                          .background = given->background.value};
    options.measure = label_measures(given);
    options.transposes = transposes(run);
    options.vote = all->common.vote;
    options.instructions = all->common.instructions;
    options.decomposition = choose_parts(run);
    options.exchange = all->decomposition.exchange;
    options.corner_way = all->decomposition.corners;
    options.packing = all->decomposition.packing;
    options.balancing = app_balancing_of(run);
    HALO_TRY(halo_agree(run->world, label_check_image(run)));
    HALO_TRY(
        halo_agree(run->world, given->mask_filter != NULL ? label_read_mask_filter(run) : HALO_OK));
    HALO_TRY(cli_measured_open(&job->measured, run, &given->measured, "measure"));
    HALO_TRY(cli_measured_check(&job->measured,
                                label_needs(run, LABEL_BY_MEDIANS | LABEL_BY_QUANTILES)));
    HALO_TRY(app_planes_check_folder(run, given->output));
    HALO_TRY(app_planes_check_folder(run, given->colour));
    HALO_TRY(app_planes_check_folder(run, given->outline));
    HALO_TRY(halo_agree(run->world, app_image_strips(run->image, least_rows(run), &job->strips)));
    run->cuts = job->strips.cuts[0];
    options.later = label_outputs_later(run);
    options.later_a_region = label_has_table(given) ? label_region_bytes(run, &options) : 0;
    HALO_TRY(halo_label_create(&job->label, run->world, &run->domain, &job->strips, &options));
    return check_balance(run);
}

/* One of the strips as they are read, that can move where boundaries may. */
static halo_status create_strip(const app_run *run, halo_field **out, int cell_bits, int depth)
{
    const label_job *job = run->job;
    const halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    const halo_field_options options = {
        .movable = app_balancing_of(run) != NULL && !has_blocks(job), .no_side_halo = true};
    return halo_field_create_with(out, &run->domain, &mine, cell_bits, depth, &options);
}

/* The same, or one of the transposed strips, which have no halo and do not move. */
static halo_status create_field(const app_run *run, halo_field **out, int cell_bits, int depth)
{
    const label_job *job = run->job;
    halo_domain domain;
    halo_box mine;
    if (!halo_label_is_transposed(job->label)) {
        return create_strip(run, out, cell_bits, depth);
    }
    halo_label_fields(job->label, &domain, &mine);
    return halo_field_create_with(out, &domain, &mine, cell_bits, 0,
                                  &(halo_field_options){.no_side_halo = true});
}

static halo_status create_fields(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    if (label_takes_samples(run) || label_makes_greys(run)) {
        enum { GREY_BITS = 16 };
        int cell_bits = label_makes_greys(run) ? GREY_BITS : run->image->cell_bits;
        HALO_TRY(create_field(run, &job->grey, cell_bits, (int)options->threshold.local.radius));
    }
    if (label_keeps_samples(run)) {
        HALO_TRY(create_strip(run, &job->kept, run->image->cell_bits, 0));
    }
    if (options->threshold.kind == THRESHOLD_HYSTERESIS && job->grey == NULL) {
        HALO_TRY(create_field(run, &job->peaks, HALO_BIT, 0));
    }
    if (label_needs_present(run)) {
        HALO_TRY(create_field(run, &job->present, HALO_BIT, 0));
    }
    return create_field(run, &job->foreground, HALO_BIT, 0);
}

static halo_status create(app_run *run)
{
    HALO_TRY(create_label(run));
    return halo_agree(run->world, create_fields(run));
}

/* The bits of the foreground, and what filters make of them. */
static int64_t mask_filter_bytes(const app_run *run)
{
    const label_job *job = run->job;
    const int64_t *mine = job->strips.cuts[0] + halo_world_rank(run->world);
    if (job->mask_filter == NULL) {
        return 0;
    }
    filter_run_bytes bytes = halo_filter_run_needs(job->mask_filter, mine[0], mine[1], true);
    return halo_max(bytes.computing, bytes.making);
}

/* Rows become runs, whose number nobody knows before: the kernel asks again then. Blocks are cut
 * out of strips, a field at a time. */
static void find_needs(const app_run *run, app_needs *needs)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    int64_t rows = bits->owned.n[0];
    int64_t greys = job->grey == NULL ? 0 : rows * halo_field_view(job->grey)->stride[0];
    bool stay = label_measures(options) || options->values;
    const halo_view *samples = job->kept != NULL ? halo_field_view(job->kept) : NULL;
    int64_t held = greys + (samples != NULL ? samples->owned.n[0] * samples->stride[0] : 0);
    int64_t kept = stay ? 0 : -held;
    bool blocks = has_blocks(job);
    int64_t moved = !blocks ? 0 : stay ? greys : rows * bits->stride[0];
    int64_t labels = halo_label_bytes(job->label, &bits->owned) +
                     (options->fill_holes ? rows * bits->stride[0] : 0);
    int64_t split = options->split.given ? label_split_bytes(run, &bits->owned) : 0;
    needs->computing =
        halo_max(mask_filter_bytes(run), kept + halo_max(split, halo_max(labels, moved)));
    needs->writing += kept + label_outputs_later(run);
    if (label_has_table(options)) {
        needs->writing += label_region_pixel_bytes(run, &bits->owned);
    }
    if (blocks) { /* each is painted, and then strips are made of them */
        int64_t painted = label_painted_bytes(options) * halo_box_cells(&bits->owned);
        needs->writing += 2 * painted + halo_min(painted, APP_ON_THE_WAY);
    }
}

static halo_status label_image(app_run *run)
{
    label_job *job = run->job;
    double begun = halo_seconds();
    progress_phase(&run->progress, "labelling");
    HALO_TRY(halo_label_distribute(job->label, &job->foreground, &job->grey));
    const halo_view *grey = job->grey != NULL ? halo_field_view(job->grey) : NULL;
    halo_status status = halo_label_run(job->label, halo_field_view(job->foreground), grey);
    job->label_seconds = halo_seconds() - begun;
    return status == HALO_OK && label_sets_foreground(run) ? label_count_foreground(run) : status;
}

static halo_status add_files(app_run *run, app_files *files)
{
    const label_options *options = run->options;
    return halo_agree(run->world, cli_measured_add_files(&options->measured, files));
}

static void destroy(app_run *run)
{
    label_job *job = run->job;
    cli_measured_close(&job->measured);
    halo_label_destroy(&job->label);
    halo_field_destroy(&job->grey);
    halo_field_destroy(&job->kept);
    halo_field_destroy(&job->peaks);
    halo_field_destroy(&job->present);
    halo_field_destroy(&job->foreground);
    halo_filter_chain_destroy(&job->mask_filter);
    halo_partition_free(&job->strips);
}

/* ---- reports --------------------------------------------------------------------------------- */

static report_line own_line(const app_run *run)
{
    const label_job *job = run->job;
    const halo_partition *partition = halo_label_partition(job->label);
    halo_box mine = halo_partition_box(partition, halo_world_rank(run->world));
    return report_line_of(halo_label_get_report(job->label), &run->clock, run->domain.axes, mine.n,
                          partition->parts);
}

/* The grey behind transparent pixels, as JSON. */
static json_t *ground_text(const app_run *run)
{
    const halo_image_ground *ground = &((const label_options *)run->options)->background.ground;
    uint32_t maximum = (uint32_t)run->image->maximum, grey = halo_ground_grey(ground, maximum);
    return grey == 0         ? json_string("black")
           : grey == maximum ? json_string("white")
                             : json_sprintf("grey %u", (unsigned)grey);
}

/* Adds what only lines have. */
static void add_texts(const app_run *run, json_t *texts)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    const label_background *background = &options->background;
    if (has_blocks(job)) {
        json_object_set_new(texts, "cut_seconds",
                            json_real(run->report->sum.phases[HALO_PHASE_MIGRATE]));
    }
    if (run->image->info.alpha) {
        json_object_set_new(texts, "ground", ground_text(run));
    }
    if (job->threshold.single >= 0) {
        json_object_set_new(texts, "single", json_integer(job->threshold.single));
    }
    if (label_is_periodic(run)) {
        char axes[APP_AXES_TEXT];
        app_print_periodic(&run->domain, ", ", axes);
        json_object_set_new(texts, "periodic_axes", json_string(axes));
    }
    if (label_has_table(options) || options->contacts != NULL) {
        json_t *note = app_pixel_note(run->image, &options->spacing);
        json_object_set_new(texts, "lengths", note);
    }
    if (!options->values) {
        json_object_set_new(texts, "threshold_source",
                            json_string(threshold_source(&options->threshold)));
    } else if (background->none) {
        json_object_set_new(texts, "values_of", json_string("all"));
    } else {
        char value[HALO_NUMBER_TEXT];
        halo_number_print(&background->value, value);
        json_object_set_new(texts, "values_of", json_sprintf("all but %s", value));
    }
}

static json_t *threshold_json(const app_run *run)
{
    const label_options *options = run->options;
    const cli_threshold_range *found = &((const label_job *)run->job)->threshold;
    threshold_kind kind = options->threshold.kind;
    halo_sample_type type = found->of.type;
    bool local = kind == THRESHOLD_LOCAL, plain = !local && !options->values;
    json_t *square =
        !local ? NULL
               : json_pack("{s:I, s:f}", "radius", (json_int_t)options->threshold.local.radius,
                           "offset", options->threshold.local.offset);
    return json_pack("{s:o*, s:o*, s:o*, s:o*, s:s, s:b}", "value",
                     plain ? cli_sample_json(type, found->within.min) : NULL, "high",
                     kind == THRESHOLD_RANGE ? cli_sample_json(type, found->within.max) : NULL,
                     "peak",
                     kind == THRESHOLD_HYSTERESIS ? cli_sample_json(type, found->peak) : NULL,
                     "local", square, "source",
                     !options->values           ? threshold_source(&options->threshold)
                     : options->background.none ? "all values"
                                                : "all values but the background",
                     "inverted", (int)options->invert);
}

static json_t *facts(app_run *run, json_t *texts)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    const int *parts = halo_label_partition(job->label)->parts;
    const halo_box whole = {.n = {run->domain.n[0], run->domain.n[1], run->domain.n[2]}};
    double pixels = (double)halo_box_cells(&whole);
    halo_async_report async = halo_label_get_async_report(job->label);
    const app_pixel pixel = label_pixel_of(run);
    add_texts(run, texts);
    return json_pack(
        "{s:o, s:i, s:b, s:I, s:s, s:s, s:o, s:I, s:I, s:f, s:f, s:o*, s:s*, s:o*, s:o*, s:o, "
        "s:o*, s:o*}",
        "threshold", threshold_json(run), "connectivity", label_connectivity(run), "periodic",
        (int)label_is_periodic(run), "min_area_pixels", (json_int_t)options->label.filter.min_area,
        "numbering", options->label.numbering == HALO_LABEL_SEED ? "seed" : "scan", "method",
        options->label.method, "decomposition", app_fact_parts(run->domain.axes, parts), "regions",
        (json_int_t)halo_label_total(job->label), "foreground_pixels",
        (json_int_t)job->foreground_pixels, "foreground_share",
        (double)job->foreground_pixels / pixels, "labelling_seconds", job->label_seconds, "async",
        app_fact_async(&async, options->label.async.detector), "values",
        options->values ? halo_sample_types[run->image->info.type].name : NULL, "delta",
        options->delta.value > 0 ? app_fact_number(&options->delta) : NULL, "transparent_share",
        run->image->info.alpha ? json_real((double)job->clear_pixels / pixels) : NULL, "pixel",
        app_pixel_json(run->image, &options->spacing), "whole",
        cli_whole_json(&job->whole, run, &pixel), "split", label_split_json(run));
}

static const app_line lines[] = {
    {.name = "alpha",
     .text = "{100*transparent_share%.2f} % of the pixels are transparent, in whole or in part, "
             "and were laid over {ground}; --background takes another grey"},
    {.name = "one grey", .text = "all pixels have the grey {single}: no threshold separates them"},
    {.name = "threshold",
     .text =
         "[{threshold.value}][..{threshold.high}][ with {threshold.peak} somewhere][mean of "
         "{threshold.local.radius} pixels to "
         "each side[, less {threshold.local.offset>0}][, plus {-1*threshold.local.offset%.10g>0}]] "
         "({threshold_source})"
         "{threshold.inverted?, inverted}: {100*foreground_share%.2f} % of the pixels are "
         "foreground"},
    {.name = "values", .text = "{values_of}: {100*foreground_share%.2f} % of the pixels"},
    {.name = "split",
     .text = "by {split.by}: {split.peaks} peaks; those up to {split.height} above a pass to a "
             "higher one are joined to it"},
    {.name = "regions",
     .text = "{regions}, {connectivity}-connected[, periodic along {periodic_axes}][, of equal "
             "{values} "
             "values][, or of "
             "such at most {delta} apart]"},
    CLI_WHOLE_LINES,
    {.name = "lengths", .text = "{lengths}"},
    {.name = "beats", .verbose = true, .text = "{beats} ({method}) in {decomposition}"},
    APP_ASYNC_LINE,
    {0}};

static const app_phase phases[] = {{"read", HALO_PHASE_DECODE},
                                   {"distribute", HALO_PHASE_DISTRIBUTE},
                                   {"label", HALO_PHASE_COMPUTE},
                                   {"exchange", HALO_PHASE_EXCHANGE},
                                   {"vote", HALO_PHASE_VOTE},
                                   {"merge", HALO_PHASE_MERGE},
                                   {"write", HALO_PHASE_ENCODE},
                                   {"cut", HALO_PHASES}, /* of blocks */
                                   {0}};

const app_command label_command = {.syntax = &label_syntax,
                                   .job_bytes = sizeof(label_job),
                                   .image = true,
                                   .takes_nodata = true,
                                   .image_use = use_image,
                                   .read = label_read_image,
                                   .create = create,
                                   .needs = find_needs,
                                   .fill = label_find_foreground,
                                   .run = label_image,
                                   .end = label_find_whole,
                                   .outputs = label_outputs,
                                   .files = add_files,
                                   .lines = lines,
                                   .unit = "[{pixel.unit}]",
                                   .phases = phases,
                                   .own = own_line,
                                   .facts = facts,
                                   .destroy = destroy};
