#include "kernels/paths/paths_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

/* halo_paths_array and halo_paths_array_trace: what they refuse, options by name, and progress. */

/* ---- refusals -------------------------------------------------------------------------------- */

static const int64_t side[] = {9, 12}, turned[] = {12, 9}, cube[] = {2, 9, 12}, none[] = {0, 12};

TEST("what is refused, with the remedy")
{
    laid_array costs = array_lay(LAYOUT_C, HALO_SAMPLE_F32, 2, side);
    laid_array to = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 2, side);
    laid_array bytes = array_lay(LAYOUT_C, HALO_SAMPLE_I8, 2, side);
    laid_array other = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 2, turned);
    laid_array volume = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 3, cube);
    laid_array empty = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, none);
    halo_paths_place at = {2, 3}, outside = {9, 0}, behind = {18, 0}, many[200] = {{0, 0}};
#define REFUSES(words, ...) FAILS(HALO_ARGUMENT, words, halo_paths_array(NULL, __VA_ARGS__, NULL))
    REFUSES("8 neighbours; use 6, 18 or 26 in an array of 3 axes", &volume.array, &at, 1, NULL,
            NULL, &(halo_paths_array_options){.neighbours = 8});
    REFUSES("rows, through all planes, are from 0 to 17", &volume.array, &behind, 1, NULL, NULL,
            NULL);
    REFUSES("the spacing along axis 2 is 0; use numbers above 0", &volume.array, &at, 1, NULL, NULL,
            (&(halo_paths_array_options){.spacing = {2, 1}}));
    REFUSES("the array of costs is empty", &empty.array, &at, 1, NULL, NULL, NULL);
    REFUSES("source 1 is in row 9, column 0; rows are from 0 to 8, columns from 0 to 11",
            &costs.array, &outside, 1, NULL, NULL, NULL);
    REFUSES("there are 0 sources; there must be 1", &costs.array, &at, 0, NULL, NULL, NULL);
    REFUSES("there is no list of sources", &costs.array, NULL, 1, NULL, NULL, NULL);
    REFUSES("distances are of float32; they must be of float64", &costs.array, &at, 1, &costs.array,
            NULL, NULL);
    REFUSES("has 9 elements along axis 0, and that of distances has 12", &costs.array, &at, 1,
            &other.array, NULL, NULL);
    REFUSES("cannot be of float64; use int32", &costs.array, &at, 1, NULL, &to.array, NULL);
    REFUSES("200 sources are more than numbers of int8 can be; use int32", &costs.array, many, 200,
            NULL, &bytes.array, NULL);
    REFUSES("26 neighbours; use 4, 8 or 16", &costs.array, &at, 1, NULL, NULL,
            &(halo_paths_array_options){.neighbours = 26});
    REFUSES("5 neighbours; use 4, 8 or 16", &costs.array, &at, 1, NULL, NULL,
            &(halo_paths_array_options){.neighbours = 5});
    REFUSES("the spacing along axis 1 is -1; use numbers above 0", &costs.array, &at, 1, NULL, NULL,
            (&(halo_paths_array_options){.spacing = {1, -1}}));
    REFUSES("the spacing along axis 1 is 0; use numbers above 0", &costs.array, &at, 1, NULL, NULL,
            &(halo_paths_array_options){.spacing = {2}});
    REFUSES("the spacing along axis 0 is nan; use numbers", &costs.array, &at, 1, NULL, NULL,
            &(halo_paths_array_options){.spacing = {NAN}});
    REFUSES("is 1e+10; use numbers from 1e-9 to 1e9", &costs.array, &at, 1, NULL, NULL,
            (&(halo_paths_array_options){.spacing = {1, 1e10}}));
    REFUSES("use a number above 0, or 0 for no limit", &costs.array, &at, 1, NULL, NULL,
            &(halo_paths_array_options){.max_distance = -2});
    for (int i = 0; i < 3; i++) {
        static const double barriers[] = {-1, HUGE_VAL, NAN};
        array_set(&costs.array, 2 * 12 + 3, barriers[i]);
        REFUSES("source 2, in row 2, column 3, is on a barrier", &costs.array,
                ((halo_paths_place[]){{0, 0}, {2, 3}}), 2, NULL, NULL, NULL);
    }
#undef REFUSES
    array_free(&costs);
    array_free(&to);
    array_free(&bytes);
    array_free(&other);
    array_free(&volume);
    array_free(&empty);
}

TEST("paths are refused where distances are not those of the costs")
{
    laid_array costs = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    laid_array distances = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 2, side);
    laid_array bytes = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    halo_paths_place source = {0, 0}, end = {8, 11}, outside = {0, 12};
    halo_paths_trail *trail;
    for (int64_t i = 0; i < 9 * 12; i++) {
        array_set(&costs.array, i, 2);
        array_set(&distances.array, i, (double)(i * i));
    }
#define REFUSES(words, ...) \
    FAILS(HALO_ARGUMENT, words, halo_paths_array_trace(NULL, &costs.array, __VA_ARGS__, &trail))
    REFUSES("are not those of these costs", &distances.array, &source, 1, &end, 1, NULL);
    check(trail == NULL, "a trail");
    array_set(&distances.array, 8 * 12 + 11, NAN);
    SUCCEEDS(halo_paths_array_trace(NULL, &costs.array, &distances.array, &source, 1, &end, 1, NULL,
                                    &trail));
    check(trail->count == 0, "%" PRId64 " cells", trail->count);
    halo_paths_trail_destroy(&trail);
    REFUSES("end 1 is in row 0, column 12", &distances.array, &source, 1, &outside, 1, NULL);
    REFUSES("there must be a source", &distances.array, &source, 0, &end, 1, NULL);
    REFUSES("must be of float64", &bytes.array, &source, 1, &end, 1, NULL);
#undef REFUSES
    array_free(&costs);
    array_free(&distances);
    array_free(&bytes);
}

/* ---- options by name, progress --------------------------------------------------------------- */

TEST("options by name")
{
    halo_paths_array_options options = {0};
    SUCCEEDS(halo_options_set_defaults(halo_paths_array_rows, &options));
    check(options.neighbours == 0 && options.spacing[1] >= 0 && options.spacing[1] <= 0,
          "defaults");
    SUCCEEDS(halo_options_set(halo_paths_array_rows, &options, "paths", "neighbours", "16"));
    SUCCEEDS(halo_options_set(halo_paths_array_rows, &options, "paths", "spacing-0", "2.5"));
    SUCCEEDS(halo_options_set(halo_paths_array_rows, &options, "paths", "max-distance", "1e3"));
    check(options.neighbours == 16 && options.spacing[0] > 2.4 && options.max_distance > 999,
          "values");
}

TEST("a function of progress cancels, at once and later")
{
    static const int64_t n[] = {700, 700};
    laid_array costs = array_lay(LAYOUT_C, HALO_SAMPLE_U16, 2, n);
    laid_array to = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 2, n);
    laid_array numbers = array_lay(LAYOUT_C, HALO_SAMPLE_I32, 2, n);
    halo_paths_place source = {350, 0};
    halo_context *context;
    uint64_t random = 3;
    for (int64_t i = 0; i < n[0] * n[1]; i++) {
        array_set(&costs.array, i, (double)random_below(&random, 65536));
    }
    SUCCEEDS(halo_context_create(&context));
    for (int ranks = 1; ranks <= 3; ranks++) {
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        for (int limit = 1; limit <= 2; limit++) {
            array_progress w = array_progress_until(limit);
            halo_context_set_progress(context, array_progress_watch, &w);
            halo_status status = halo_paths_array(context, &costs.array, &source, 1, &to.array,
                                                  &numbers.array, NULL, NULL);
            check(status == (w.calls >= limit ? HALO_CANCELLED : HALO_OK), "%d ranks: %s", ranks,
                  halo_status_text(status));
            check(w.calls >= 1 && w.calls <= limit, "%d calls", w.calls);
        }
        halo_context_set_progress(context, NULL, NULL);
        SUCCEEDS(halo_paths_array(context, &costs.array, &source, 1, &to.array, NULL, NULL, NULL));
        array_progress w = array_progress_until(1);
        halo_paths_place end = {0, 699};
        halo_paths_trail *trail;
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled",
              halo_paths_array_trace(context, &costs.array, &to.array, &source, 1, &end, 1, NULL,
                                     &trail));
    }
    halo_context_destroy(&context);
    array_free(&costs);
    array_free(&to);
    array_free(&numbers);
}
