#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "kernels/cluster/cluster_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <sys/mman.h>

/* halo_cluster_array: what it refuses, options by name, progress, and images in memory that cannot
 * be written. */

static const int64_t side[] = {40, 50};

static halo_sample_range range_of(const char *text)
{
    halo_sample_range range;
    SUCCEEDS(halo_sample_range_parse(text, &range));
    return range;
}

TEST("the image is not written to: it may lie in memory that cannot be")
{
    enum { BYTES = 1 << 16 };
    static const int64_t n[] = {256, 256};
    unsigned char *memory =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(memory != MAP_FAILED, "memory");
    for (unsigned i = 0; i < BYTES; i++) {
        memory[i] = (unsigned char)(i * i >> 5);
    }
    check(mprotect(memory, BYTES, PROT_READ) == 0, "read-only memory");
    halo_array picture = {memory, HALO_SAMPLE_U8, false, 2, {n[0], n[1]}, {n[1], 1}};
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    for (int ranks = 1; ranks <= 3; ranks++) {
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        SUCCEEDS(halo_cluster_array(
            context, &picture, NULL,
            (&(halo_cluster_array_options){.clusters = 50, .beats = 3, .connected = true}), NULL,
            NULL));
    }
    halo_context_destroy(&context);
    munmap(memory, BYTES);
}

/* ---- refusals -------------------------------------------------------------------------------- */

TEST("what is refused, with the remedy")
{
    static const int64_t volume_n[] = {4, 40, 50}, two_n[] = {40, 50, 2}, colour_n[] = {40, 50, 3},
                         none_n[] = {0, 50};
    laid_array picture = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    laid_array reals = array_lay(LAYOUT_C, HALO_SAMPLE_F32, 2, side);
    laid_array volume = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 3, volume_n);
    laid_array two = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 3, two_n);
    laid_array colours = array_lay(LAYOUT_C, HALO_SAMPLE_F64, 3, colour_n);
    laid_array whole = array_lay(LAYOUT_C, HALO_SAMPLE_I32, 3, colour_n);
    laid_array none = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, none_n);
    laid_array labels = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, side);
    halo_array_table *table;
    array_set(&reals.array, 7, NAN);
    array_set(&colours.array, 7, 1.5);
#define REFUSES(words, from, to, ...)                                                            \
    do {                                                                                         \
        const halo_cluster_array_options options = {__VA_ARGS__};                                \
        FAILS(HALO_ARGUMENT, words, halo_cluster_array(NULL, from, to, &options, &table, NULL)); \
        check(table == NULL, "a table");                                                         \
    } while (0)
    REFUSES("0 clusters; use 1 to 65535", &picture.array, NULL, .clusters = 0);
    REFUSES("2001 clusters of a picture of 2000 pixels", &picture.array, NULL, .clusters = 2001);
    REFUSES("3 axes; set colour", &volume.array, NULL, .clusters = 5);
    REFUSES("leave colour out for greys", &picture.array, NULL, .clusters = 5, .colour = true);
    REFUSES("3 elements along the last one", &two.array, NULL, .clusters = 5, .colour = true);
    REFUSES("the image is empty", &none.array, NULL, .clusters = 5);
    REFUSES("the image has 1 elements that are NaN, which is no grey; replace them", &reals.array,
            NULL, .clusters = 5);
    array_set(&reals.array, 7, -INFINITY);
    REFUSES("the image has 1 infinite elements, which are no greys; replace them", &reals.array,
            NULL, .clusters = 5);
    REFUSES("the image has 1 infinite elements", &reals.array, NULL, .clusters = 5,
            .range = range_of("0..2"));
    REFUSES("colours are from 0 to 1.5, and of float64 they are from 0 to 1; give the range",
            &colours.array, NULL, .clusters = 5, .colour = true);
    REFUSES("colours are of int32; convert them to uint8, or give the range", &whole.array, NULL,
            .clusters = 5, .colour = true);
    REFUSES("is none of the image, whose elements are uint8; give two whole numbers",
            &picture.array, NULL, .clusters = 5, .range = range_of("0..2.5"));
    REFUSES("300 clusters are more than labels of uint8 can be; use labels of int32",
            &picture.array, &labels.array, .clusters = 300);
    REFUSES("cannot be of float32; use int32", &picture.array, &reals.array, .clusters = 5);
    REFUSES("and must have 2", &picture.array, &volume.array, .clusters = 5);
    REFUSES("use numbers from 0 on", &picture.array, NULL, .clusters = 5, .weight = {-1, true});
    REFUSES("leave one of them out", &picture.array, NULL, .clusters = 5, .compactness = 10,
            .weight = {1, true});
    REFUSES("they go up to 1000: use a smaller one, or a larger compactness", &picture.array, NULL,
            .clusters = 5, .compactness = 1e-9);
    REFUSES("use a share from 0 to 1", &picture.array, NULL, .clusters = 5, .change = 2);
    REFUSES("use a share from 0 to 1", &picture.array, NULL, .clusters = 5,
            .min_size = {NAN, true});
    REFUSES("-1 beats; use 1 or more", &picture.array, NULL, .clusters = 5, .beats = -1);
    REFUSES("leaves", &picture.array, NULL, .clusters = 5, .engine = "fast");
#undef REFUSES
    SUCCEEDS(halo_cluster_array(
        NULL, &picture.array, &labels.array,
        (&(halo_cluster_array_options){.clusters = 256, .weight = {0, true}}), NULL, NULL));
    laid_array *const all[] = {&picture, &reals, &volume, &two, &colours, &whole, &none, &labels};
    for (size_t i = 0; i < COUNT(all); i++) {
        array_free(all[i]);
    }
}

/* ---- options by name, progress --------------------------------------------------------------- */

TEST("rows that are longer than any memory, and one row of any stride")
{
    static double zero;
    static uint16_t row[101];
    halo_array huge = {
        .data = &zero, .type = HALO_SAMPLE_F64, .axes = 2, .n = {2, (int64_t)1 << 57}};
    halo_array odd = {
        .data = row, .type = HALO_SAMPLE_U16, .axes = 2, .n = {1, 100}, .stride = {201, 2}};
    halo_cluster_array_options options = {.clusters = 2};
    halo_status status = halo_cluster_array(NULL, &huge, NULL, &options, NULL, NULL);
    check(status == HALO_MEMORY || status == HALO_ARGUMENT, "%s", halo_last_message());
    SUCCEEDS(halo_cluster_array(NULL, &odd, NULL, &options, NULL, NULL));
}

TEST("options by name")
{
    halo_cluster_array_options options = {0};
    SUCCEEDS(halo_options_set_defaults(halo_cluster_array_rows, &options));
    SUCCEEDS(halo_options_set(halo_cluster_array_rows, &options, "cluster", "clusters", "12"));
    SUCCEEDS(halo_options_set(halo_cluster_array_rows, &options, "cluster", "min-size", "25%"));
    SUCCEEDS(halo_options_set(halo_cluster_array_rows, &options, "cluster", "engine", "tiles"));
    check(options.clusters == 12 && options.beats == 300, "values");
    NEAR(options.min_size.value, .25, 0);
    check(options.min_size.given && !options.weight.given && !options.range.given, "given");
    SUCCEEDS(halo_options_set(halo_cluster_array_rows, &options, "cluster", "range", "-5..7"));
    check(options.range.given && options.range.low.negative, "a range");
    FAILS(HALO_ARGUMENT, "two numbers, the lower one first",
          halo_options_set(halo_cluster_array_rows, &options, "cluster", "range", "5"));
    FAILS(HALO_ARGUMENT, "clusters",
          halo_options_set(halo_cluster_array_rows, &options, "cluster", "clusters", "0"));
}

TEST("a function of progress cancels, at once and later")
{
    static const int64_t n[] = {600, 600};
    laid_array picture = array_lay(LAYOUT_C, HALO_SAMPLE_U8, 2, n);
    laid_array labels = array_lay(LAYOUT_C, HALO_SAMPLE_I32, 2, n);
    halo_context *context;
    uint64_t random = 3;
    for (int64_t i = 0; i < n[0] * n[1]; i++) {
        array_set(&picture.array, i, (double)random_below(&random, 256));
    }
    SUCCEEDS(halo_context_create(&context));
    for (int ranks = 1; ranks <= 3; ranks++) {
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        for (int limit = 1; limit <= 2; limit++) {
            array_progress w = array_progress_until(limit);
            const halo_cluster_array_options options = {.clusters = 300, .beats = 300};
            halo_array_table *table;
            halo_context_set_progress(context, array_progress_watch, &w);
            FAILS(
                HALO_CANCELLED, "cancelled",
                halo_cluster_array(context, &picture.array, &labels.array, &options, &table, NULL));
            /* One more beat is done, after which it may be called again. */
            check(w.calls >= limit && w.calls <= limit + 1 && table == NULL, "%d calls", w.calls);
        }
    }
    halo_context_destroy(&context);
    array_free(&picture);
    array_free(&labels);
}
