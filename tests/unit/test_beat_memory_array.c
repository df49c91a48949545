#include "core/transport/threads/run.h"
#include "kernels/array/kernel_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/sum_kernel.h"
#include "support/unit_check.h"

/* Heartbeats in memory of the caller (halo_beat_options.memory), by themselves and on arrays with
 * margins. */

TEST("an array with margins is computed where it lies")
{
    static sum_case c;
    uint64_t random = 17;
    for (int i = 0; i < 60; i++) {
        sum_case_make(&c, 1 + (size_t)random_below(&random, SUM_CASE_SHAPES - 1), &random);
        if (c.beats == 0) {
            continue;
        }
        int axes = c.domain.axes;
        ptrdiff_t stride[HALO_AXES], bytes = 4, small = 1, first = 0, small_first = 0;
        ptrdiff_t small_stride[HALO_AXES];
        for (int axis = axes - 1; axis >= 0; axis--) {
            stride[axis] = bytes;
            small_stride[axis] = small;
            first += bytes;
            small_first += small;
            bytes *= c.domain.n[axis] + 2;
            small *= c.domain.n[axis] + 2;
        }
        char *block = malloc((size_t)bytes), *small_block = malloc((size_t)small);
        halo_array arrays[] = {
            {.data = block + first, .type = HALO_SAMPLE_U32, .axes = axes},
            {.data = small_block + small_first, .type = HALO_SAMPLE_U8, .axes = axes}};
        memset(block, 0x77, (size_t)bytes);
        memset(small_block, 0x77, (size_t)small);
        for (int axis = 0; axis < axes; axis++) {
            arrays[0].n[axis] = arrays[1].n[axis] = c.domain.n[axis];
            arrays[0].stride[axis] = stride[axis];
            arrays[1].stride[axis] = small_stride[axis];
        }
        for (int64_t cell = 0; cell < c.cells; cell++) {
            array_set(&arrays[0], cell, c.start[cell]);
            array_set(&arrays[1], cell, 0);
        }
        halo_kernel_array_options options = {.beats = c.beats, .margins = true};
        halo_kernel_array_report report;
        memcpy(options.periodic, c.domain.periodic, sizeof options.periodic);
        halo_context *context;
        SUCCEEDS(halo_context_create(&context));
        SUCCEEDS(halo_context_set_ranks(context, 1 + i % 2));
        SUCCEEDS(halo_kernel_array(context, &sum_kernel, arrays, arrays, &options, &report));
        int64_t wrong = 0;
        for (int64_t cell = 0; cell < c.cells; cell++) {
            wrong += (uint32_t)array_value(&arrays[0], cell) != c.wanted[cell] ||
                     (uint8_t)array_value(&arrays[1], cell) != c.counts[cell];
        }
        /* Room around the cells is written only if they are computed there. */
        check((*block != 0x77) == (report.ranks == 1), "room around cells is %d", *block);
        check(wrong == 0, "%d axes, %" PRId64 " beats: %" PRId64 " cells differ", axes, c.beats,
              wrong);
        halo_context_destroy(&context);
        free(block);
        free(small_block);
    }
}

/* Ranks whose part of 20 x 30 cells lies in memory of their own. */
static halo_status adopt(halo_world *world, void *context)
{
    enum { COLUMNS = 30, WIDE = COLUMNS + 2 };
    const halo_domain domain = {.axes = 2, .n = {20, COLUMNS, 1}, .periodic = {true, false}};
    static const halo_kernel kernel = {.name = "copy",
                                       .help = "Sums",
                                       .cell_bits = {32, 8},
                                       .cell_kind = {HALO_UNSIGNED, HALO_UNSIGNED},
                                       .depth = 1,
                                       .step = sum_step};
    uint32_t cells[22 * WIDE];
    uint8_t counts[22 * WIDE];
    const halo_view memory[] = {{.origin = cells + WIDE + 1, .stride = {4L * WIDE, 4}},
                                {.origin = counts + WIDE + 1, .stride = {WIDE, 1}}};
    halo_beat_options options = {.memory = memory};
    uint32_t *all = context;
    halo_partition strips;
    halo_beat *beat = NULL;
    HALO_TRY(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    const halo_box own = halo_partition_box(&strips, halo_world_rank(world));
    for (int i = 0; i < 22 * WIDE; i++) {
        cells[i] = (uint32_t)((i / WIDE - 1 + own.lo[0]) * COLUMNS + i % WIDE - 1);
        counts[i] = 9;
    }
    halo_status status = halo_beat_create(&beat, world, &domain, &strips, &kernel, &options);
    HALO_IF_OK(status, halo_beat_run(beat, 1));
    HALO_IF_OK(status, halo_beat_run(beat, 1));
    if (status == HALO_OK) {
        const halo_view *now = halo_beat_view(beat, 0);
        status = HALO_REQUIRE(now->origin == memory[0].origin, HALO_ARGUMENT, "not the memory");
        for (int64_t y = 0; y < own.n[0]; y++) {
            memcpy(all + (own.lo[0] + y) * COLUMNS, cells + (y + 1) * WIDE + 1,
                   COLUMNS * sizeof *all);
        }
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    return status;
}

TEST("each rank's part lies in its caller's memory")
{
    const halo_domain domain = {.axes = 2, .n = {20, 30, 1}, .periodic = {true, false}};
    uint32_t start[600], once[600], twice[600], got[600];
    for (uint32_t i = 0; i < 600; i++) {
        start[i] = i;
    }
    sum_beat(&domain, start, once);
    sum_beat(&domain, once, twice);
    for (int ranks = 1; ranks <= 4; ranks++) {
        memset(got, 0, sizeof got);
        SUCCEEDS(halo_run(ranks, NULL, adopt, got));
        check(memcmp(got, twice, sizeof got) == 0, "%d ranks: cells differ", ranks);
    }
}

TEST("memory of the caller that cannot be a field")
{
    static const halo_domain domain = {.axes = 2, .n = {4, 4, 1}};
    static uint64_t memory[100];
    halo_field *field;
    halo_view view = {.origin = memory + 20,
                      .stride = {64, 8},
                      .owned = {.n = {4, 4, 1}},
                      .depth = 1,
                      .side_depth = 1,
                      .cell_bits = 64};
    SUCCEEDS(halo_field_adopt(&field, &domain, &view));
    halo_field_destroy(&field);
    view.stride[0] = 40;
    FAILS(HALO_ARGUMENT, "as far apart as they are long with their halos",
          halo_field_adopt(&field, &domain, &view));
    view.side_depth = 2;
    FAILS(HALO_ARGUMENT, "use as many, or 0", halo_field_adopt(&field, &domain, &view));
    view.side_depth = 1;
    view.stride[0] = 64;
    view.origin = (char *)(memory + 20) + 1;
    FAILS(HALO_ARGUMENT, "at multiples of their size", halo_field_adopt(&field, &domain, &view));
    view.origin = memory + 20;
    view.cell_bits = HALO_BIT;
    FAILS(HALO_ARGUMENT, "cells of 1 bit", halo_field_adopt(&field, &domain, &view));
}
