/* Tests of what all calls on arrays share: NULL stands for defaults, and structures may be those of
 * another version. */

#include "kernels/array/kernel_array.h"
#include "kernels/chan_vese/chan_vese_array.h"
#include "kernels/cluster/cluster_array.h"
#include "kernels/distance/distance_array.h"
#include "kernels/distance/thickness_array.h"
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
#include "support/unit_check.h"

enum { SIDE = 24, CELLS = SIDE * SIDE };

static halo_array plane(void *cells, halo_sample_type type)
{
    const ptrdiff_t size = (ptrdiff_t)halo_sample_types[type].stored;
    return (halo_array){
        .data = cells, .type = type, .axes = 2, .n = {SIDE, SIDE}, .stride = {SIDE * size, size}};
}

/* Two squares of 1 on 0, the second one with a corner of 2. */
static void draw(uint8_t grid[CELLS])
{
    memset(grid, 0, CELLS);
    for (int y = 2; y < 10; y++) {
        memset(grid + (ptrdiff_t)y * SIDE + 2, 1, 8);
        memset(grid + ((ptrdiff_t)y + 10) * SIDE + 12, y < 4 ? 2 : 1, 8);
    }
}

/* ---- defaults -------------------------------------------------------------------------------- */

TEST("labels and regions with NULL for context, options and results that are not wanted")
{
    static uint8_t grid[CELLS], kept[CELLS];
    const halo_array image = plane(grid, HALO_SAMPLE_U8), out = plane(kept, HALO_SAMPLE_U8);
    halo_array_table *table;
    int64_t regions;
    draw(grid);
    SUCCEEDS(halo_label_array(NULL, &image, NULL, NULL, &regions));
    CU_ASSERT_EQUAL(regions, 2);
    SUCCEEDS(halo_label_array(NULL, &image, NULL, NULL, NULL));
    SUCCEEDS(halo_regions_array(NULL, &image, NULL, NULL, &table));
    CU_ASSERT_EQUAL(halo_array_table_rows(table), 2);
    halo_array_table_destroy(&table);
    SUCCEEDS(halo_contacts_array(NULL, &image, NULL, &table));
    CU_ASSERT_EQUAL(halo_array_table_rows(table), 1);
    halo_array_table_destroy(&table);
    SUCCEEDS(halo_keep_array(NULL, &image, &out, NULL, NULL));
    CU_ASSERT_EQUAL(memcmp(grid, kept, CELLS), 0);
}

TEST("paths with NULL for context, options and results that are not wanted")
{
    static uint8_t grid[CELLS];
    static double far[CELLS];
    const halo_array costs = plane(grid, HALO_SAMPLE_U8), distances = plane(far, HALO_SAMPLE_F64);
    const halo_paths_place from = {0, 0}, end = {0, SIDE - 1};
    halo_paths_trail *trail;
    memset(grid, 1, CELLS);
    SUCCEEDS(halo_paths_array(NULL, &costs, &from, 1, NULL, NULL, NULL, NULL));
    SUCCEEDS(halo_paths_array(NULL, &costs, &from, 1, &distances, NULL, NULL, NULL));
    NEAR(far[SIDE - 1], SIDE - 1, 0);
    SUCCEEDS(halo_paths_array_trace(NULL, &costs, &distances, &from, 1, &end, 1, NULL, &trail));
    CU_ASSERT_EQUAL(trail->count, SIDE);
    halo_paths_trail_destroy(&trail);
}

TEST("beats with NULL for context, options and results that are not wanted")
{
    static uint8_t grid[CELLS], set[CELLS];
    const halo_array image = plane(grid, HALO_SAMPLE_U8), out = plane(set, HALO_SAMPLE_U8);
    const halo_cluster_array_options two = {.clusters = 2};
    halo_life_array *life;
    halo_walk_result *walkers;
    draw(grid);
    SUCCEEDS(halo_chan_vese_array(NULL, &image, NULL, &out, NULL, NULL));
    SUCCEEDS(halo_cluster_array(NULL, &image, NULL, &two, NULL, NULL));
    SUCCEEDS(halo_watershed_array(NULL, &image, NULL, NULL, &out, NULL, NULL));
    SUCCEEDS(halo_split_array(NULL, &image, NULL, &out, NULL, NULL));
    FAILS(HALO_ARGUMENT, "0 clusters; use 1 to 65535",
          halo_cluster_array(NULL, &image, NULL, NULL, NULL, NULL));
    SUCCEEDS(halo_life_array_create(&life, NULL, &image, NULL));
    SUCCEEDS(halo_life_array_run(life, NULL, 3, NULL));
    SUCCEEDS(halo_life_array_get_cells(life, NULL, 0, 0, &out));
    CU_ASSERT_STRING_EQUAL(halo_life_array_get_report(life).rule, "B3/S23");
    halo_life_array_destroy(&life);
    memset(grid, 0, CELLS); /* the default number of walkers takes long */
    FAILS(HALO_ARGUMENT, "576 cells is fluid", halo_walk_array(NULL, &image, NULL, &walkers));
    CU_ASSERT_PTR_NULL(walkers);
}

TEST("a kernel with NULL for context and options, which must converge then")
{
    static double cells[CELLS];
    const halo_array field = plane(cells, HALO_SAMPLE_F64);
    halo_kernel_array_report report;
    FAILS(HALO_ARGUMENT, "give it a number of beats",
          halo_kernel_array(NULL, &halo_heat_kernel, &field, &field, NULL, NULL));
    const halo_kernel_array_options one = {.beats = 1};
    SUCCEEDS(halo_kernel_array(NULL, &halo_heat_kernel, &field, &field, &one, &report));
    CU_ASSERT_EQUAL(report.beats, 1);
}

/* ---- structures of other versions ------------------------------------------------------------ */

/* Makes a call with a report of `report_bytes` bytes and options of `options_bytes` bytes. */
typedef void report_call(void *report, size_t report_bytes, size_t options_bytes);

static uint8_t squares[CELLS], results[CELLS];
static double warm[CELLS];

static void call_kernel(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array field = plane(warm, HALO_SAMPLE_F64);
    const halo_kernel_array_options options = {.beats = 2};
    SUCCEEDS(halo_kernel_array_sized(NULL, &halo_heat_kernel, &field, &field, &options, report,
                                     options_bytes, report_bytes));
}

static void call_watershed(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8), out = plane(results, HALO_SAMPLE_U8);
    const halo_watershed_array_options options = {.connectivity = 8};
    SUCCEEDS(halo_watershed_array_sized(NULL, &image, NULL, NULL, &out, &options, report,
                                        options_bytes, report_bytes));
}

static void call_split(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8), out = plane(results, HALO_SAMPLE_U8);
    const halo_split_array_options options = {.connectivity = 8};
    SUCCEEDS(halo_split_array_sized(NULL, &image, NULL, &out, &options, report, options_bytes,
                                    report_bytes));
}

static void call_chan_vese(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8), out = plane(results, HALO_SAMPLE_U8);
    const halo_chan_vese_array_options options = {.beats = {2, true}};
    SUCCEEDS(halo_chan_vese_array_sized(NULL, &image, NULL, &out, &options, report, options_bytes,
                                        report_bytes));
}

static void call_cluster(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8);
    const halo_cluster_array_options options = {.clusters = 2};
    SUCCEEDS(halo_cluster_array_sized(NULL, &image, NULL, &options, NULL, report, options_bytes,
                                      report_bytes));
}

static void call_distance(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8);
    const halo_distance_array_options options = {.squared = true};
    SUCCEEDS(halo_distance_array_sized(NULL, &image, NULL, NULL, &options, report, options_bytes,
                                       report_bytes));
}

static void call_thickness(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array image = plane(squares, HALO_SAMPLE_U8);
    const halo_thickness_array_options options = {.squared = true};
    SUCCEEDS(halo_thickness_array_sized(NULL, &image, NULL, &options, report, options_bytes,
                                        report_bytes));
}

static void call_paths(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array costs = plane(squares, HALO_SAMPLE_U8);
    const halo_paths_place from = {0, 0};
    const halo_paths_array_options options = {.neighbours = 8};
    SUCCEEDS(halo_paths_array_sized(NULL, &costs, &from, 1, NULL, NULL, &options, report,
                                    options_bytes, report_bytes));
}

static void call_life(void *report, size_t report_bytes, size_t options_bytes)
{
    const halo_array cells = plane(squares, HALO_SAMPLE_U8);
    const halo_life_array_options options = {.rule = "B3/S23"};
    halo_life_array *life;
    SUCCEEDS(halo_life_array_create_sized(&life, NULL, &cells, &options, options_bytes));
    SUCCEEDS(halo_life_array_run(life, NULL, 2, NULL));
    halo_life_array_get_report_sized(life, report, report_bytes);
    halo_life_array_destroy(&life);
}

static halo_walk_result *walk(size_t options_bytes)
{
    const halo_array medium = plane(squares, HALO_SAMPLE_U8);
    const halo_walk_array_options options = {.walkers = 64, .steps = 64};
    halo_walk_result *result;
    SUCCEEDS(halo_walk_array_sized(NULL, &medium, &options, &result, options_bytes));
    return result;
}

static void call_walk(void *report, size_t report_bytes, size_t options_bytes)
{
    halo_walk_result *result = walk(options_bytes);
    halo_walk_result_get_report_sized(result, report, report_bytes);
    halo_walk_result_destroy(&result);
}

static void call_walk_axis(void *report, size_t report_bytes, size_t options_bytes)
{
    halo_walk_result *result = walk(options_bytes);
    halo_walk_result_get_axis_sized(result, 0, report, report_bytes);
    halo_walk_result_destroy(&result);
}

static void call_walk_motion(void *report, size_t report_bytes, size_t options_bytes)
{
    halo_walk_result *result = walk(options_bytes);
    halo_walk_result_get_motion_sized(result, 3, 0, report, report_bytes);
    halo_walk_result_destroy(&result);
}

static const struct {
    const char *name;
    report_call *call;
    size_t report, options; /* bytes now */
    size_t first_report,
        first_options; /* of versions with the members that the call sets or needs */
} calls[] = {
#define CALL(name, report, options, last)                                     \
    {                                                                         \
#name, call_##name, sizeof(report), sizeof(options), sizeof(int64_t), \
            offsetof(options, last) + sizeof(((options *)NULL)->last)         \
    }
    CALL(kernel, halo_kernel_array_report, halo_kernel_array_options, beats),
    CALL(chan_vese, halo_chan_vese_array_report, halo_chan_vese_array_options, beats),
    CALL(split, halo_split_report, halo_split_array_options, connectivity),
    CALL(watershed, halo_watershed_report, halo_watershed_array_options, connectivity),
    CALL(cluster, halo_cluster_array_report, halo_cluster_array_options, clusters),
    CALL(distance, halo_distance_array_report, halo_distance_array_options, squared),
    CALL(thickness, halo_thickness_array_report, halo_thickness_array_options, squared),
    CALL(paths, halo_paths_array_report, halo_paths_array_options, neighbours),
    CALL(life, halo_life_array_report, halo_life_array_options, rule),
    CALL(walk, halo_walk_array_report, halo_walk_array_options, steps),
    CALL(walk_axis, halo_walk_axis_report, halo_walk_array_options, steps),
    CALL(walk_motion, halo_walk_motion, halo_walk_array_options, steps),
#undef CALL
};

TEST("programs of an older and of a newer version: no byte beyond their reports is written")
{
    enum { ROOM = 1024, FILL = 0x55 };
    unsigned char whole[ROOM], given[ROOM], fill[ROOM];
    memset(fill, FILL, ROOM);
    draw(squares);
    for (size_t i = 0; i < COUNT(calls); i++) {
        const size_t now = calls[i].report, first = calls[i].first_report;
        const size_t sizes[] = {0, first, now / 2, now, now + 32};
        CU_ASSERT_FATAL(now + 32 <= ROOM && first < now);
        memset(warm, 0, sizeof warm);
        calls[i].call(whole, now, calls[i].options);
        for (size_t k = 0; k < COUNT(sizes); k++) {
            size_t bytes = sizes[k];
            memset(given, FILL, ROOM);
            memset(warm, 0, sizeof warm);
            calls[i].call(given, bytes, calls[i].first_options);
            check(memcmp(given, whole, bytes < first ? bytes : first) == 0,
                  "%s: other results in %zu bytes", calls[i].name, bytes);
            check(memcmp(given + bytes, fill, ROOM - bytes) == 0, "%s: writes beyond %zu bytes",
                  calls[i].name, bytes);
            for (size_t at = now; at < bytes; at++) {
                check(given[at] == 0, "%s: byte %zu is not 0", calls[i].name, at);
            }
        }
        check(memcmp(whole, fill, first) != 0, "%s: no results", calls[i].name);
    }
}

TEST("after a failure reports are 0")
{
    static uint8_t grid[CELLS];
    const halo_array image = plane(grid, HALO_SAMPLE_U8);
    const halo_paths_place outside = {SIDE, 0};
    halo_cluster_array_report clusters = {.labels = 5};
    halo_paths_array_report paths = {.reached = 5};
    halo_chan_vese_array_report set = {.beats = 5};
    halo_kernel_array_report beats = {.beats = 5};
    FAILS(HALO_ARGUMENT, "0 clusters",
          halo_cluster_array(NULL, &image, NULL, NULL, NULL, &clusters));
    FAILS(HALO_ARGUMENT, "source 1 is in row 24",
          halo_paths_array(NULL, &image, &outside, 1, NULL, NULL, NULL, &paths));
    FAILS(HALO_ARGUMENT, "share memory", /* an output whose elements overlap */
          halo_chan_vese_array(
              NULL, &image, NULL,
              &(halo_array){.data = grid, .axes = 2, .n = {SIDE, SIDE}, .type = HALO_SAMPLE_U8},
              NULL, &set));
    FAILS(HALO_ARGUMENT, "convert them",
          halo_kernel_array(NULL, &halo_heat_kernel, &image, &image,
                            &(halo_kernel_array_options){.beats = 1}, &beats));
    check(clusters.labels == 0 && paths.reached == 0 && set.beats == 0 && beats.beats == 0,
          "reports");
}
