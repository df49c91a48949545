#include "kernels/label/measure/region_thickness.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/distance/thickness.h"
#include "kernels/label/measure/by_number.h"

#include <math.h>

/* An entry is for region `number`. Thicknesses are counted in 2^-40 of a pixel, and sums are in two
 * parts, each of which has room for those of all pixels. */
typedef struct {
    int64_t number, pixels, high, low;
    int64_t square; /* the largest one, of a radius */
    int64_t unused;
} thickness_sum;

enum { PART_BITS = 32, FRACTION_BITS = 40 };

typedef struct {
    const label_numbered *image;
    label_by_number table;
    int64_t *numbers; /* of a row */
} thickness_search;

static halo_status read_numbers(const thickness_search *s, int64_t row)
{
    return label_numbered_row(s->image, row, s->numbers);
}

/* ---- foreground ------------------------------------------------------------------------------ */

static halo_domain domain_of(const label_numbered *image)
{
    halo_domain domain = {.axes = image->axes, .n = {1, 1, 1}};
    for (int axis = 0; axis < image->axes; axis++) {
        domain.n[axis] = image->n[HALO_AXES - image->axes + axis];
    }
    return domain;
}

/* The strip of this rank. */
static halo_box box_of(const label_numbered *image, const halo_domain *domain)
{
    const int64_t *layers = image->layers + halo_world_rank(image->world);
    return (halo_box){.lo = {layers[0], 0, 0},
                      .n = {layers[1] - layers[0], domain->n[1], domain->n[2]}};
}

static halo_status fill_bits(const thickness_search *s, const halo_view *bits)
{
    enum { WORD = 64 };
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    for (int64_t row = cuts[0]; row < cuts[1]; row++) {
        uint64_t *words = halo_view_row(bits, row - cuts[0]);
        HALO_TRY(read_numbers(s, row));
        for (int64_t x = 0; x < s->image->n[2]; x++) {
            words[x / WORD] |= (uint64_t)(s->numbers[x] != 0) << x % WORD;
        }
        HALO_TRY(halo_watch_work(s->image->world, row - cuts[0], cuts[1] - cuts[0]));
    }
    return HALO_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_pixels(thickness_sum *sum, const uint32_t *squares, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t value = (int64_t)ldexp(2 * sqrt((double)squares[i]), FRACTION_BITS);
        sum->high += value >> PART_BITS;
        sum->low += value & UINT32_MAX;
        sum->square = (int64_t)squares[i] > sum->square ? (int64_t)squares[i] : sum->square;
    }
    sum->pixels += count;
}

static halo_status take_row(void *context, const halo_distance_row *row)
{
    thickness_search *s = context;
    int64_t begin, end = 0, number;
    HALO_TRY(read_numbers(s, row->row));
    while ((number = label_next_run(s->numbers, row->count, &begin, &end)) != 0) {
        thickness_sum *sum = label_by_number_find(&s->table, number);
        if (sum == NULL) {
            return s->table.failure;
        }
        add_pixels(sum, (const uint32_t *)row->squares + begin, end - begin);
    }
    return HALO_OK;
}

static void add_sums(const void *context, void *to, const void *part)
{
    thickness_sum *sum = to;
    const thickness_sum *other = part;
    (void)context;
    sum->pixels += other->pixels;
    sum->high += other->high;
    sum->low += other->low;
    sum->square = other->square > sum->square ? other->square : sum->square;
}

static label_thickness thickness_of(const thickness_sum *sum, bool infinite)
{
    double total = ldexp((double)sum->high, PART_BITS - FRACTION_BITS) +
                   ldexp((double)sum->low, -FRACTION_BITS);
    return infinite ? (label_thickness){HUGE_VAL, HUGE_VAL}
                    : (label_thickness){.mean = total / (double)sum->pixels,
                                        .max = 2 * sqrt((double)sum->square)};
}

/* ---------------------------------------------------------------------------------------------- */

/* Collective. */
static halo_status measure(thickness_search *s, const char *instructions,
                           halo_thickness_report *report)
{
    const halo_domain domain = domain_of(s->image);
    const halo_box mine = box_of(s->image, &domain);
    const halo_thickness_options options = {.instructions = instructions};
    halo_field *bits = NULL;
    halo_status status = halo_field_create(&bits, &domain, &mine, HALO_BIT, 0);
    HALO_IF_OK(status, fill_bits(s, halo_field_view(bits)));
    status = halo_agree(s->image->world, status);
    HALO_IF_OK(status, halo_thickness_run(s->image->world, &domain, halo_field_view(bits), &options,
                                          take_row, s, report));
    halo_field_destroy(&bits);
    return status;
}

/* Collective. */
static halo_status find(thickness_search *s, const char *instructions, label_thickness **out,
                        int64_t *count)
{
    halo_world *world = s->image->world;
    halo_thickness_report report;
    HALO_TRY(label_by_number_create(&s->table, s->image, sizeof(thickness_sum)));
    HALO_TRY(
        halo_agree(world, HALO_ALLOCATE_LARGE(s->numbers, s->image->n[2] + 1, "a row of numbers")));
    HALO_TRY(measure(s, instructions, &report));
    HALO_TRY(label_by_number_share(&s->table, add_sums, NULL));
    *count = s->table.count;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE_LARGE(*out, *count + 1, "thickness of regions")));
    for (int64_t i = 0; i < *count; i++) {
        (*out)[i] = thickness_of(label_by_number_own(&s->table, i), report.infinite);
    }
    return HALO_OK;
}

halo_status label_thicknesses(const label_numbered *image, const char *instructions,
                              label_thickness **out, int64_t *count)
{
    thickness_search s = {.image = image};
    *out = NULL;
    *count = 0;
    halo_status status = find(&s, instructions, out, count);
    label_by_number_free(&s.table);
    halo_memory_free(s.numbers);
    return status;
}

int64_t label_thickness_bytes(void)
{
    return (int64_t)(sizeof(thickness_sum) + sizeof(label_thickness));
}

/* Squares twice, and balls for a fourth of all pixels. */
int64_t label_thickness_pixel_bytes(const halo_domain *domain, const halo_box *owned)
{
    const halo_distance_options options = {.inverted = false};
    return halo_distance_bytes(domain, owned, &options) +
           2 * (int64_t)sizeof(uint32_t) * halo_box_cells(owned);
}
