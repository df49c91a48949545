#include "base/memory.h"
#include "base/option.h"
#include "kernels/walk/walk_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const halo_isa_variant walk_variants[] = HALO_ISA_VARIANTS(walk_ops, AVX512);

enum { FLAT_MARGIN = 16, DEEP_MARGIN = 8 };

/* ---- where walkers begin --------------------------------------------------------------------- */

static void count_fluid(halo_walk *walk, const halo_walk_options *options, bool anywhere)
{
    int64_t count = 0, fluid = 0;
    for (int64_t row = 0; row < walk->rows; row++) {
        walk->before[row] = count;
        for (int64_t w = 0; w < walk->row_words; w++) {
            int64_t left = walk->n[0] - w * WALK_WORD_BITS;
            uint64_t all = left < WALK_WORD_BITS ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
            uint64_t bits = options->fluid[row * walk->row_words + w] & all;
            fluid += __builtin_popcountll(bits);
            bits = anywhere ? all : bits;
            walk->starts[row * walk->row_words + w] = bits;
            count += __builtin_popcountll(bits);
        }
    }
    walk->before[walk->rows] = count;
    walk->facts.started = count;
    walk->facts.fluid = fluid;
}

static halo_status find_starts(halo_walk *walk, const halo_walk_options *options)
{
    walk->rows = options->n[1] * options->n[2];
    walk->row_words = (options->n[0] + WALK_WORD_BITS - 1) / WALK_WORD_BITS;
    walk->facts.cells = walk->rows * options->n[0];
    HALO_TRY(HALO_ALLOCATE(walk->starts, walk->rows * walk->row_words, "a medium's cells"));
    HALO_TRY(HALO_ALLOCATE(walk->before, walk->rows + 1, "a medium's rows"));
    count_fluid(walk, options, options->conductivity > 0);
    return walk->facts.fluid > 0 ? HALO_OK
                                 : halo_fail(HALO_ARGUMENT,
                                             "none of the medium's %" PRId64
                                             " cells is fluid, so there is nowhere to "
                                             "walk; take another threshold, or invert it",
                                             walk->facts.cells);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static int margin_of(const halo_walk_options *options)
{
    return options->axes == 2 ? FLAT_MARGIN : DEEP_MARGIN;
}

/* How far a word's cells are from its own ones. */
static int beyond_of(const halo_walk_options *options)
{
    return options->axes == 2 ? WALK_FLAT_REACH + (1 << WALK_FLAT_SHARE)
                              : WALK_DEEP_REACH + (1 << WALK_DEEP_SHARE);
}

/* Are cells cubes? */
static bool are_even(const halo_walk_options *options)
{
    bool even = true;
    for (int axis = 1; axis < options->axes; axis++) {
        double one = options->spacing[0], other = options->spacing[axis];
        even = even && fabs(one - other) <= 1e-9 * one;
    }
    return even;
}

static bool has_chances(const halo_walk_options *options)
{
    return options->conductivity > 0 || fabs(options->flow) > 0 || !are_even(options);
}

bool walk_find_shares(const halo_walk_options *options, double shares[HALO_WALK_AXES])
{
    bool even = are_even(options);
    double sum = 0;
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        double size = even ? 1 : options->spacing[axis] / options->spacing[0];
        shares[axis] = axis < options->axes ? 1 / (size * size) : 0;
        sum += shares[axis];
    }
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        shares[axis] /= sum;
    }
    return even;
}

static halo_status check_spacing(const halo_walk_options *options)
{
    const double *size = options->spacing;
    bool none = true, all = true;
    for (int axis = 0; axis < options->axes; axis++) {
        none = none && !(fabs(size[axis]) > 0);
        all = all && size[axis] > 0 && isfinite(size[axis]);
    }
    return HALO_REQUIRE(none || all, HALO_ARGUMENT,
                        "cells of %g x %g x %g are not possible; give sizes above 0", size[0],
                        size[1], size[2]);
}

/* Cells of the period and beyond, as far as walkers get. As double: it may be any number. */
static double count_places(const halo_walk_options *options, int beyond)
{
    double places = 1;
    for (int axis = 0; axis < options->axes; axis++) {
        double n = (double)options->n[axis];
        n *= options->edges[axis] == HALO_WALK_MIRRORED ? 2 : 1;
        places *= n + 3 * margin_of(options) + 2 * beyond;
    }
    return places;
}

static halo_status check_size(const halo_walk_options *options)
{
    static const double max = INT32_MAX;
    double places = count_places(options, 0);
    return places <= max ? HALO_OK
                         : halo_fail(HALO_ARGUMENT,
                                     "the medium has %.0f cells with those beyond its edges, and "
                                     "walkers count them up to %.0f; take a smaller one",
                                     places, max);
}

halo_status halo_walk_check_sized(const halo_walk_options *given, size_t given_bytes)
{
    halo_walk_options options;
    const halo_isa_variant *variant;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_walk_options"));
    HALO_TRY(halo_isa_pick(&variant, walk_variants, options.instructions));
    HALO_TRY(check_spacing(&options));
    if (fabs(options.flow) > 0 && options.edges[0] == HALO_WALK_REFLECTING) {
        return halo_fail(HALO_ARGUMENT,
                         "a flow along x cannot leave a medium with reflecting edges "
                         "there; make them periodic");
    }
    return check_size(&options);
}

/* Use tiles of bits where words would not fit into a processor's own cache. Places in tiles have
 * 32 bits. */
static bool takes_tiles(const halo_walk_options *options)
{
    static const double words_max = 1 << 20, bits_max = 4294967296.;
    enum { BYTE = 8 };
    bool can = options->axes == 2 && !has_chances(options) &&
               BYTE * (double)walk_tile_bytes(options, FLAT_MARGIN) <= bits_max;
    bool large = count_places(options, 0) > words_max; /* a byte a cell */
    return can && (options->form == HALO_WALK_TILES || (options->form == HALO_WALK_AUTO && large));
}

void halo_walk_bytes_sized(const halo_walk_options *given, int64_t *working, int64_t *kept,
                           size_t given_bytes)
{
    halo_walk_options options;
    halo_options_take_known(&options, sizeof options, given, given_bytes);
    double places = count_places(&options, 0), padded = count_places(&options, beyond_of(&options));
    int share = options.axes == 2 ? WALK_FLAT_SHARE : WALK_DEEP_SHARE;
    double each =
        has_chances(&options) ? sizeof(uint16_t) : sizeof(uint32_t) / (double)(1 << share);
    bool tiles = takes_tiles(&options);
    *kept = tiles ? walk_tile_bytes(&options, FLAT_MARGIN) : (int64_t)(places * each);
    *working = *kept + (tiles ? 0 : (int64_t)padded);
}

/* ---- making one ------------------------------------------------------------------------------ */

static void set_strides(walk_table *table, const walk_padded *padded)
{
    int64_t stride = 1;
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        table->n[axis] = padded->period[axis];
        table->stride[axis] = (int32_t)stride;
        stride *= padded->n[axis] - 2 * padded->beyond[axis];
        stride = axis == 0 ? (stride + 3) / 4 * 4 : stride;
    }
}

static halo_status make_padded(halo_walk *walk, const halo_walk_options *options)
{
    walk_padded padded;
    halo_status status =
        walk_padded_create(&padded, options, walk->table.margin, beyond_of(options));
    if (status == HALO_OK) {
        set_strides(&walk->table, &padded);
        status = has_chances(options) ? walk_make_chances(walk, options, &padded)
                                      : walk_make_walls(walk, &padded);
    }
    walk_padded_free(&padded);
    return status;
}

static halo_status make(halo_walk *walk, const halo_walk_options *options)
{
    const halo_isa_variant *variant;
    walk_table *table = &walk->table;
    HALO_TRY(halo_walk_check(options));
    HALO_TRY(halo_isa_pick(&variant, walk_variants, options->instructions));
    walk->ops = variant->ops;
    walk->facts.instructions = halo_isa_name(variant->isa);
    walk_find_shares(options, walk->facts.free_slopes);
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        walk->facts.free_slopes[axis] /= options->conductivity > 1 ? options->conductivity : 1;
        walk->n[axis] = options->n[axis];
    }
    walk->facts.free_slope = walk->facts.free_slopes[0];
    table->axes = options->axes;
    table->margin = margin_of(options);
    table->key[0] = (uint32_t)options->seed;
    table->key[1] = (uint32_t)(options->seed >> 32);
    HALO_TRY(find_starts(walk, options));
    return takes_tiles(options) ? walk_make_tiles(walk, options) : make_padded(walk, options);
}

halo_status halo_walk_create_sized(halo_walk **out, const halo_walk_options *given,
                                   size_t given_bytes)
{
    halo_walk_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_walk_options"));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a walk"));
    halo_status status = make(*out, &options);
    if (status != HALO_OK) {
        halo_walk_destroy(out);
    }
    return status;
}

void halo_walk_destroy(halo_walk **out)
{
    halo_walk *walk = *out;
    if (walk == NULL) {
        return;
    }
    halo_memory_free(walk->around);
    halo_memory_free(walk->tiles);
    halo_memory_free(walk->kind);
    free(walk->columns);
    free(walk->starts);
    free(walk->before);
    free(walk);
    *out = NULL;
}

void halo_walk_describe_sized(const halo_walk *walk, halo_walk_facts *facts, size_t facts_bytes)
{
    halo_report_give(facts, facts_bytes, &walk->facts, sizeof walk->facts);
}
