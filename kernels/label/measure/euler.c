#include "kernels/label/measure/euler.h"

#include "base/memory.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/by_number.h"

#include <string.h>

/* A region is built of its voxels in raster order. A new voxel changes the Euler number by 1 less
 * the Euler number of what it shares with the voxels before it, which depends on 13 neighbours. An
 * image of two axes is a volume whose planes are rows: shapes that are as thick as a voxel have the
 * Euler number of the flat ones. */

enum { NEIGHBOURS = 13, CASES = 1 << NEIGHBOURS };

/* An entry is for region `number`. */
typedef struct {
    int64_t number, euler;
} euler_sums;

typedef struct {
    const label_numbered *image;
    int64_t lines, width;  /* rows of a plane, and their voxels */
    int64_t pitch;         /* with a column of zeroes on either side */
    int64_t first, end;    /* planes of this rank */
    int64_t *layer;        /* [(lines + 2) * pitch] the plane before, row by row replaced, between
                            * two rows of zeroes */
    int64_t *before;       /* [pitch] the row above in the plane before */
    int64_t *row;          /* [pitch] the next one */
    int8_t *changes;       /* [CASES] of the Euler number */
    label_by_number table; /* of euler_sums */
} euler_search;

/* True if the neighbour at `to` has the vertex, edge or face at `cell` of the voxel: both are -1, 0
 * or 1 along each axis, and a cell extends along those where it is 0. */
static bool has_cell(const int to[HALO_AXES], const int cell[HALO_AXES])
{
    bool has = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        has = has && (to[axis] == 0 || to[axis] == cell[axis]);
    }
    return has;
}

/* From 0 to 26, to positions around a voxel; the first 13 come before it in raster order. */
static void position_of(int i, int at[HALO_AXES])
{
    enum { PLANE = 9, ROW = 3 };
    at[0] = i / PLANE - 1;
    at[1] = i / ROW % ROW - 1;
    at[2] = i % ROW - 1;
}

/* Sets changes[neighbours], [CASES]. The vertices, edges and faces that are shared are counted once
 * each: their Euler number is that of vertices less edges plus faces. */
static void find_changes(int8_t *changes)
{
    enum { CELLS = 27 };
    int having[CELLS], sign[CELLS]; /* bits of the neighbours that have a cell */
    for (int i = 0; i < CELLS; i++) {
        int cell[HALO_AXES], to[HALO_AXES];
        position_of(i, cell);
        sign[i] = ((cell[0] == 0) + (cell[1] == 0) + (cell[2] == 0)) % 2 == 0 ? 1 : -1;
        having[i] = 0;
        for (int n = 0; n < NEIGHBOURS; n++) {
            position_of(n, to);
            having[i] |= has_cell(to, cell) ? 1 << n : 0;
        }
    }
    for (int neighbours = 0; neighbours < CASES; neighbours++) {
        int shared = 0;
        for (int i = 0; i < CELLS; i++) {
            shared += (neighbours & having[i]) != 0 ? sign[i] : 0;
        }
        changes[neighbours] = (int8_t)(1 - shared);
    }
}

/* Bits of the three neighbours in a row that have the number. */
static inline int three(const int64_t *row, int64_t x, int64_t number)
{
    return (row[x - 1] == number) | (row[x] == number) << 1 | (row[x + 1] == number) << 2;
}

/* Adds row `line` of the plane, whose numbers are s->row. */
static halo_status add_row(euler_search *s, int64_t line)
{
    const int64_t *row = s->row + 1, *before = s->before + 1;
    const int64_t *kept = s->layer + (line + 1) * s->pitch + 1;
    const int64_t *below = kept + s->pitch, *above = kept - s->pitch;
    int64_t begin, end = 0, number;
    while ((number = label_next_run(row, s->width, &begin, &end)) != 0) {
        euler_sums *sums = label_by_number_find(&s->table, number);
        if (sums == NULL) {
            return s->table.failure;
        }
        int along = 0;
        for (int64_t x = begin; x < end; x++) {
            int neighbours = three(kept, x, number) << 3 | along;
            if (s->lines > 1) {
                neighbours |= three(before, x, number) | three(below, x, number) << 6 |
                              three(above, x, number) << 9;
            }
            sums->euler += s->changes[neighbours];
            along = 1 << (NEIGHBOURS - 1);
        }
    }
    return HALO_OK;
}

static halo_status add_planes(euler_search *s)
{
    size_t bytes = (size_t)s->pitch * sizeof *s->row;
    for (int64_t plane = s->first; plane < s->end; plane++) {
        memset(s->before, 0, bytes);
        for (int64_t line = 0; line < s->lines; line++) {
            int64_t *kept = s->layer + (line + 1) * s->pitch;
            HALO_TRY(label_numbered_row(s->image, plane * s->lines + line, s->row + 1));
            HALO_TRY(add_row(s, line));
            memcpy(s->before, kept, bytes);
            memcpy(kept, s->row, bytes);
        }
    }
    return HALO_OK;
}

/* Collective. The layer before this rank's first one, if there is any. */
static halo_status fetch_layer(euler_search *s)
{
    halo_world *world = s->image->world;
    int64_t *came;
    bool has_layer = false;
    halo_status status =
        halo_agree(world, HALO_ALLOCATE_LARGE(came, s->lines * s->width + 1, "a plane of labels"));
    if (status == HALO_OK) {
        status = label_numbered_layer_before(s->image, false, came, &has_layer);
    }
    for (int64_t line = 0; line < s->lines && has_layer && status == HALO_OK; line++) {
        memcpy(s->layer + (line + 1) * s->pitch + 1, came + line * s->width,
               (size_t)s->width * sizeof *came);
    }
    halo_memory_free(came);
    return status;
}

static halo_status create(euler_search *s)
{
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    s->first = cuts[0] / s->lines;
    s->end = cuts[1] / s->lines;
    HALO_TRY(HALO_ALLOCATE_LARGE(s->layer, (s->lines + 2) * s->pitch, "a plane of labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->before, s->pitch, "rows of labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->row, s->pitch, "rows of labels"));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->changes, CASES, "Euler numbers"));
    find_changes(s->changes);
    return HALO_OK;
}

static void add_sums(const void *context, void *to, const void *part)
{
    euler_sums *sums = to;
    const euler_sums *more = part;
    (void)context;
    sums->euler += more->euler;
}

static halo_status find(euler_search *s, int64_t **out, int64_t *count)
{
    halo_world *world = s->image->world;
    HALO_TRY(label_by_number_create(&s->table, s->image, sizeof(euler_sums)));
    HALO_TRY(halo_agree(world, create(s)));
    HALO_TRY(fetch_layer(s));
    HALO_TRY(halo_agree(world, add_planes(s)));
    HALO_TRY(label_by_number_share(&s->table, add_sums, NULL));
    HALO_TRY(halo_agree(world,
                        HALO_ALLOCATE_LARGE(*out, s->table.count + 1, "Euler numbers of regions")));
    *count = s->table.count;
    for (int64_t i = 0; i < *count; i++) {
        (*out)[i] = ((const euler_sums *)label_by_number_own(&s->table, i))->euler;
    }
    return HALO_OK;
}

halo_status label_eulers(const label_numbered *image, int64_t **out, int64_t *count)
{
    int64_t width = image->n[2];
    euler_search s = {.image = image,
                      .lines = image->axes == HALO_AXES ? image->n[1] : 1,
                      .width = width,
                      .pitch = width + 2};
    *out = NULL;
    *count = 0;
    halo_status status = find(&s, out, count);
    label_by_number_free(&s.table);
    halo_memory_free(s.layer);
    halo_memory_free(s.before);
    halo_memory_free(s.row);
    halo_memory_free(s.changes);
    return status;
}

halo_status halo_label_eulers(halo_label *label, int64_t **out, int64_t *count)
{
    const bool *periodic = label->job.periodic;
    halo_label_painting *painting = NULL;
    *out = NULL;
    *count = 0;
    if (!label_has_numbers(label) || periodic[0] || periodic[1] || periodic[2]) {
        return halo_fail(HALO_ARGUMENT, "Euler numbers are of regions that are measured, and "
                                        "numbered from 1, of images without periodic axes");
    }
    halo_status status = halo_label_painting_create(&painting, label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        const label_numbered image = label_numbered_of(label, painting);
        status = label_eulers(&image, out, count);
    }
    halo_label_painting_destroy(&painting);
    return status;
}

int64_t halo_label_euler_bytes(void)
{
    return (int64_t)(sizeof(euler_sums) + sizeof(int64_t));
}
