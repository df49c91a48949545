#include "kernels/cluster/cluster_array.h"
#include "support/array_layouts.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_cluster_array with clusters in one piece each. */

static const int64_t side[] = {40, 50};
enum { PIXELS = 40 * 50 };

/* Labels are in the order of first pixels, and each is one piece of `least` pixels at least. */
static void check_pieces(const halo_array *labels, int64_t count, int64_t least, const char *what)
{
    static int64_t stack[4 * PIXELS];
    static bool seen[PIXELS];
    int64_t next = 0, wrong = 0;
    memset(seen, 0, sizeof seen);
    for (int64_t first = 0; first < PIXELS; first++) {
        if (seen[first]) {
            continue;
        }
        int64_t depth = 1, pixels = 0;
        double label = array_value(labels, first);
        wrong += (int64_t)label != next++;
        seen[first] = true;
        stack[0] = first;
        while (depth > 0) {
            int64_t at = stack[--depth], x = at % side[1], y = at / side[1];
            const int64_t to[] = {x > 0 ? at - 1 : at, x + 1 < side[1] ? at + 1 : at,
                                  y > 0 ? at - side[1] : at, y + 1 < side[0] ? at + side[1] : at};
            pixels++;
            for (int i = 0; i < 4; i++) {
                if (!seen[to[i]] && (int64_t)array_value(labels, to[i]) == (int64_t)label) {
                    seen[to[i]] = true;
                    stack[depth++] = to[i];
                }
            }
        }
        wrong += pixels < least;
    }
    check(next == count && wrong == 0,
          "%s: %" PRId64 " pieces of %" PRId64 " labels, %" PRId64 " wrong", what, next, count,
          wrong);
}

TEST("connected superpixels, the same on any ranks and in any layout")
{
    static double noise[PIXELS], first[PIXELS];
    uint64_t random = 9;
    for (int64_t i = 0; i < PIXELS; i++) {
        noise[i] = (double)random_below(&random, 256);
    }
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    for (int share = 0; share < 2; share++) {
        const halo_cluster_array_options options = {.clusters = 20,
                                                    .beats = 4,
                                                    .compactness = .1,
                                                    .connected = true,
                                                    .min_size = {0, share > 0}};
        for (int i = 0; i < 5; i++) {
            char what[60];
            laid_array from =
                array_lay_values((array_layout)(i % LAYOUTS), HALO_SAMPLE_U8, 2, side, noise);
            laid_array to = array_lay((array_layout)((i + 2) % LAYOUTS), HALO_SAMPLE_U16, 2, side);
            halo_cluster_array_report report;
            halo_array_table *table;
            int64_t pixels = 0, differ = 0;
            snprintf(what, sizeof what, "%d ranks", i + 1);
            SUCCEEDS(halo_context_set_ranks(context, i + 1));
            SUCCEEDS(
                halo_cluster_array(context, &from.array, &to.array, &options, &table, &report));
            check_pieces(&to.array, report.labels, share > 0 ? 1 : PIXELS / 20 / 2, what);
            check(share > 0 ? report.pieces == report.labels : report.pieces > report.labels,
                  "%" PRId64 " pieces, %" PRId64 " labels", report.pieces, report.labels);
            const halo_array_column *column = halo_array_table_find(table, "pixels");
            CU_ASSERT_PTR_NOT_NULL_FATAL(column);
            for (int64_t k = 0; k < report.labels; k++) {
                pixels += ((const int64_t *)column->values)[k];
            }
            check(halo_array_table_rows(table) == report.labels && pixels == PIXELS,
                  "%" PRId64 " pixels", pixels);
            for (int64_t at = 0; at < PIXELS; at++) {
                double label = array_value(&to.array, at);
                differ += i > 0 && (int64_t)label != (int64_t)first[at];
                first[at] = label;
            }
            check(differ == 0, "%s: %" PRId64 " differ", what, differ);
            halo_array_table_destroy(&table);
            array_free(&from);
            array_free(&to);
        }
    }
    halo_context_destroy(&context);
}
