#include "kernels/label/threshold.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sums of a cube of shorts stay below 2^63, and those along an axis below 2^32. */
enum { MAX_RADIUS = 25000 };

/* The mean of a square, or a cube, around each pixel, from sums that move: of a volume, those of
 * lines along planes go on a plane at a time; those of columns go down a row at a time, that of the
 * square goes to the right. All of it in integers. */

/* What is summed up: greys, those that are not skipped, or how many are. */
typedef enum { GREYS, PRESENT, SKIPPED, KINDS } sum_kind;

enum { MOST_SUMS = 2 };

typedef struct {
    sum_kind kind;
    uint32_t *lines;   /* [height * width] of a volume: sums along planes around this one */
    uint64_t *columns; /* [width + 2 * radius] sums of columns, those beyond the edges included */
} moving_sums;

typedef struct {
    const halo_view *grey;
    const halo_domain *domain;
    const halo_local_threshold *options;
    int64_t radius, width, height; /* height: rows of a plane */
    bool solid, periodic_rows, periodic_columns;
    int64_t plane;               /* of this rank's, from 0 on */
    moving_sums sums[MOST_SUMS]; /* [count] of greys, and of those that are skipped, if any */
    int count;
    int64_t area;  /* pixels of a square, voxels of a cube */
    int64_t least; /* of grey * area - sum: foreground from here on */
} local_sums;

/* Where the pixel `at` of a side of `n` pixels is found, at most n - 1 beyond its ends. */
static int64_t place_of(int64_t at, int64_t n, bool periodic)
{
    if (at < 0) {
        return periodic ? at + n : -1 - at;
    }
    return at < n ? at : periodic ? at - n : 2 * n - 1 - at;
}

/* Layer `at` of the first axis, a row or a plane, which may lie beyond it. Halos of a periodic axis
 * have the layers there. */
static const void *layer_at(const local_sums *s, int64_t at)
{
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

/* Row `y` of an image, or of the plane of lines, goes to the sums of columns. */
static void add_row(const local_sums *s, int64_t y, uint64_t sign)
{
    int64_t row = place_of(y, s->height, s->periodic_rows);
    for (const moving_sums *m = s->sums; m < s->sums + s->count; m++) {
        uint64_t *columns = m->columns + s->radius;
        if (s->solid) {
            add_lines(columns, m->lines + row * s->width, s->width, sign, 0);
        } else {
            adding[m->kind][s->grey->cell_bits == 16].add(columns, layer_at(s, y), s->width, sign,
                                                          (uint32_t)s->options->skipped);
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

static void fill_sides(const local_sums *s, uint64_t *columns)
{
    uint64_t *sums = columns + s->radius;
    for (int64_t x = 1; x <= s->radius; x++) {
        int64_t right = s->width - 1 + x;
        sums[-x] = sums[place_of(-x, s->width, s->periodic_columns)];
        sums[right] = sums[place_of(right, s->width, s->periodic_columns)];
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

static void compare_row(const local_sums *s, int64_t y, uint64_t *bits)
{
    enum { WORD = 64 };
    const void *row = own_row(s, s->grey, y);
    const uint64_t *first = s->sums[0].columns, *last = first + 2 * s->radius;
    int64_t sum = begin_sum(s, first);
    for (int64_t x = 0; x < s->width; x += WORD) {
        int64_t left = s->width - x < WORD ? s->width - x : WORD;
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
static void compare_present_row(const local_sums *s, int64_t y, uint64_t *bits)
{
    enum { WORD = 64 };
    const void *row = own_row(s, s->grey, y);
    const uint64_t *first = s->sums[0].columns, *last = first + 2 * s->radius;
    const uint64_t *first_skipped = s->sums[1].columns,
                   *last_skipped = first_skipped + 2 * s->radius;
    int64_t sum = begin_sum(s, first), skipped = begin_sum(s, first_skipped);
    memset(bits, 0, (size_t)((s->width + WORD - 1) / WORD) * sizeof *bits);
    for (int64_t x = 0; x < s->width; x++) {
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

/* Rows `lo` to `lo + rows - 1`, all of a plane or this rank's of an image. */
static void compare_rows(const local_sums *s, int64_t lo, int64_t rows, const halo_view *foreground)
{
    for (int i = 0; i < s->count; i++) {
        uint64_t *columns = s->sums[i].columns;
        memset(columns, 0, (size_t)(s->width + 2 * s->radius) * sizeof *columns);
    }
    for (int64_t y = lo - s->radius; y < lo + s->radius && rows > 0; y++) {
        add_row(s, y, 1);
    }
    for (int64_t y = 0; y < rows; y++) {
        add_row(s, lo + y + s->radius, 1);
        for (int i = 0; i < s->count; i++) {
            fill_sides(s, s->sums[i].columns);
        }
        (s->count > 1 ? compare_present_row : compare_row)(s, y, own_row(s, foreground, y));
        add_row(s, lo + y - s->radius, UINT64_MAX);
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

/* Halos come from the next strip. */
static halo_status check_strips(const halo_domain *domain, const halo_partition *partition,
                                int64_t radius)
{
    const char *layers = domain->axes == HALO_AXES ? "planes" : "rows";
    int64_t fewest = domain->n[0];
    for (int part = 0; part < partition->parts[0]; part++) {
        int64_t rows = partition->cuts[0][part + 1] - partition->cuts[0][part];
        fewest = rows < fewest ? rows : fewest;
    }
    return fewest >= radius
               ? HALO_OK
               : halo_fail(HALO_RANKS,
                           "a local threshold of radius %" PRId64 " needs as many %s on every "
                           "rank, and one has %" PRId64 " of %" PRId64 "; use a smaller radius, or "
                           "at most %" PRId64 " rank%s",
                           radius, layers, fewest, domain->n[0], domain->n[0] / radius,
                           domain->n[0] / radius == 1 ? "" : "s");
}

static halo_status fail_radius(const halo_domain *domain, int64_t radius, int64_t most)
{
    enum { TEXT = 64 };
    const int64_t *n = domain->n;
    char remedy[TEXT] = "use one threshold for all pixels";
    if (most > 0) {
        snprintf(remedy, sizeof remedy, "use a radius from 1 to %" PRId64, most);
    }
    return domain->axes == HALO_AXES
               ? halo_fail(HALO_ARGUMENT,
                           "a local threshold of radius %" PRId64 " for a volume of %" PRId64
                           " x %" PRId64 " x %" PRId64 " voxels; %s",
                           radius, n[2], n[1], n[0], remedy)
               : halo_fail(HALO_ARGUMENT,
                           "a local threshold of radius %" PRId64 " for an image of %" PRId64
                           " x %" PRId64 " pixels; %s",
                           radius, n[1], n[0], remedy);
}

static halo_status check(const halo_domain *domain, const halo_partition *partition,
                         const halo_view *grey, const halo_local_threshold *options)
{
    int64_t most = MAX_RADIUS;
    for (int axis = 0; axis < domain->axes; axis++) {
        most = halo_min(most, domain->n[axis] - 1);
    }
    if (grey->cell_bits != 8 && grey->cell_bits != 16) {
        return halo_fail(HALO_ARGUMENT,
                         "a local threshold needs greys of 8 or 16 bits, and the image has "
                         "pixels of %d bit; use another threshold",
                         grey->cell_bits);
    }
    if (domain->axes == HALO_AXES && most < 1) {
        return halo_fail(HALO_ARGUMENT, "a local threshold needs two planes, rows and columns at "
                                        "least; save a single plane as an image of two axes, or "
                                        "use another threshold");
    }
    return options->radius > 0 && options->radius <= most
               ? check_strips(domain, partition, options->radius)
               : fail_radius(domain, options->radius, most);
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
    for (moving_sums *m = s->sums; m < s->sums + s->count; m++) {
        HALO_TRY(HALO_ALLOCATE_LARGE(m->columns, s->width + 2 * s->radius, "sums of columns"));
        if (s->solid) {
            HALO_TRY(HALO_ALLOCATE_LARGE(m->lines, s->height * s->width, "sums along planes"));
        }
    }
    return HALO_OK;
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
                       .width = domain->n[axes - 1],
                       .height = domain->n[axes - 2],
                       .periodic_rows = domain->periodic[axes - 2],
                       .periodic_columns = domain->periodic[axes - 1],
                       .sums = {{.kind = options->skips ? PRESENT : GREYS}, {.kind = SKIPPED}},
                       .count = options->skips ? 2 : 1,
                       .area = area,
                       .least = find_least(options->offset, area)};
    HALO_TRY(halo_agree(world, check(domain, partition, view, options)));
    HALO_TRY(exchange(world, partition, grey));
    halo_status status = halo_agree(world, allocate(&sums));
    if (status == HALO_OK && axes == HALO_AXES) {
        compare_planes(&sums, foreground);
    } else if (status == HALO_OK) {
        compare_rows(&sums, view->owned.lo[0], view->owned.n[0], foreground);
    }
    for (int i = 0; i < sums.count; i++) {
        halo_memory_free(sums.sums[i].columns);
        halo_memory_free(sums.sums[i].lines);
    }
    return status;
}
