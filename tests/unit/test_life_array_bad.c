#include "kernels/life/life_array.h"
#include "support/array_layouts.h"
#include "support/unit_check.h"

/* Calls of Life on arrays refuse what is not possible, with the remedy. */

static void refuses_states(void)
{
    static const double bad[] = {3, -1, 256, 1.5, 1e300};
    static const halo_sample_type types[] = {HALO_SAMPLE_I16, HALO_SAMPLE_F64, HALO_SAMPLE_I64};
    static const int64_t n[] = {7, 9};
    halo_life_array *life;
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    for (size_t i = 0; i < COUNT(bad) * COUNT(types); i++) {
        double value = bad[i / COUNT(types)];
        halo_sample_type type = types[i % COUNT(types)];
        if (type != HALO_SAMPLE_F64 && (value > 1e3 || (value > 1 && value < 2))) {
            continue;
        }
        laid_array cells = array_lay((array_layout)(i % LAYOUTS), type, 2, n);
        char words[100];
        SUCCEEDS(halo_context_set_ranks(context, 1 + (int)(i % 3)));
        for (int64_t k = 0; k < n[0] * n[1]; k++) {
            array_set(&cells.array, k, k == 5 * n[1] + 2 ? value : (double)(k % 3));
        }
        snprintf(words, sizeof words, "column 2, row 5 of the array has state %.15g, but", value);
        FAILS(HALO_ARGUMENT, words,
              halo_life_array_create(&life, context, &cells.array,
                                     &(halo_life_array_options){.rule = "B2/S/C3"}));
        array_free(&cells);
    }
    halo_context_destroy(&context);
}

TEST("what is refused, with the remedy")
{
    static uint8_t grid[4][5];
    static const int64_t n[] = {4, 5};
    halo_array cells = array_plain(HALO_SAMPLE_U8, 2, n, grid), other = cells;
    halo_life_array *life;
    halo_context *context;
#define REFUSES(array, words, ...)                                                              \
    FAILS(HALO_ARGUMENT, words,                                                                 \
          halo_life_array_create(&life, NULL, array, &(halo_life_array_options){__VA_ARGS__})); \
    check(life == NULL, "made")
    REFUSES(&cells, "rule", .rule = "B9/S");
    REFUSES(&cells, "supported are plane, dead, torus and cylinder", .topology = "ball");
    REFUSES(&cells, "the pattern does not fit", .topology = "T4,4");
    REFUSES(&cells, "generation -1 is not possible; give one from 0 on", .generation = -1);
    REFUSES(&cells, "from at most 2^40 on", .row = INT64_MAX / 4);
    REFUSES(&cells, "use a torus", .rule = "B0/S", .topology = "P0,4");
    grid[3][2] = 4;
    SUCCEEDS(halo_context_create(&context));
    for (int ranks = 1; ranks < 4; ranks++) {
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        FAILS(HALO_ARGUMENT, "column 2, row 3 has state 4, but the rule's states are 0 to 2",
              halo_life_array_create(&life, context, &cells,
                                     &(halo_life_array_options){.rule = "B2/S/C3"}));
    }
    halo_context_destroy(&context);
    grid[3][2] = 0;
    refuses_states();
    other.n[0] = 0;
    REFUSES(&other, "the grid has no cells; it must have at least 1 row and column", .rule = NULL);
    other = cells;
    other.axes = 1;
    REFUSES(&other, "the grid has 1 axis, and must have 2", .rule = NULL);
#undef REFUSES
    SUCCEEDS(
        halo_life_array_create(&life, NULL, &cells, &(halo_life_array_options){.rule = "B2/S/C3"}));
    FAILS(HALO_ARGUMENT, "-1 generations cannot be computed; give 0 or more",
          halo_life_array_run(life, NULL, -1, NULL));
    FAILS(HALO_ARGUMENT, "more than can be counted",
          halo_life_array_run(life, NULL, INT64_MAX, NULL));
    other = cells;
    other.type = HALO_SAMPLE_BIT;
    FAILS(HALO_ARGUMENT, "is of bool, and the rule has 3 states; use uint8",
          halo_life_array_get_cells(life, NULL, 0, 0, &other));
    other.type = HALO_SAMPLE_F32;
    other.n[1] = 1;
    FAILS(HALO_ARGUMENT, "elements of float32, and must have bool, uint8 or int8",
          halo_life_array_get_cells(life, NULL, 0, 0, &other));
    FAILS(HALO_ARGUMENT, "beyond any grid",
          halo_life_array_get_cells(life, NULL, INT64_MIN, 0, &cells));
    other = cells;
    other.stride[0] = 0;
    FAILS(HALO_ARGUMENT, "share memory", halo_life_array_get_cells(life, NULL, 0, 0, &other));
    halo_life_array_destroy(&life);
    halo_life_array_destroy(&life);
}
