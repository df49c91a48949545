#include "kernels/array/array_internal.h"
#include "kernels/array/array_table.h"
#include "kernels/array/kernel_array.h"
#include "kernels/chan_vese/chan_vese_array.h"
#include "kernels/cluster/cluster_array.h"
#include "kernels/distance/distance_array.h"
#include "kernels/distance/expand_labels_array.h"
#include "kernels/distance/thickness_array.h"
#include "kernels/filter/filter_array.h"
#include "kernels/heat/heat.h"
#include "kernels/label/contacts_array.h"
#include "kernels/label/keep_array.h"
#include "kernels/label/label_array.h"
#include "kernels/label/regions_array.h"
#include "kernels/life/life_array.h"
#include "kernels/paths/paths_array.h"
#include "kernels/split/split_array.h"
#include "kernels/walk/walk_array.h"
#include "kernels/watershed/watershed_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/unit_check.h"

/* Progress of all calls on arrays, with every report, not only one in 50 ms: any of them cancels.
 */

enum { PLANES = 6, ROWS = 40, COLUMNS = 70, CELLS = PLANES * ROWS * COLUMNS };

/* Arrays in a layout, on which calls are made. */
typedef struct {
    laid_array volume, labels, costs, image, bits;
    double distances[ROWS][COLUMNS];
    halo_life_array *life;
} arrays;

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void create(arrays *a, array_layout layout)
{
    static double few[CELLS], many[CELLS];
    static const int64_t n[] = {PLANES, ROWS, COLUMNS};
    uint64_t state = 5;
    for (int64_t i = 0; i < CELLS; i++) {
        few[i] = random_bits(&state) % 3 == 0;
        many[i] = (double)(random_bits(&state) % 200);
    }
    a->volume = array_lay_values(layout, HALO_SAMPLE_U8, 3, n, few);
    a->labels = array_lay(layout, HALO_SAMPLE_I32, 3, n);
    a->image = array_lay_values(layout, HALO_SAMPLE_U16, 2, n + 1, many);
    a->costs = array_lay_values(layout, HALO_SAMPLE_F64, 2, n + 1, few);
    a->bits = array_lay(layout, HALO_SAMPLE_U8, 2, n + 1);
    SUCCEEDS(halo_label_array(NULL, &a->volume.array, &a->labels.array, NULL, NULL));
    SUCCEEDS(halo_life_array_create(&a->life, NULL, &a->image.array, NULL));
}

static void destroy(arrays *a)
{
    halo_life_array_destroy(&a->life);
    array_free(&a->volume);
    array_free(&a->labels);
    array_free(&a->image);
    array_free(&a->costs);
    array_free(&a->bits);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static halo_status label(arrays *a, halo_context *context)
{
    const halo_label_array_options options = {.connectivity = 26};
    return halo_label_array(context, &a->volume.array, &a->labels.array, &options, NULL);
}

static halo_status label_values(arrays *a, halo_context *context)
{
    const halo_label_array_options options = {.values = true, .min_area = 2};
    return halo_label_array(context, &a->volume.array, &a->labels.array, &options, NULL);
}

static halo_status label_structure(arrays *a, halo_context *context)
{
    const halo_label_array_options options = {
        .structure = "000101000010010010000101000", .values = true, .min_area = 2};
    return halo_label_array(context, &a->volume.array, &a->labels.array, &options, NULL);
}

static halo_status keep(arrays *a, halo_context *context)
{
    const halo_keep_array_options options = {.min_area = 3};
    return halo_keep_array(context, &a->image.array, &a->image.array, &options, NULL);
}

static halo_status keep_labels(arrays *a, halo_context *context)
{
    const halo_keep_array_options options = {.labels = true, .min_area = 1};
    return halo_keep_array(context, &a->labels.array, &a->labels.array, &options, NULL);
}

static halo_status contacts(arrays *a, halo_context *context)
{
    halo_array_table *table;
    halo_status status = halo_contacts_array(context, &a->labels.array, NULL, &table);
    halo_array_table_destroy(&table);
    return status;
}

static halo_status regions(arrays *a, halo_context *context)
{
    const halo_regions_array_options options = {.properties = "all"};
    halo_array_table *table;
    halo_status status =
        halo_regions_array(context, &a->labels.array, &a->volume.array, &options, &table);
    halo_array_table_destroy(&table);
    return status;
}

static halo_status paths(arrays *a, halo_context *context)
{
    static int32_t nearest[ROWS][COLUMNS];
    static const halo_paths_place sources[] = {{1, 2}, {30, 60}, {20, 3}};
    static const int64_t n[] = {ROWS, COLUMNS};
    const halo_array distances = array_plain(HALO_SAMPLE_F64, 2, n, a->distances),
                     numbers = array_plain(HALO_SAMPLE_I32, 2, n, nearest);
    return halo_paths_array(context, &a->costs.array, sources, COUNT(sources), &distances, &numbers,
                            NULL, NULL);
}

/* Most costs are 0: paths lead through plateaus. */
static halo_status trace(arrays *a, halo_context *context)
{
    static const halo_paths_place sources[] = {{1, 2}, {30, 60}, {20, 3}},
                                  to[] = {{39, 69}, {0, 69}, {39, 0}};
    static const int64_t n[] = {ROWS, COLUMNS};
    const halo_array distances = array_plain(HALO_SAMPLE_F64, 2, n, a->distances);
    halo_paths_trail *trail;
    SUCCEEDS(paths(a, NULL));
    halo_status status = halo_paths_array_trace(context, &a->costs.array, &distances, sources,
                                                COUNT(sources), to, COUNT(to), NULL, &trail);
    halo_paths_trail_destroy(&trail);
    return status;
}

static halo_status cluster(arrays *a, halo_context *context)
{
    const halo_cluster_array_options options = {.clusters = 20, .beats = 5, .connected = true};
    static int32_t numbers[ROWS][COLUMNS];
    static const int64_t n[] = {ROWS, COLUMNS};
    const halo_array labels = array_plain(HALO_SAMPLE_I32, 2, n, numbers);
    halo_array_table *table;
    halo_status status =
        halo_cluster_array(context, &a->image.array, &labels, &options, &table, NULL);
    halo_array_table_destroy(&table);
    return status;
}

static halo_status chan_vese(arrays *a, halo_context *context)
{
    const halo_chan_vese_array_options options = {.beats = {.given = true, .value = 20}};
    return halo_chan_vese_array(context, &a->image.array, NULL, &a->bits.array, &options, NULL);
}

static halo_status watershed(arrays *a, halo_context *context)
{
    static int32_t numbers[ROWS][COLUMNS];
    static const int64_t n[] = {ROWS, COLUMNS};
    const halo_array labels = array_plain(HALO_SAMPLE_I32, 2, n, numbers);
    const halo_watershed_array_options options = {.line = true};
    return halo_watershed_array(context, &a->image.array, NULL, NULL, &labels, &options, NULL);
}

static halo_status split(arrays *a, halo_context *context)
{
    static int32_t numbers[ROWS][COLUMNS];
    static const int64_t n[] = {ROWS, COLUMNS};
    const halo_array labels = array_plain(HALO_SAMPLE_I32, 2, n, numbers);
    return halo_split_array(context, &a->image.array, NULL, &labels, NULL, NULL);
}

/* Parts whose rows flow, and one that needs the whole image. */
static halo_status filter(arrays *a, halo_context *context)
{
    static uint16_t filtered[ROWS][COLUMNS];
    const halo_array out = array_plain(HALO_SAMPLE_U16, 2, a->image.array.n, filtered);
    return halo_filter_array(context, &a->image.array, &out,
                             "gaussian:2 background:9 median:1 opening:disk:2", NULL, NULL);
}

static halo_status filter_volume(arrays *a, halo_context *context)
{
    static uint8_t filtered[CELLS];
    const halo_array out = array_plain(HALO_SAMPLE_U8, 3, a->volume.array.n, filtered);
    return halo_filter_array(context, &a->volume.array, &out, "background:5 median:1", NULL, NULL);
}

static halo_status distance(arrays *a, halo_context *context)
{
    static double far[CELLS];
    const halo_array distances = array_plain(HALO_SAMPLE_F64, 3, a->volume.array.n, far);
    return halo_distance_array(context, &a->volume.array, &distances, NULL, NULL, NULL);
}

static halo_status thickness(arrays *a, halo_context *context)
{
    static double thick[CELLS];
    const halo_array out = array_plain(HALO_SAMPLE_F64, 3, a->volume.array.n, thick);
    return halo_thickness_array(context, &a->volume.array, &out, NULL, NULL);
}

static halo_status expand(arrays *a, halo_context *context)
{
    static int32_t expanded[CELLS];
    const halo_expand_labels_array_options options = {.distance = 3};
    const halo_array out = array_plain(HALO_SAMPLE_I32, 3, a->labels.array.n, expanded);
    return halo_expand_labels_array(context, &a->labels.array, &out, &options, NULL);
}

static halo_status walk(arrays *a, halo_context *context)
{
    const halo_walk_array_options options = {.walkers = 5000, .steps = 100};
    halo_walk_result *result;
    halo_status status = halo_walk_array(context, &a->volume.array, &options, &result);
    halo_walk_result_destroy(&result);
    return status;
}

static halo_status life_create(arrays *a, halo_context *context)
{
    halo_life_array *life;
    halo_status status = halo_life_array_create(&life, context, &a->image.array, NULL);
    halo_life_array_destroy(&life);
    return status;
}

static halo_status life_run(arrays *a, halo_context *context)
{
    return halo_life_array_run(a->life, context, 100, NULL);
}

static halo_status life_get(arrays *a, halo_context *context)
{
    return halo_life_array_get_cells(a->life, context, 0, 0, &a->bits.array);
}

static halo_status heat(arrays *a, halo_context *context)
{
    const halo_kernel_array_options options = {.beats = 30};
    return halo_kernel_array(context, &halo_heat_kernel, &a->costs.array, &a->costs.array, &options,
                             NULL);
}

static const struct {
    const char *name;
    halo_status (*call)(arrays *a, halo_context *context);
    int64_t total; /* of progress: 0: thousandths */
} calls[] = {
    {"label", label, 0},         {"label values", label_values, 0},
    {"keep", keep, 0},           {"keep labels", keep_labels, 0},
    {"contacts", contacts, 0},   {"regions", regions, 0},
    {"paths", paths, 0},         {"trace", trace, 0},
    {"cluster", cluster, 0},     {"chan_vese", chan_vese, 20},
    {"walk", walk, 0},           {"life create", life_create, 0},
    {"life run", life_run, 100}, {"life get", life_get, 0},
    {"heat", heat, 30},          {"watershed", watershed, 0},
    {"split", split, 0},         {"structure", label_structure, 0},
    {"filter", filter, 0},       {"filter volume", filter_volume, 0},
    {"distance", distance, 0},   {"thickness", thickness, 0},
    {"expand", expand, 0},
};

/* ---- tests ----------------------------------------------------------------------------------- */

/* Returns the number of reports of a call that is not cancelled. */
static int count_reports(arrays *a, halo_context *context, size_t i)
{
    array_progress w = array_progress_until(INT32_MAX);
    halo_context_set_progress(context, array_progress_watch, &w);
    int64_t total = calls[i].total > 0 ? calls[i].total : ARRAY_PARTS;
    halo_status status = calls[i].call(a, context);
    check(status == HALO_OK, "%s: %s", calls[i].name, halo_last_message());
    check(w.calls >= 2 && w.done == total && w.total == total,
          "%s: %" PRId64 " of %" PRId64 " at the end, after %d reports", calls[i].name, w.done,
          w.total, w.calls);
    return w.calls;
}

/* A rank that waits reports as often as it looks, so that the number of reports is not always the
 * same on several. */
static void cancel_at(arrays *a, halo_context *context, size_t i, int at, int ranks)
{
    array_progress w = array_progress_until(at);
    halo_context_set_progress(context, array_progress_watch, &w);
    halo_status status = calls[i].call(a, context);
    bool ended = status == HALO_OK && ranks > 1 && w.calls < at;
    check(ended || (status == HALO_CANCELLED && w.calls == at &&
                    strstr(halo_last_message(), "cancelled") != NULL),
          "%s: report %d of %d ranks, status %d after %d", calls[i].name, at, ranks, (int)status,
          w.calls);
}

TEST("every call reports progress that does not fall and ends with all, and is cancelled by any")
{
    static const array_layout layouts[] = {LAYOUT_C, LAYOUT_FORTRAN, LAYOUT_SWAPPED};
    static arrays a;
    enum { MANY = 100 };
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    context->interval = 0;
    for (size_t layout = 0; layout < COUNT(layouts); layout++) {
        create(&a, layouts[layout]);
        for (size_t i = 0; i < COUNT(calls); i++) {
            for (int ranks = 1; ranks <= 3; ranks++) {
                SUCCEEDS(halo_context_set_ranks(context, ranks));
                int reports = count_reports(&a, context, i);
                int step = 1 + reports / (ranks == 1 && layout == 0 ? MANY : MANY / 10);
                for (int at = 1; at <= reports; at += step) {
                    cancel_at(&a, context, i, at, ranks);
                }
            }
        }
        destroy(&a);
    }
    halo_context_destroy(&context);
}

/* ---- a row ----------------------------------------------------------------------------------- */

enum { LONG = 1 << 20, APART = 2 };

typedef struct {
    halo_array row, labels; /* the elements of the row have others between them */
} long_row;

static long_row create_row(void)
{
    const int64_t n[] = {LONG};
    uint32_t *elements = malloc(APART * LONG * sizeof *elements);
    int32_t *labels = malloc(LONG * sizeof *labels);
    for (int64_t i = 0; i < APART * LONG && elements != NULL; i++) {
        elements[i] = i % APART == 0 ? (uint32_t)(1 + i / APART % 2) : 7;
    }
    long_row made = {array_plain(HALO_SAMPLE_U32, 1, n, elements),
                     array_plain(HALO_SAMPLE_I32, 1, n, labels)};
    made.row.stride[0] *= APART;
    return made;
}

/* Returns the number of reports of a call that ends with report `limit`, or is not cancelled. */
static int label_row(const long_row *a, halo_context *context,
                     const halo_label_array_options *options, int limit)
{
    int64_t found;
    array_progress w = array_progress_until(limit);
    halo_context_set_progress(context, array_progress_watch, &w);
    halo_status status = halo_label_array(context, &a->row, &a->labels, options, &found);
    check(limit < INT32_MAX ? status == HALO_CANCELLED && w.calls == limit
                            : status == HALO_OK && found == LONG,
          "status %d after %d reports of %d", (int)status, w.calls, limit);
    return w.calls;
}

TEST("an array of one row is watched within it")
{
    static const struct {
        halo_label_array_options options;
        int least; /* reports */
    } ways[] = {{{.values = true}, 30}, {{.structure = "000"}, 95}};
    enum { MANY = 30 };
    long_row a = create_row();
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    SUCCEEDS(halo_context_set_ranks(context, 1));
    context->interval = 0;
    for (size_t i = 0; i < COUNT(ways); i++) {
        int reports = label_row(&a, context, &ways[i].options, INT32_MAX);
        check(reports >= ways[i].least, "%d reports, and not %d", reports, ways[i].least);
        for (int at = 1; at < reports; at += 1 + reports / MANY) {
            label_row(&a, context, &ways[i].options, at);
        }
    }
    halo_context_destroy(&context);
    free(a.row.data);
    free(a.labels.data);
}
