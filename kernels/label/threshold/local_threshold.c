#include "kernels/label/threshold/local_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/exchange/exchange.h"

#include <math.h>
#include <string.h>

/* The mean of a square, or a cube, around each pixel, from sums that move: of a volume, those of
 * lines along planes go on a plane at a time; those of columns go down a row at a time, that of the
 * square goes to the right. All of it in integers. A square is one in a transposed field, too: its
 * rows, which are few and long, are compared in pieces, so that sums stay in the cache. */

/* Kinds of sums: of greys, of those that are not skipped, and the number of skipped ones. */
typedef enum { GREYS, PRESENT, SKIPPED, KINDS } sum_kind;

enum { MOST_SUMS = 2, WORD = 64, BYTE = 8, PIECE = 4096 /* columns */ };

typedef struct {
    sum_kind kind;
    uint32_t *lines;   /* [height * width] of a volume: sums along planes around this one */
    uint64_t *columns; /* sums of columns, from `radius` before the piece to as many behind it */
} moving_sums;

typedef struct {
    const halo_view *grey;
    const halo_domain *domain;
    const halo_local_threshold *options;
    int64_t radius, width, height; /* height: rows of a plane */
    bool solid, transposed, periodic_rows, periodic_columns;
    label_local_sides sides;     /* of transposed fields */
    int64_t begin, end;          /* columns of the piece that is compared */
    int64_t plane;               /* of this rank's, from 0 on */
    moving_sums sums[MOST_SUMS]; /* [count] of greys, and of those that are skipped, if any */
    int count;
    int64_t area;  /* pixels of a square, voxels of a cube */
    int64_t least; /* of grey * area - sum: foreground from here on */
} local_sums;

/* The place of pixel `at` on a side of `n` pixels, beyond whose ends it is by at most n - 1. */
static int64_t place_of(int64_t at, int64_t n, bool periodic)
{
    if (at < 0) {
        return periodic ? at + n : -1 - at;
    }
    return at < n ? at : periodic ? at - n : 2 * n - 1 - at;
}

/* Layer `at` of the first axis, a row or a plane, which may lie beyond it. Halos of a periodic axis
 * have the layers there; all rows of transposed fields are here. */
static const void *layer_at(const local_sums *s, int64_t at)
{
    if (s->transposed) {
        return halo_row(s->grey, place_of(at, s->height, s->periodic_rows));
    }
    int64_t layer = s->domain->periodic[0] ? at : place_of(at, s->domain->n[0], false);
    return halo_row(s->grey, layer - s->grey->owned.lo[0]);
}

/* Unsigned arithmetic wraps: what is taken away was added before. */
#define ALL(sample)      (sample)
#define IF_THERE(sample) ((sample) == skipped ? 0 : (sample))
#define IF_NOT(sample)   ((sample) == skipped)
#define DEFINE_ADD(name, sum_type, type, TERM)                                      \
    static void name(sum_type *sums, const void *row, int64_t width, sum_type sign, \
                     uint32_t skipped)                                              \
    {                                                                               \
        const type *samples = row;                                                  \
        (void)skipped;                                                              \
        for (int64_t x = 0; x < width; x++) {                                       \
            sums[x] += sign * TERM(samples[x]);                                     \
        }                                                                           \
    }
#define DEFINE_ADDS(kind, TERM)                                    \
    DEFINE_ADD(add_bytes_##kind, uint64_t, uint8_t, TERM)          \
    DEFINE_ADD(add_shorts_##kind, uint64_t, uint16_t, TERM)        \
    DEFINE_ADD(add_bytes_to_lines_##kind, uint32_t, uint8_t, TERM) \
    DEFINE_ADD(add_shorts_to_lines_##kind, uint32_t, uint16_t, TERM)
DEFINE_ADDS(all, ALL)
DEFINE_ADDS(there, IF_THERE)
DEFINE_ADDS(not_there, IF_NOT)
DEFINE_ADD(add_lines, uint64_t, uint32_t, ALL)

/* Bytes, shorts. */
static const struct {
    void (*add)(uint64_t *sums, const void *row, int64_t width, uint64_t sign, uint32_t skipped);
    void (*to_lines)(uint32_t *sums, const void *row, int64_t width, uint32_t sign,
                     uint32_t skipped);
} adding[KINDS][2] = {
    [GREYS] = {{add_bytes_all, add_bytes_to_lines_all}, {add_shorts_all, add_shorts_to_lines_all}},
    [PRESENT] = {{add_bytes_there, add_bytes_to_lines_there},
                 {add_shorts_there, add_shorts_to_lines_there}},
    [SKIPPED] = {{add_bytes_not_there, add_bytes_to_lines_not_there},
                 {add_shorts_not_there, add_shorts_to_lines_not_there}},
};

/* Pixels of the piece, and of those beside it that the strip has, go to the sums of columns. */
static void add_own(const local_sums *s, const moving_sums *m, const void *row, uint64_t sign)
{
    int64_t from = halo_max(s->begin - s->radius, 0), to = halo_min(s->end + s->radius, s->width);
    uint64_t *sums = m->columns + s->radius + from - s->begin;
    if (s->solid) {
        add_lines(sums, (const uint32_t *)row + from, to - from, sign, 0);
    } else {
        const char *samples = row;
        adding[m->kind][s->grey->cell_bits == 16].add(sums, samples + from * s->grey->stride[1],
                                                      to - from, sign,
                                                      (uint32_t)s->options->skipped);
    }
}

/* Those of the strips beside ours, in row `row` of a transposed field. */
static void add_beside(const local_sums *s, const moving_sums *m, int64_t row, uint64_t sign)
{
    int64_t before = s->radius - s->begin, behind = s->end + s->radius - s->width;
    int64_t cell = s->grey->stride[1], from = row * s->radius;
    uint32_t skipped = (uint32_t)s->options->skipped;
    int kind = s->grey->cell_bits == 16;
    if (s->sides.before != NULL && before > 0) {
        const char *samples = s->sides.before;
        adding[m->kind][kind].add(m->columns, samples + (from + s->radius - before) * cell, before,
                                  sign, skipped);
    }
    if (s->sides.behind != NULL && behind > 0) {
        const char *samples = s->sides.behind;
        adding[m->kind][kind].add(m->columns + s->width - s->begin + s->radius,
                                  samples + from * cell, behind, sign, skipped);
    }
}

/* Row `y` of an image, or of the plane of lines, goes to the sums of columns. */
static void add_row(const local_sums *s, int64_t y, uint64_t sign)
{
    int64_t row = place_of(y, s->height, s->periodic_rows);
    for (const moving_sums *m = s->sums; m < s->sums + s->count; m++) {
        add_own(s, m, s->solid ? (const void *)(m->lines + row * s->width) : layer_at(s, y), sign);
        if (s->transposed) {
            add_beside(s, m, row, sign);
        }
    }
}

/* Plane `z` of a volume goes to the sums of lines. */
static void add_plane(const local_sums *s, int64_t z, uint32_t sign)
{
    const char *plane = layer_at(s, z);
    for (const moving_sums *m = s->sums; m < s->sums + s->count; m++) {
        for (int64_t y = 0; y < s->height; y++) {
            adding[m->kind][s->grey->cell_bits == 16].to_lines(
                m->lines + y * s->width, plane + y * s->grey->stride[1], s->width, sign,
                (uint32_t)s->options->skipped);
        }
    }
}

/* Sums beyond the ends of rows that are not other strips'. */
static void fill_sides(const local_sums *s, uint64_t *columns)
{
    uint64_t *sums = columns + s->radius - s->begin;
    for (int64_t x = s->begin - s->radius; x < 0 && s->sides.before == NULL; x++) {
        sums[x] = sums[place_of(x, s->width, s->periodic_columns)];
    }
    for (int64_t x = s->width; x < s->end + s->radius && s->sides.behind == NULL; x++) {
        sums[x] = sums[place_of(x, s->width, s->periodic_columns)];
    }
}

static int64_t sample_at(const halo_view *grey, const void *row, int64_t x)
{
    return grey->cell_bits == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

static void *own_row(const local_sums *s, const halo_view *view, int64_t y)
{
    return s->solid ? halo_row_of_plane(view, s->plane, y) : halo_row(view, y);
}

/* An offset beyond all greys is no number of 64 bits. */
static int64_t find_least(double offset, int64_t area)
{
    const double most = (double)(INT64_C(1) << 62);
    return (int64_t)fmax(fmin(ceil(-offset * (double)area), most), -most);
}

/* The sum of all columns but the last one. */
static int64_t begin_sum(const local_sums *s, const uint64_t *columns)
{
    int64_t sum = 0;
    for (int64_t x = 0; x < 2 * s->radius; x++) {
        sum += (int64_t)columns[x];
    }
    return sum;
}

static void compare_row(const local_sums *s, const void *row, uint64_t *bits)
{
    const uint64_t *first = s->sums[0].columns, *last = first + 2 * s->radius;
    int64_t sum = begin_sum(s, first);
    int64_t width = s->end - s->begin;
    for (int64_t x = 0; x < width; x += WORD) {
        int64_t left = halo_min(width - x, WORD);
        uint64_t word = 0;
        for (int64_t i = 0; i < left; i++) {
            sum += (int64_t)last[x + i];
            bool foreground = sample_at(s->grey, row, x + i) * s->area - sum >= s->least;
            word |= (uint64_t)(foreground != s->options->invert) << i;
            sum -= (int64_t)first[x + i];
        }
        bits[x / WORD] = word;
    }
}

/* The same with means of those that are not skipped. */
static void compare_present_row(const local_sums *s, const void *row, uint64_t *bits)
{
    int64_t width = s->end - s->begin;
    const uint64_t *first = s->sums[0].columns, *last = first + 2 * s->radius;
    const uint64_t *first_skipped = s->sums[1].columns,
                   *last_skipped = first_skipped + 2 * s->radius;
    int64_t sum = begin_sum(s, first), skipped = begin_sum(s, first_skipped);
    memset(bits, 0, (size_t)((width + WORD - 1) / WORD) * sizeof *bits);
    for (int64_t x = 0; x < width; x++) {
        sum += (int64_t)last[x];
        skipped += (int64_t)last_skipped[x];
        int64_t area = s->area - skipped;
        bool foreground =
            sample_at(s->grey, row, x) * area - sum >= find_least(s->options->offset, area);
        bits[x / WORD] |= (uint64_t)(foreground != s->options->invert) << (x % WORD);
        sum -= (int64_t)first[x];
        skipped -= (int64_t)first_skipped[x];
    }
}

/* The piece's part of row `y`. */
static void compare_part(const local_sums *s, int64_t y, const halo_view *foreground)
{
    const char *row = own_row(s, s->grey, y);
    uint64_t *bits = own_row(s, foreground, y);
    row += s->begin * s->grey->cell_bits / BYTE;
    (s->count > 1 ? compare_present_row : compare_row)(s, row, bits + s->begin / WORD);
}

/* Rows `lo` to `lo + rows - 1`, all of a plane or this rank's of an image. */
static void compare_rows(const local_sums *s, int64_t lo, int64_t rows, const halo_view *foreground)
{
    for (int i = 0; i < s->count; i++) {
        uint64_t *columns = s->sums[i].columns;
        memset(columns, 0, (size_t)(s->end - s->begin + 2 * s->radius) * sizeof *columns);
    }
    for (int64_t y = lo - s->radius; y < lo + s->radius && rows > 0; y++) {
        add_row(s, y, 1);
    }
    for (int64_t y = 0; y < rows; y++) {
        add_row(s, lo + y + s->radius, 1);
        for (int i = 0; i < s->count; i++) {
            fill_sides(s, s->sums[i].columns);
        }
        compare_part(s, y, foreground);
        add_row(s, lo + y - s->radius, UINT64_MAX);
    }
}

static void compare_transposed(local_sums *s, const halo_view *foreground)
{
    int64_t width = s->width;
    for (s->begin = 0; s->begin < width; s->begin = s->end) {
        s->end = halo_min(s->begin + PIECE, width);
        compare_rows(s, 0, s->height, foreground);
    }
}

static void compare_planes(local_sums *s, const halo_view *foreground)
{
    int64_t lo = s->grey->owned.lo[0], planes = s->grey->owned.n[0];
    for (int64_t z = lo - s->radius; z < lo + s->radius && planes > 0; z++) {
        add_plane(s, z, 1);
    }
    for (s->plane = 0; s->plane < planes; s->plane++) {
        add_plane(s, lo + s->plane + s->radius, 1);
        compare_rows(s, 0, s->height, foreground);
        add_plane(s, lo + s->plane - s->radius, UINT32_MAX);
    }
}

static halo_status exchange(halo_world *world, const halo_partition *partition, halo_field *grey)
{
    halo_exchange *halos;
    HALO_TRY(halo_exchange_create(&halos, world, partition, &grey, 1, NULL));
    halo_status status = halo_exchange_begin(halos);
    if (status == HALO_OK) {
        status = halo_exchange_end(halos);
    }
    halo_exchange_destroy(&halos);
    return status;
}

static halo_status allocate(local_sums *s)
{
    int64_t columns = s->transposed ? PIECE : s->width;
    for (moving_sums *m = s->sums; m < s->sums + s->count; m++) {
        HALO_TRY(HALO_ALLOCATE_LARGE(m->columns, columns + 2 * s->radius, "sums of columns"));
        if (s->solid) {
            HALO_TRY(HALO_ALLOCATE_LARGE(m->lines, s->height * s->width, "sums along planes"));
        }
    }
    return HALO_OK;
}

/* The first axis of an image is rows. */
static void set_sizes(local_sums *s)
{
    const halo_domain *domain = s->domain;
    int rows = domain->axes - 2, columns = domain->axes - 1;
    s->height = domain->n[s->transposed ? columns : rows];
    s->width = s->transposed ? s->grey->owned.n[1] : domain->n[columns];
    s->periodic_rows = domain->periodic[s->transposed ? columns : rows];
    s->periodic_columns = domain->periodic[s->transposed ? rows : columns];
    s->end = s->width;
}

static void compare_all(local_sums *s, const halo_view *foreground)
{
    const halo_box *owned = &s->grey->owned;
    if (s->solid) {
        compare_planes(s, foreground);
    } else if (s->transposed) {
        compare_transposed(s, foreground);
    } else {
        compare_rows(s, owned->lo[0], owned->n[0], foreground);
    }
}

halo_status halo_threshold_local(halo_world *world, const halo_domain *domain,
                                 const halo_partition *partition, halo_field *grey,
                                 const halo_local_threshold *options, const halo_view *foreground)
{
    const halo_view *view = halo_field_view(grey);
    int axes = domain->axes;
    int64_t side = 2 * options->radius + 1, area = side * side * (axes == HALO_AXES ? side : 1);
    local_sums sums = {.grey = view,
                       .domain = domain,
                       .options = options,
                       .radius = options->radius,
                       .solid = axes == HALO_AXES,
                       .transposed = options->transposed,
                       .sums = {{.kind = options->skips ? PRESENT : GREYS}, {.kind = SKIPPED}},
                       .count = options->skips ? 2 : 1,
                       .area = area,
                       .least = find_least(options->offset, area)};
    halo_status status = HALO_OK;
    set_sizes(&sums);
    HALO_TRY(halo_agree(world, label_local_check(domain, partition, view, options)));
    HALO_TRY_OR(done, options->transposed
                          ? label_local_sides_create(&sums.sides, world, partition, view,
                                                     options->radius, sums.periodic_columns)
                          : exchange(world, partition, grey));
    HALO_TRY_OR(done, halo_agree(world, allocate(&sums)));
    compare_all(&sums, foreground);
done:
    for (int i = 0; i < sums.count; i++) {
        halo_memory_free(sums.sums[i].columns);
        halo_memory_free(sums.sums[i].lines);
    }
    label_local_sides_free(&sums.sides);
    return status;
}
