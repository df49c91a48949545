#include "kernels/label/label.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/world/watch.h"
#include "kernels/label/cut.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/filter.h"
#include "kernels/label/merge/raster.h"

#include <stdlib.h>
#include <string.h>

halo_status label_find_order(int connectivity, int axes, int *order)
{
    static const int neighbours[HALO_AXES][HALO_AXES] = {{2, 0, 0}, {4, 8, 0}, {6, 18, 26}};
    static const char *const texts[HALO_AXES] = {"2", "4 or 8", "6, 18 or 26"};
    for (*order = 1; *order <= axes; ++*order) {
        if (connectivity == 0 || connectivity == neighbours[axes - 1][*order - 1]) {
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT, "connectivity %d is not possible in %d %s; use %s",
                     connectivity, axes, axes == 1 ? "axis" : "axes", texts[axes - 1]);
}

halo_status label_check_options(const halo_label_options *options, const halo_domain *domain)
{
    if (domain->axes != 2 && domain->axes != 3) {
        return halo_fail(HALO_ARGUMENT, "labelling needs a domain of 2 or 3 axes, not %d",
                         domain->axes);
    }
    int order;
    HALO_TRY(label_find_order(options->connectivity, domain->axes, &order));
    if (options->near.type != HALO_LABEL_NONE && !halo_label_method_merges(options->method)) {
        return halo_fail(HALO_ARGUMENT, "only the method union connects pixels by their values");
    }
    if (options->near.sets_foreground && options->near.type == HALO_LABEL_NONE) {
        return halo_fail(HALO_ARGUMENT, "without a type of values no foreground can be made");
    }
    if (options->near.sets_foreground && options->balancing != NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "a labelling that makes the foreground cannot be balanced by its runs; "
                         "make it before (halo_foreground_of_values)");
    }
    if (!(options->near.delta.value >= 0)) {
        return halo_fail(HALO_ARGUMENT, "neighbours cannot differ by at most %g; use 0 or more",
                         options->near.delta.value);
    }
    return label_filter_check(&options->filter);
}

const halo_isa_variant label_row_variants[] = HALO_ISA_VARIANTS(label_row_ops, AVX512_BITS);

/* Local. Creates what needs no other rank. Machines differ: only some may have the instructions
 * asked for. */
static halo_status create(halo_label **out, halo_world *world, const halo_domain *domain,
                          const halo_partition *partition, const halo_label_options *options)
{
    HALO_TRY(label_check_options(options, domain));
    const label_method *method;
    HALO_TRY(label_method_find(&method, options->method));
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, label_row_variants, options->instructions));
    halo_label *label;
    HALO_TRY(HALO_ALLOCATE(label, 1, "a labelling"));
    *out = label;
    label->method = method;
    label->naming =
        (label_naming){.filter = options->filter, .seeds = options->numbering == HALO_LABEL_SEED};
    label->requested = options->measure;
    label->measure =
        options->measure || label_filter_drops(&options->filter) || label->naming.seeds;
    label_job *job = &label->job;
    HALO_TRY(label_cut_check(partition, domain, halo_world_ranks(world)));
    HALO_TRY(halo_partition_copy(&label->given, partition));
    HALO_TRY(label_cut(&label->cut, domain, partition, options->decomposition));
    int order;
    HALO_TRY(label_find_order(options->connectivity, domain->axes, &order));
    HALO_TRY(label_job_create(job, world, domain, &label->cut, variant->ops, order));
    HALO_TRY(halo_isa_pick(&variant, label_value_variants, options->instructions));
    job->strip.value_ops = variant->ops;
    job->near = options->near;
    job->balancing = options->balancing;
    job->later = options->later;
    label->later_a_region = options->later_a_region;
    job->vote = options->vote;
    job->exchange = options->exchange;
    job->corner_way = options->corner_way;
    job->packing = options->packing;
    job->async = options->async;
    label_choose_transposed(label, options);
    return HALO_OK;
}

halo_status halo_label_create_sized(halo_label **out, halo_world *world, const halo_domain *domain,
                                    const halo_partition *partition,
                                    const halo_label_options *given, size_t given_bytes)
{
    halo_label_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_label_options");
    HALO_IF_OK(status, create(out, world, domain, partition, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK && *out != NULL) {
        status = label_job_connect(&(*out)->job);
    }
    if (status != HALO_OK) {
        halo_label_destroy(out);
    }
    return status;
}

void halo_label_destroy(halo_label **label)
{
    if (*label != NULL) {
        label_job_free(&(*label)->job);
        halo_partition_free(&(*label)->given);
        halo_partition_free(&(*label)->cut);
        label_painter_free(&(*label)->painter);
        halo_memory_free((*label)->numbers);
        halo_memory_free((*label)->parts);
        halo_memory_free((*label)->share);
        free(*label);
        *label = NULL;
    }
}

static halo_status ensure_components(halo_label *label)
{
    int64_t needed = label->job.strip.class_count;
    bool there = label->numbers != NULL && (label->parts != NULL || !label->measure);
    if (needed <= label->component_room && there) {
        return HALO_OK;
    }
    halo_memory_free(label->numbers);
    halo_memory_free(label->parts);
    label->parts = NULL;
    HALO_TRY(HALO_ALLOCATE_LARGE(label->numbers, needed + 1, "numbers of components"));
    if (label->measure) {
        HALO_TRY(HALO_ALLOCATE_LARGE(label->parts, needed + 1, "a table of regions"));
    }
    label->component_room = needed;
    return HALO_OK;
}

/* Do components keep their places in the numbering? Then pixels need no table of their own. */
static bool numbers_in_order(const halo_label *label)
{
    return !label_filter_drops(&label->naming.filter) && !label->naming.seeds &&
           !label_job_interleaves(&label->job);
}

/* Has each host memory for what this comes to? Collective. */
static halo_status ask_since(const halo_label *label, int64_t before, halo_status status)
{
    const label_strip *strip = &label->job.strip;
    label_room room = {.before = before, .later = strip->class_count * label->later_a_region};
    HALO_TRY(halo_agree(label->job.world, status));
    if (!numbers_in_order(label)) { /* pixels get a table of their own */
        room.later += label->naming.seeds ? strip->label_count * (int64_t)sizeof(int64_t)
                                          : strip->class_count * (int64_t)sizeof(int32_t);
    }
    return label_job_ask(&label->job, &room, "a table of regions");
}

static halo_status measure(halo_label *label)
{
    label_job *job = &label->job;
    halo_stretch stretch = halo_clock_begin(job->world);
    /* Who reads values by a source asks for no greys. */
    const halo_view *grey = job->source == NULL ? job->grey : NULL;
    halo_status status = label_measure(&job->strip, grey, label->parts);
    halo_clock_end(&job->report->clock, HALO_PHASE_COMPUTE, stretch, job->world);
    return halo_agree(job->world, status);
}

/* Keep only the regions that begin here and have numbers, in order; of blocks side by side,
 * each takes its share of them. */
static halo_status gather_regions(halo_label *label, const label_raster *raster)
{
    int64_t kept = 0;
    halo_status status = HALO_OK;
    for (int64_t c = 0; c < label->job.strip.representatives && status == HALO_OK; c++) {
        if (label->parts[c].number > 0) {
            label->parts[kept++] = label->parts[c];
        }
        status = halo_watch_entry(label->job.world, c);
    }
    halo_memory_free(label->share);
    label->share = NULL;
    if (raster == NULL || !label->requested) {
        return status;
    }
    HALO_TRY(halo_agree(label->job.world, status));
    return label_raster_deal(raster, &label->job, label->parts, kept, &label->share,
                             &label->count.mine);
}

static halo_status prepare_painting(halo_label *label)
{
    label_strip *strip = &label->job.strip;
    int64_t total = label->count.total;
    if (numbers_in_order(label) && total < INT32_MAX) { /* before + 1 must fit too */
        return label_painter_shift(&label->painter, strip, label->count.before + 1,
                                   label->numbers + strip->representatives, total);
    }
    for (int64_t c = 0; numbers_in_order(label) && c < strip->representatives; c++) {
        label->numbers[c] = label->count.before + 1 + c;
    }
    return label_painter_prepare(&label->painter, strip, label->numbers, label->naming.seeds,
                                 total);
}

/* Number components, and measure regions, by the order of their first pixels. */
static halo_status number_in(halo_label *label, label_raster *raster)
{
    label_numbers numbers = {.representatives = numbers_in_order(label) ? NULL : label->numbers,
                             .aliases = label->numbers + label->job.strip.representatives};
    HALO_TRY(
        label_number(&label->job, raster, label->parts, &label->naming, &numbers, &label->count));
    return label->measure ? gather_regions(label, raster) : HALO_OK;
}

/* Give components their numbers. */
static halo_status number(halo_label *label)
{
    label_job *job = &label->job;
    bool blocks = label_job_interleaves(job);
    label_raster raster = {0};
    if (!label->measure && label_job_is_alone(job)) {
        int64_t total = job->strip.representatives;
        label->count = (label_count){.mine = total, .total = total};
        return label_painter_shift(&label->painter, &job->strip, 1, NULL, total);
    }
    int64_t before = halo_memory_held();
    halo_status status = ensure_components(label);
    if (status == HALO_OK && blocks) {
        status = label_raster_create(&raster, job);
    }
    HALO_TRY_OR(done, ask_since(label, before, status));
    if (label->measure) {
        HALO_TRY_OR(done, measure(label));
    }
    halo_stretch stretch = halo_clock_begin(job->world);
    status = number_in(label, blocks ? &raster : NULL);
    if (status == HALO_OK) {
        status = prepare_painting(label);
    }
    halo_clock_end(&job->report->clock, HALO_PHASE_MERGE, stretch, job->world);
done:
    label_raster_free(&raster);
    return status;
}

/* The last beat of merging: all ranks hear of the regions of all. */
static halo_status number_beat(void *context, halo_loop_superstep *superstep)
{
    halo_label *label = context;
    halo_status status = number(label);
    superstep->changed[0] = label->count.total;
    return status;
}

halo_status label_run(halo_label *label, const halo_view *foreground, const halo_view *grey,
                      const label_value_source *source)
{
    static const halo_loop_hooks hooks = {.superstep = number_beat};
    label_job *job = &label->job;
    halo_domain domain;
    halo_box mine;
    halo_label_fields(label, &domain, &mine);
    HALO_TRY(
        halo_agree(job->world, label_cut_check_pixels(&mine, foreground, grey, job->near.type)));
    label_job_begin(job, foreground, grey, source);
    label_colours_free(&label->painter.colours);
    HALO_TRY(label->method->run(job));
    halo_status status = label->method->merges ? halo_loop_run(job->loop, &hooks, label, 1)
                                               : halo_agree(job->world, number(label));
    halo_clock_add(&job->report->clock, &label->distribution);
    label->distribution = (halo_clock){0};
    return status;
}

halo_status halo_label_run(halo_label *label, const halo_view *foreground, const halo_view *grey)
{
    return label_run(label, foreground, grey, NULL);
}

int64_t halo_label_bytes(const halo_label *label, const halo_box *owned)
{
    bool deep = label->job.domain.axes == HALO_AXES && !label->job.transposed;
    int64_t rows = owned->n[0] * (deep ? owned->n[1] : 1);
    int64_t tables = 2 * (int64_t)sizeof(int32_t) * (rows + 1);
    return tables + label->method->fields * halo_box_cells(owned) * (int64_t)sizeof(int64_t);
}

const halo_partition *halo_label_partition(const halo_label *label)
{
    return &label->job.partition;
}

int64_t halo_label_total(const halo_label *label)
{
    return label->count.total;
}

const halo_region *halo_label_regions(const halo_label *label, int64_t *count)
{
    *count = label->requested ? label->count.mine : 0;
    return label->share != NULL ? label->share : label->parts;
}

const halo_beat_report *halo_label_get_report(const halo_label *label)
{
    return label->job.report;
}

void halo_label_get_async_report_sized(const halo_label *label, halo_async_report *report,
                                       size_t report_bytes)
{
    halo_report_give(report, report_bytes, &label->job.async_report,
                     sizeof label->job.async_report);
}

halo_status halo_label_paint_rows(halo_label *label, halo_label_paint as, int64_t first,
                                  int64_t rows, void *out, size_t pitch)
{
    const label_strip *strip = &label->job.strip;
    /* Nothing was counted in a part without columns, and there is nothing to paint. */
    return strip->input.width > 0
               ? label_painter_rows(&label->painter, strip, as, first, rows, out, pitch)
               : HALO_OK;
}
