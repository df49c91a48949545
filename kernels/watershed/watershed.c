#include "kernels/watershed/watershed.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/watershed/levels.h"
#include "kernels/watershed/watershed_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(watershed_row_ops, AVX512);

enum { WORD = 64, FLAGS = 8 };

/* ---- geometry -------------------------------------------------------------------------------- */

/* Steps along the axes to the neighbours that differ along at most `most` axes, in raster order. */
static void list_neighbours(halo_watershed *w, int most)
{
    bool volume = w->domain.axes == HALO_AXES;
    for (int code = 0; code < 27; code++) {
        int z = code / 9 - 1, y = code / 3 % 3 - 1, x = code % 3 - 1;
        int along = (z != 0) + (y != 0) + (x != 0);
        if (along >= 1 && along <= most && (volume || y == 0)) {
            w->step[w->neighbours++] = z * w->layer + y * w->pitch + x;
        }
    }
}

static void set_span(watershed_span *span, const halo_watershed *w, int first, int count)
{
    *span = (watershed_span){.width = w->columns, .step = w->step + first, .count = count};
}

/* With corners, neighbours are all cells of boxes. */
static void add_box(halo_watershed *w)
{
    int reach = w->domain.axes == HALO_AXES ? 1 : 0;
    for (int z = -1; z <= 1; z++) {
        for (int y = -reach; y <= reach; y++) {
            int64_t row = z * w->layer + y * w->pitch;
            watershed_span *half = row < 0 ? &w->earlier : &w->later;
            w->around.row[w->around.rows++] = row;
            if (row != 0) {
                half->row[half->rows++] = row;
            }
        }
    }
}

static void set_spans(halo_watershed *w, int order)
{
    list_neighbours(w, order);
    int half = w->neighbours / 2;
    set_span(&w->around, w, 0, w->neighbours);
    set_span(&w->earlier, w, 0, half - 1); /* without the cells beside it in its row */
    set_span(&w->later, w, half + 1, half - 1);
    if (order == w->domain.axes) {
        add_box(w);
    }
}

static void set_geometry(halo_watershed *w, const halo_box *own)
{
    bool volume = w->domain.axes == HALO_AXES;
    w->layers = own->n[0];
    w->layer_rows = volume ? own->n[1] : 1;
    w->columns = volume ? own->n[2] : own->n[1];
    w->pitch = w->columns + 1;
    w->layer = (w->layer_rows + (volume ? 1 : 0)) * w->pitch;
    w->first = w->layer + w->pitch + 1;
    w->end = w->first + w->layers * w->layer;
    w->cells = w->end + w->layer + w->pitch + 1;
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
    return connectivity == 0 ? 1 : 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

static halo_status check(const halo_watershed_options *options, const halo_domain *domain,
                         const halo_partition *strips)
{
    HALO_FAIL_IF(domain->axes < 2 || domain->axes > HALO_AXES, HALO_ARGUMENT,
                 "a watershed has 2 or 3 axes, and the image has %d", domain->axes);
    HALO_FAIL_IF(strips->parts[1] > 1 || strips->parts[2] > 1, HALO_ARGUMENT,
                 "a watershed is computed in strips, not in blocks; use --strips");
    HALO_FAIL_IF(order_of(domain->axes, options->connectivity) == 0, HALO_ARGUMENT,
                 "an element has %s neighbours in %d axes, and not %d",
                 domain->axes == 2 ? "4 or 8" : "6, 18 or 26", domain->axes, options->connectivity);
    double height = options->minima.value;
    return HALO_REQUIRE(!options->minima.given || (height >= 0 && !isinf(height)), HALO_ARGUMENT,
                        "minima cannot be deeper than %g; give a height of 0 or more", height);
}

static halo_status allocate(halo_watershed *w)
{
    static const char what[] = "the watershed of a strip";
    size_t cells = (size_t)w->cells, columns = (size_t)w->columns;
    size_t direction = w->wide ? sizeof(uint32_t) : sizeof(uint8_t);
    HALO_TRY(halo_memory_create(&w->image, cells * (size_t)w->bytes, what));
    HALO_TRY(halo_memory_create(&w->level, cells * (size_t)w->bytes, what));
    if (direction > (size_t)w->bytes && !w->levels_only) {
        HALO_TRY(halo_memory_create(&w->own_directions, cells * direction, what));
    }
    if (w->levels_only) {
        return HALO_ALLOCATE_LARGE(w->flags, columns + FLAGS, what);
    }
    w->directions = w->own_directions != NULL ? w->own_directions : w->image;
    HALO_TRY(HALO_ALLOCATE_LARGE(w->steps, cells, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(w->labels, cells, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(w->markers, cells / WORD + 1, what));
    return HALO_ALLOCATE_LARGE(w->flags, columns + FLAGS, what);
}

/* All cells of the strip are inside until a mask says otherwise. */
void watershed_clear(halo_watershed *w)
{
    if (w->cleared) {
        return;
    }
    w->cleared = true;
    memset(w->image, -1, (size_t)(w->cells * w->bytes));
    if (w->levels_only) {
        return;
    }
    memset(w->level, -1, (size_t)(w->cells * w->bytes));
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        uint32_t *steps = w->steps + watershed_row(w, row);
        for (int64_t x = 0; x < w->columns; x++) {
            steps[x] = WATERSHED_SOURCE;
        }
    }
}

static halo_status create(halo_watershed *w, const halo_domain *domain,
                          const halo_partition *strips)
{
    enum { NARROW = 8 };
    int rank = halo_world_rank(w->world);
    HALO_TRY(check(&w->options, domain, strips));
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, variants, w->options.instructions));
    w->ops = variant->ops;
    w->domain = *domain;
    memset(w->domain.periodic, 0, sizeof w->domain.periodic);
    HALO_TRY(halo_partition_copy(&w->strips, strips));
    halo_box own = halo_partition_box(strips, rank);
    w->before = halo_partition_beside(strips, &w->domain, rank, 0, HALO_LOW);
    w->after = halo_partition_beside(strips, &w->domain, rank, 0, HALO_HIGH);
    w->bytes = watershed_key_bytes(w->options.type);
    set_geometry(w, &own);
    set_spans(w, order_of(domain->axes, w->options.connectivity));
    w->wide = w->neighbours > NARROW;
    HALO_FAIL_IF(w->layer > INT32_MAX / 2 - 1, HALO_ARGUMENT,
                 "a layer of %" PRId64 " elements is too large for a watershed; cut the volume "
                 "along another axis",
                 w->layer);
    return allocate(w);
}

static halo_status create_kind(halo_watershed **out, halo_world *world, const halo_domain *domain,
                               const halo_partition *strips, const halo_watershed_options *options,
                               size_t options_bytes, bool levels_only)
{
    halo_watershed *w = NULL;
    halo_status status = HALO_ALLOCATE(w, 1, "a watershed");
    *out = w;
    if (status == HALO_OK) {
        w->world = world;
        w->levels_only = levels_only;
        status = halo_options_take(&w->options, sizeof w->options, options, options_bytes,
                                   "halo_watershed_options");
    }
    HALO_IF_OK(status, create(w, domain, strips));
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_watershed_destroy(out);
    }
    return status;
}

halo_status halo_watershed_create_sized(halo_watershed **out, halo_world *world,
                                        const halo_domain *domain, const halo_partition *strips,
                                        const halo_watershed_options *options, size_t options_bytes)
{
    return create_kind(out, world, domain, strips, options, options_bytes, false);
}

halo_status watershed_levels_create(halo_watershed **out, halo_world *world,
                                    const halo_domain *domain, const halo_partition *strips,
                                    const halo_watershed_options *options)
{
    return create_kind(out, world, domain, strips, options, sizeof *options, true);
}

void halo_watershed_destroy(halo_watershed **out)
{
    halo_watershed *w = *out;
    if (w != NULL) {
        halo_memory_free(w->image);
        halo_memory_free(w->level);
        halo_memory_free(w->own_directions);
        halo_memory_free(w->steps);
        halo_memory_free(w->labels);
        halo_memory_free(w->markers);
        watershed_entries_free(&w->entries);
        halo_memory_free(w->states);
        halo_memory_free(w->flags);
        watershed_nodes_free(&w->nodes);
        halo_partition_free(&w->strips);
    }
    free(w);
    *out = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

halo_status halo_watershed_put_image(halo_watershed *w, int64_t row, const void *samples)
{
    watershed_clear(w);
    return watershed_keys(w->options.type, samples, w->columns,
                          watershed_key(w, w->image, watershed_row(w, row)));
}

halo_status halo_watershed_put_markers(halo_watershed *w, int64_t row, halo_sample_type type,
                                       const void *samples)
{
    watershed_clear(w);
    bool are = watershed_take_markers(type, samples, w->columns, w->labels + watershed_row(w, row));
    return HALO_REQUIRE(are, HALO_ARGUMENT,
                        "a marker is not a whole number from 1 to %" PRId32 ", or 0 where there is "
                        "none; renumber the markers",
                        INT32_MAX);
}

void halo_watershed_put_mask(halo_watershed *w, int64_t row, halo_sample_type type,
                             const void *samples)
{
    watershed_clear(w);
    uint32_t *steps = w->steps + watershed_row(w, row);
    w->masked = true;
    if (halo_sample_types[type].stored == 1) {
        const uint8_t *bytes = samples;
        for (int64_t x = 0; x < w->columns; x++) {
            steps[x] = bytes[x] != 0 ? WATERSHED_SOURCE : WATERSHED_OUTSIDE;
        }
        return;
    }
    int64_t none = type == HALO_SAMPLE_U64 ? INT64_MIN : 0; /* the key of 0 */
    for (int64_t x = 0; x < w->columns; x++) {
        const char *at = (const char *)samples + x * (int64_t)halo_sample_types[type].stored;
        steps[x] = halo_sample_key(type, at) != none ? WATERSHED_SOURCE : WATERSHED_OUTSIDE;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Outside the mask there is no marker, and the sample is the largest. */
static void apply_mask(halo_watershed *w)
{
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        for (int64_t end = cell + w->columns; cell < end; cell++) {
            if (w->steps[cell] == WATERSHED_OUTSIDE) {
                w->labels[cell] = 0;
                memset(watershed_key(w, w->image, cell), -1, (size_t)w->bytes);
            }
        }
    }
}

/* Levels of a row begin as the samples of markers; elsewhere as the largest sample, or with `keeps`
 * as they are. Returns 0 if there are no markers. */
#define DEFINE_START(key)                                                               \
    static int32_t start_##key(const int32_t *labels, int64_t count, const void *image, \
                               bool keeps, void *levels)                                \
    {                                                                                   \
        const key *in = image, least = keeps ? 0 : (key)-1;                             \
        key *level = levels;                                                            \
        int32_t any = 0;                                                                \
        for (int64_t x = 0; x < count; x++) {                                           \
            key other = level[x] > least ? level[x] : least;                            \
            level[x] = labels[x] != 0 ? in[x] : other;                                  \
            any |= labels[x];                                                           \
        }                                                                               \
        return any;                                                                     \
    }
DEFINE_START(uint8_t)
DEFINE_START(uint16_t)
DEFINE_START(uint32_t)
DEFINE_START(uint64_t)

static void note_markers(halo_watershed *w, int64_t cell)
{
    for (int64_t end = cell + w->columns; cell < end; cell++) {
        if (w->labels[cell] != 0) {
            w->markers[cell / WORD] |= (uint64_t)1 << cell % WORD;
            w->report.largest = halo_max(w->report.largest, w->labels[cell]);
            w->report.markers++;
        }
    }
}

/* With minima, levels are those of the raised image: none is lower than what it becomes. */
static void start_levels(halo_watershed *w)
{
    static int32_t (*const starts[WATERSHED_KEYS])(const int32_t *, int64_t, const void *, bool,
                                                   void *) = {start_uint8_t, start_uint16_t,
                                                              start_uint32_t, start_uint64_t};
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        int32_t any = starts[__builtin_ctz((unsigned)w->bytes)](
            w->labels + cell, w->columns, watershed_key(w, w->image, cell), w->options.minima.given,
            watershed_key(w, w->level, cell));
        if (any != 0) {
            note_markers(w, cell);
        }
    }
}

halo_status halo_watershed_run(halo_watershed *w)
{
    watershed_clear(w);
    if (w->masked) {
        apply_mask(w);
    }
    if (w->options.minima.given) {
        HALO_TRY(watershed_find_minima(w));
    }
    start_levels(w);
    HALO_TRY(watershed_settle_levels(w));
    HALO_TRY(watershed_settle_steps(w));
    HALO_TRY(watershed_label(w));
    int64_t counts[] = {w->report.markers, w->report.reached, w->report.unreached};
    HALO_TRY(halo_allreduce_sum(w->world, counts, 3));
    w->report.markers = counts[0];
    w->report.reached = counts[1];
    w->report.unreached = counts[2];
    return halo_allreduce_max(w->world, &w->report.largest, 1);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Labels, without those of cells that have a neighbour of a smaller one. */
static void draw_line(const halo_watershed *w, int64_t cell, int32_t *out)
{
    for (int64_t x = 0; x < w->columns; x++) {
        const int32_t *label = w->labels + cell + x;
        bool borders = false;
        for (int k = 0; k < w->neighbours; k++) {
            int32_t other = label[w->step[k]];
            borders |= other > 0 && other < *label;
        }
        out[x] = borders ? 0 : *label;
    }
}

void halo_watershed_rows(const halo_watershed *w, int64_t first, int64_t rows, void *out,
                         size_t pitch)
{
    for (int64_t i = 0; i < rows; i++) {
        int64_t cell = watershed_row(w, first + i);
        int32_t *to = (int32_t *)(void *)((char *)out + (size_t)i * pitch);
        if (w->options.line) {
            draw_line(w, cell, to);
        } else {
            memcpy(to, w->labels + cell, (size_t)w->columns * sizeof *to);
        }
    }
}

void halo_watershed_get_report_sized(const halo_watershed *w, halo_watershed_report *report,
                                     size_t report_bytes)
{
    halo_report_give(report, report_bytes, &w->report, sizeof w->report);
}
