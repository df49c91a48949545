#include "kernels/split/split.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/distance/distance.h"
#include "kernels/split/split_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(split_row_ops, AVX512);

/* ---- geometry -------------------------------------------------------------------------------- */

/* Steps along the axes to the neighbours that differ along at most `most` axes, in raster order. */
static void list_neighbours(halo_split *s, int most)
{
    enum { BOX = 27, LINE = 3, PLANE = 9 };
    bool volume = s->domain.axes == HALO_AXES;
    for (int code = 0; code < BOX; code++) {
        int z = code / PLANE - 1, y = code / LINE % LINE - 1, x = code % LINE - 1;
        int along = (z != 0) + (y != 0) + (x != 0);
        if (along >= 1 && along <= most && (volume || y == 0)) {
            s->around.step[s->around.count++] = z * s->layer + y * s->pitch + x;
        }
    }
    s->around.width = s->columns;
}

static void set_geometry(halo_split *s, const halo_box *own)
{
    bool volume = s->domain.axes == HALO_AXES;
    s->lo = own->lo[0];
    s->layer_rows = volume ? s->domain.n[1] : 1;
    s->columns = s->domain.n[volume ? 2 : 1];
    s->layers = halo_box_cells(own) > 0 ? own->n[0] : 0;
    s->pitch = s->columns + 1;
    s->layer = (s->layer_rows + (volume ? 1 : 0)) * s->pitch;
    s->first = s->layer + s->pitch + 1;
    s->end = s->first + s->layers * s->layer;
    s->cells = s->end + s->layer + s->pitch + 1;
}

/* Along how many axes neighbours differ at most; 0 for an unknown number of neighbours. */
static int order_of(int axes, int connectivity)
{
    static const int known[][HALO_AXES] = {{4, 8, 0}, {6, 18, 26}};
    for (int order = 1; order <= axes; order++) {
        if (known[axes - 2][order - 1] == connectivity) {
            return order;
        }
    }
    return connectivity == 0 ? axes : 0;
}

/* Squares of distances have 32 bits where no two pixels are farther apart; samples of up to 16 bits
 * have them, with room for a key beyond all. */
static bool needs_wide(const halo_domain *domain, const halo_split_options *options)
{
    if (options->by == HALO_SPLIT_INTENSITY) {
        return halo_sample_types[options->type].bytes > sizeof(uint16_t);
    }
    double square = 0;
    for (int axis = 0; axis < domain->axes; axis++) {
        square += (double)domain->n[axis] * (double)domain->n[axis];
    }
    return square >= UINT32_MAX;
}

double halo_split_height(halo_split_by by, halo_optional_real height)
{
    const double distance = .75;
    return height.given ? height.value : by == HALO_SPLIT_DISTANCE ? distance : 0;
}

int64_t halo_split_bytes_sized(const halo_domain *domain, const halo_box *strip,
                               const halo_split_options *given, size_t given_bytes)
{
    halo_split_options options;
    halo_options_take_known(&options, sizeof options, given, given_bytes);
    halo_split s = {.domain = *domain, .options = options, .wide = needs_wide(domain, &options)};
    set_geometry(&s, strip);
    int64_t each = (int64_t)(split_key_bytes(&s) + sizeof *s.ways + sizeof *s.numbers);
    int64_t distances =
        options.by == HALO_SPLIT_DISTANCE ? halo_distance_bytes(domain, strip, NULL) : 0;
    return s.cells * each + distances;
}

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status check(const halo_split *s, const halo_partition *strips)
{
    const halo_domain *domain = &s->domain;
    const halo_split_options *options = &s->options;
    HALO_FAIL_IF(domain->axes < 2 || domain->axes > HALO_AXES, HALO_ARGUMENT,
                 "an image of %d axes cannot be split; it must have 2 or 3", domain->axes);
    HALO_FAIL_IF(strips->parts[1] > 1 || strips->parts[2] > 1, HALO_ARGUMENT,
                 "objects are split in strips, not in blocks; use strips");
    HALO_FAIL_IF(order_of(domain->axes, options->connectivity) == 0, HALO_ARGUMENT,
                 "an element has %s neighbours in %d axes, and not %d",
                 domain->axes == 2 ? "4 or 8" : "6, 18 or 26", domain->axes, options->connectivity);
    HALO_FAIL_IF(!(s->height >= 0) || isinf(s->height), HALO_ARGUMENT,
                 "objects cannot be split at a height of %g; give 0 or more", s->height);
    return HALO_OK;
}

static halo_status allocate(halo_split *s)
{
    enum { FLAGS = 8 }; /* that are looked at together */
    static const char what[] = "the basins of a strip";
    size_t cells = (size_t)s->cells;
    HALO_TRY(halo_memory_create(&s->keys, cells * split_key_bytes(s), what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->ways, cells, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->numbers, cells, what));
    return HALO_ALLOCATE_LARGE(s->flags, s->columns + FLAGS, what);
}

static void clear_range(halo_split *s, int64_t from, int64_t to)
{
    memset(s->ways + from, SPLIT_OUTSIDE, (size_t)(to - from));
    memset(split_key_at(s, from), -1, (size_t)(to - from) * split_key_bytes(s));
}

/* Cells outside: of the halo, behind rows, and behind planes. */
static void clear(halo_split *s)
{
    clear_range(s, 0, s->first);
    clear_range(s, s->end, s->cells);
    for (int64_t row = 0; row < split_row_count(s); row++) {
        int64_t end = split_row(s, row) + s->columns;
        bool last = (row + 1) % s->layer_rows == 0 && s->layer_rows * s->pitch < s->layer;
        clear_range(s, end, end + 1 + (last ? s->pitch : 0));
    }
}

static halo_status create(halo_split *s, const halo_partition *strips)
{
    const halo_isa_variant *variant;
    int rank = halo_world_rank(s->world);
    s->height = halo_split_height(s->options.by, s->options.height);
    HALO_TRY(check(s, strips));
    HALO_TRY(halo_isa_pick(&variant, variants, s->options.instructions));
    s->ops = variant->ops;
    memset(s->domain.periodic, 0, sizeof s->domain.periodic);
    s->wide = needs_wide(&s->domain, &s->options);
    HALO_TRY(halo_partition_copy(&s->strips, strips));
    halo_box own = halo_partition_box(strips, rank);
    s->before = halo_partition_beside(strips, &s->domain, rank, 0, HALO_LOW);
    s->after = halo_partition_beside(strips, &s->domain, rank, 0, HALO_HIGH);
    set_geometry(s, &own);
    HALO_FAIL_IF(s->layer > INT32_MAX / 4, HALO_ARGUMENT,
                 "a layer of %" PRId64 " elements is too large to be split; cut the volume along "
                 "another axis",
                 s->layer);
    list_neighbours(s, order_of(s->domain.axes, s->options.connectivity));
    HALO_TRY(allocate(s));
    clear(s);
    return HALO_OK;
}

halo_status halo_split_create_sized(halo_split **out, halo_world *world, const halo_domain *domain,
                                    const halo_partition *strips, const halo_split_options *options,
                                    size_t options_bytes)
{
    halo_split *s = NULL;
    halo_status status = HALO_ALLOCATE(s, 1, "a split");
    *out = s;
    if (status == HALO_OK) {
        s->world = world;
        s->domain = *domain;
        status = halo_options_take(&s->options, sizeof s->options, options, options_bytes,
                                   "halo_split_options");
    }
    HALO_IF_OK(status, create(s, strips));
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_split_destroy(out);
    }
    return status;
}

void halo_split_destroy(halo_split **out)
{
    halo_split *s = *out;
    if (s != NULL) {
        halo_memory_free(s->keys);
        halo_memory_free(s->ways);
        halo_memory_free(s->numbers);
        halo_memory_free(s->flags);
        halo_memory_free(s->global);
        split_passes_free(&s->passes);
        free(s->flats.cells);
        free(s->bottoms);
        free(s->counts);
        free(s->offsets);
        free(s->pairs);
        halo_partition_free(&s->strips);
    }
    free(s);
    *out = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Squares of one type as keys; `none` stands for infinity. */
#define PUT(key, type, limit)                               \
    for (int64_t x = 0; x < row->count; x++) {              \
        type square = ((const type *)row->squares)[x];      \
        ((key *)keys)[x] = (limit) - (key)square;           \
        ways[x] = square == 0 ? SPLIT_OUTSIDE : SPLIT_FLAT; \
    }

static halo_status take_distances(void *context, const halo_distance_row *row)
{
    halo_split *s = context;
    int64_t cell = split_row(s, row->row - s->lo * s->layer_rows);
    void *keys = split_key_at(s, cell);
    uint8_t *ways = s->ways + cell;
    if (row->type == HALO_SAMPLE_U16 && !s->wide) {
        PUT(uint32_t, uint16_t, UINT32_MAX)
    } else if (row->type == HALO_SAMPLE_U32 && !s->wide) {
        PUT(uint32_t, uint32_t, UINT32_MAX)
    } else if (row->type == HALO_SAMPLE_U32) {
        PUT(uint64_t, uint32_t, UINT64_MAX)
    } else if (row->type == HALO_SAMPLE_U16) {
        PUT(uint64_t, uint16_t, UINT64_MAX)
    } else {
        PUT(uint64_t, uint64_t, UINT64_MAX)
    }
    return HALO_OK;
}

halo_status halo_split_put_distances(halo_split *s, const halo_view *bits)
{
    const halo_distance_options options = {.instructions = s->options.instructions};
    halo_distance_report report;
    HALO_TRY(halo_distance_run(s->world, &s->domain, bits, &options, take_distances, s, &report));
    s->report.foreground = report.foreground;
    return HALO_OK;
}

enum { WORD = 64 };

static inline bool is_inside(const uint64_t *bits, int64_t x)
{
    return (bits[x / WORD] >> x % WORD & 1) != 0;
}

/* Keys of samples of up to 16 bits. */
#define NARROW_ROW(code, type)                                                      \
    static void narrow_row_of_##code(const void *samples, int64_t count, bool dark, \
                                     uint32_t *keys)                                \
    {                                                                               \
        const int32_t middle = INT32_C(1) << 30;                                    \
        const type *from = samples;                                                 \
        for (int64_t x = 0; x < count; x++) {                                       \
            int32_t value = from[x];                                                \
            keys[x] = (uint32_t)(dark ? middle + value : middle - value);           \
        }                                                                           \
    }
NARROW_ROW(U8, uint8_t)
NARROW_ROW(I8, int8_t)
NARROW_ROW(U16, uint16_t)
NARROW_ROW(I16, int16_t)

static void narrow_row_of_BIT(const void *samples, int64_t count, bool dark, uint32_t *keys)
{
    for (int64_t x = 0; x < count; x++) {
        keys[x] = is_inside(samples, x) == dark;
    }
}

static void put_narrow(const halo_split *s, int64_t cell, const void *samples)
{
    static void (*const rows[HALO_SAMPLE_TYPES])(const void *, int64_t, bool, uint32_t *) = {
        [HALO_SAMPLE_BIT] = narrow_row_of_BIT,
        [HALO_SAMPLE_U8] = narrow_row_of_U8,
        [HALO_SAMPLE_I8] = narrow_row_of_I8,
        [HALO_SAMPLE_U16] = narrow_row_of_U16,
        [HALO_SAMPLE_I16] = narrow_row_of_I16};
    rows[s->options.type](samples, s->columns, s->options.dark, (uint32_t *)s->keys + cell);
}

/* The same of other samples. Returns false for NaN in the foreground. */
static bool put_wide(const halo_split *s, int64_t cell, const void *samples, const uint64_t *bits)
{
    const halo_sample_type type = s->options.type;
    const halo_sample_type_entry *of = &halo_sample_types[type];
    uint64_t *keys = (uint64_t *)s->keys + cell;
    bool are = true;
    for (int64_t x = 0; x < s->columns; x++) {
        int64_t own = halo_sample_key_of(type, samples, x);
        uint64_t key = (uint64_t)own ^ UINT64_C(1) << 63;
        keys[x] = s->options.dark ? key : ~key;
        are &= !of->real || !is_inside(bits, x) || (own >= of->key_min && own <= of->key_max);
    }
    return are;
}

/* Cells of a row that are outside. */
static void cover(halo_split *s, int64_t cell, const uint64_t *bits)
{
    for (int64_t first = 0; first < s->columns; first += WORD) {
        int64_t end = halo_min(first + WORD, s->columns);
        uint64_t word = bits[first / WORD];
        memset(s->ways + cell + first, SPLIT_FLAT, (size_t)(end - first));
        s->report.foreground += __builtin_popcountll(word);
        for (int64_t x = first; x < end && ~word != 0; x++) {
            if (!is_inside(bits, x)) {
                clear_range(s, cell + x, cell + x + 1);
            }
        }
    }
}

halo_status halo_split_put_row(halo_split *s, int64_t row, const void *samples,
                               const uint64_t *bits)
{
    int64_t cell = split_row(s, row);
    bool are = true;
    if (s->wide) {
        are = put_wide(s, cell, samples, bits);
    } else {
        put_narrow(s, cell, samples);
    }
    cover(s, cell, bits);
    return HALO_REQUIRE(are, HALO_ARGUMENT,
                        "the foreground has NaN, which is neither higher nor lower than other "
                        "samples; leave it out of the foreground");
}

/* ---- running --------------------------------------------------------------------------------- */

halo_status halo_split_run(halo_split *s)
{
    HALO_TRY(split_descend(s));
    HALO_TRY(split_cross_plateaus(s));
    HALO_TRY(split_number_minima(s));
    HALO_TRY(split_follow(s));
    HALO_TRY(split_resolve(s));
    HALO_TRY(halo_agree(s->world, split_find_passes(s)));
    HALO_TRY(split_join(s));
    HALO_TRY(halo_allreduce_max(s->world, &s->report.rounds, 1));
    return s->options.by == HALO_SPLIT_INTENSITY
               ? halo_allreduce_sum(s->world, &s->report.foreground, 1)
               : HALO_OK;
}

void halo_split_rows(const halo_split *s, int64_t first, int64_t rows, void *out, size_t pitch)
{
    for (int64_t i = 0; i < rows; i++) {
        const int32_t *numbers = s->numbers + split_row(s, first + i);
        int32_t *to = (int32_t *)(void *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < s->columns; x++) {
            to[x] = s->global[numbers[x]];
        }
    }
}

void halo_split_get_report_sized(const halo_split *s, halo_split_report *report,
                                 size_t report_bytes)
{
    halo_report_give(report, report_bytes, &s->report, sizeof s->report);
}
