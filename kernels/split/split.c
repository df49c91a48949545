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
    halo_split s = {.domain = *domain, .options = options};
    set_geometry(&s, strip);
    int64_t each = (int64_t)(split_key_bytes(split_widest(domain, &options)) + sizeof *s.ways +
                             sizeof *s.numbers);
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
    HALO_TRY(halo_memory_create(&s->keys, cells * split_key_bytes(s->widest), what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->ways, cells, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->numbers, cells, what));
    return HALO_ALLOCATE_LARGE(s->flags, s->columns + FLAGS, what);
}

/* Cells outside: of the halo, behind rows, and behind planes. */
static void clear(halo_split *s)
{
    split_clear_range(s, 0, s->first);
    split_clear_range(s, s->end, s->cells);
    for (int64_t row = 0; row < split_row_count(s); row++) {
        int64_t end = split_row(s, row) + s->columns;
        bool last = (row + 1) % s->layer_rows == 0 && s->layer_rows * s->pitch < s->layer;
        split_clear_range(s, end, end + 1 + (last ? s->pitch : 0));
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
    s->width = split_first_width(&s->options);
    s->widest = split_widest(&s->domain, &s->options);
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

/* ---- running --------------------------------------------------------------------------------- */

/* Only their numbers are needed for results, which are often made in the same moment. */
static void free_cells(halo_split *s)
{
    halo_memory_free(s->keys);
    halo_memory_free(s->ways);
    free(s->flats.cells);
    s->keys = NULL;
    s->ways = NULL;
    s->flats = (split_list){.cells = NULL};
}

halo_status halo_split_run(halo_split *s)
{
    HALO_TRY(split_descend(s));
    HALO_TRY(split_cross_plateaus(s));
    HALO_TRY(split_number_minima(s));
    HALO_TRY(split_follow(s));
    HALO_TRY(split_resolve(s));
    HALO_TRY(halo_agree(s->world, split_find_passes(s)));
    HALO_TRY(split_join(s));
    free_cells(s);
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
