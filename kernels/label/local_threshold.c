#include "kernels/label/threshold.h"

#include "base/memory.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>

/* The mean of a square around each pixel, from sums that move: those of columns go down a row at a
 * time, that of the square goes to the right. All of it in integers. */

typedef struct {
    const halo_view *grey;
    const halo_domain *domain;
    int64_t radius, width;
    uint32_t *columns; /* [width + 2 * radius] sums of columns, those beyond the edges included */
    int64_t area;      /* pixels of a square */
    int64_t least;     /* of grey * area - sum: foreground from here on */
    bool invert;
} local_sums;

/* Where the pixel `at` of a side of `n` pixels is found, at most n - 1 beyond its ends. */
static int64_t place_of(int64_t at, int64_t n, bool periodic)
{
    if (at < 0) {
        return periodic ? at + n : -1 - at;
    }
    return at < n ? at : periodic ? at - n : 2 * n - 1 - at;
}

/* Row `y` of the domain, which may lie beyond it. Halos of a periodic axis have the rows there. */
static const void *row_at(const local_sums *s, int64_t y)
{
    int64_t n = s->domain->n[0];
    bool periodic = s->domain->periodic[0];
    int64_t row = periodic ? y : place_of(y, n, false);
    return halo_row(s->grey, row - s->grey->owned.lo[0]);
}

/* Unsigned arithmetic wraps: what is taken away was added before. */
static void add_row(const local_sums *s, int64_t y, uint32_t sign)
{
    uint32_t *sums = s->columns + s->radius;
    if (s->grey->cell_bits == 8) {
        const uint8_t *row = row_at(s, y);
        for (int64_t x = 0; x < s->width; x++) {
            sums[x] += sign * row[x];
        }
    } else {
        const uint16_t *row = row_at(s, y);
        for (int64_t x = 0; x < s->width; x++) {
            sums[x] += sign * row[x];
        }
    }
}

static void fill_sides(const local_sums *s)
{
    uint32_t *sums = s->columns + s->radius;
    for (int64_t x = 1; x <= s->radius; x++) {
        int64_t right = s->width - 1 + x;
        sums[-x] = sums[place_of(-x, s->width, s->domain->periodic[1])];
        sums[right] = sums[place_of(right, s->width, s->domain->periodic[1])];
    }
}

static int64_t sample_at(const halo_view *grey, const void *row, int64_t x)
{
    return grey->cell_bits == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

static void compare_row(const local_sums *s, int64_t y, uint64_t *bits)
{
    enum { WORD = 64 };
    const void *row = halo_row(s->grey, y);
    const uint32_t *first = s->columns, *last = s->columns + 2 * s->radius;
    int64_t sum = 0;
    for (const uint32_t *column = first; column < last; column++) {
        sum += *column;
    }
    for (int64_t x = 0; x < s->width; x += WORD) {
        int64_t left = s->width - x < WORD ? s->width - x : WORD;
        uint64_t word = 0;
        for (int64_t i = 0; i < left; i++) {
            sum += last[x + i];
            bool foreground = sample_at(s->grey, row, x + i) * s->area - sum >= s->least;
            word |= (uint64_t)(foreground != s->invert) << i;
            sum -= first[x + i];
        }
        bits[x / WORD] = word;
    }
}

static void compare_all(const local_sums *s, const halo_view *foreground)
{
    int64_t lo = s->grey->owned.lo[0], rows = s->grey->owned.n[0];
    for (int64_t y = lo - s->radius; y < lo + s->radius && rows > 0; y++) {
        add_row(s, y, 1);
    }
    for (int64_t y = 0; y < rows; y++) {
        add_row(s, lo + y + s->radius, 1);
        fill_sides(s);
        compare_row(s, y, halo_row(foreground, y));
        add_row(s, lo + y - s->radius, UINT32_MAX);
    }
}

/* Halos come from the next strip. */
static halo_status check_strips(const halo_domain *domain, const halo_partition *partition,
                                int64_t radius)
{
    int64_t fewest = domain->n[0];
    for (int part = 0; part < partition->parts[0]; part++) {
        int64_t rows = partition->cuts[0][part + 1] - partition->cuts[0][part];
        fewest = rows < fewest ? rows : fewest;
    }
    return fewest >= radius
               ? HALO_OK
               : halo_fail(HALO_RANKS,
                           "a local threshold of radius %" PRId64 " needs as many rows on every "
                           "rank, and one has %" PRId64 " of %" PRId64 "; use a smaller radius, or "
                           "at most %" PRId64 " ranks",
                           radius, fewest, domain->n[0], domain->n[0] / radius);
}

static halo_status check(const halo_domain *domain, const halo_partition *partition,
                         const halo_view *grey, const halo_local_threshold *options)
{
    int64_t side = domain->n[0] < domain->n[1] ? domain->n[0] : domain->n[1];
    if (grey->cell_bits != 8 && grey->cell_bits != 16) {
        return halo_fail(HALO_ARGUMENT,
                         "a local threshold needs greys of 8 or 16 bits, and the image has "
                         "pixels of %d bit; use another threshold",
                         grey->cell_bits);
    }
    return options->radius > 0 && options->radius < side
               ? check_strips(domain, partition, options->radius)
               : halo_fail(HALO_ARGUMENT,
                           "a local threshold of radius %" PRId64 " for an image of %" PRId64
                           " x %" PRId64 " pixels; use a radius from 1 to %" PRId64,
                           options->radius, domain->n[1], domain->n[0], side - 1);
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

halo_status halo_threshold_local(halo_world *world, const halo_domain *domain,
                                 const halo_partition *partition, halo_field *grey,
                                 const halo_local_threshold *options, const halo_view *foreground)
{
    const halo_view *view = halo_field_view(grey);
    int64_t side = 2 * options->radius + 1;
    local_sums sums = {.grey = view,
                       .domain = domain,
                       .radius = options->radius,
                       .width = domain->n[1],
                       .area = side * side,
                       .least = (int64_t)ceil(-options->offset * (double)(side * side)),
                       .invert = options->invert};
    HALO_TRY(halo_agree(world, check(domain, partition, view, options)));
    HALO_TRY(exchange(world, partition, grey));
    HALO_TRY(halo_agree(
        world, HALO_ALLOCATE_LARGE(sums.columns, sums.width + 2 * sums.radius, "sums of columns")));
    compare_all(&sums, foreground);
    halo_memory_free(sums.columns);
    return HALO_OK;
}
