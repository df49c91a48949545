#include "kernels/label/measure/shape.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/shape_border.h"
#include "kernels/label/measure/shape_hull.h"
#include "kernels/label/measure/shape_unroll.h"
#include "kernels/label/measure/solid_shape.h"

#include <stdlib.h>
#include <string.h>

/* One pass over rows of numbers, of strips whatever labelling was cut into. */

typedef struct {
    const label_numbered *image;
    halo_label *label; /* that painted the image, or NULL: it has no periodic axes */
    halo_label_painting *painting;
    int64_t first, end; /* rows of this rank */
    int64_t lines;      /* rows of a plane */
    shape_rows rows;
    int64_t *outer;        /* rows of other ranks, see outer_row */
    label_by_number table; /* of shape_sums */
    bool whole;            /* no region reaches across an edge: moments are those of its pixels */
    const halo_shape_options *options;
    bool flat;           /* an image of two axes */
    bool hulls;          /* extents are kept, or of volumes corners */
    halo_buffer extents; /* of shape_extent, or solid_corner */
    solid_plane plane;   /* of volumes: rows of the latest plane */
} shape_search;

/* ---- rows of other ranks --------------------------------------------------------------------- */

/* SHAPE_REACH rows before the first one and as many behind the last one. */
enum { OUTER = 2 * SHAPE_REACH };

/* The row of the image that is rank's outer row `i`, or -1. */
static int64_t outer_row(const shape_search *s, int rank, int i)
{
    const int64_t *mine = s->image->cuts + rank;
    int64_t height = s->image->n[1];
    if (mine[0] == mine[1] || s->image->axes == HALO_AXES) {
        return -1;
    }
    int64_t row = i < SHAPE_REACH ? mine[0] - SHAPE_REACH + i : mine[1] + i - SHAPE_REACH;
    return s->image->periodic[1]      ? (row + SHAPE_REACH * height) % height
           : row >= 0 && row < height ? row
                                      : -1;
}

static bool has(const shape_search *s, int rank, int64_t row)
{
    return row >= s->image->cuts[rank] && row < s->image->cuts[rank + 1];
}

/* This rank's rows that are outer ones of others, in the order of these. */
static halo_status paint_outer(const shape_search *s, int64_t *out, size_t *bytes)
{
    const halo_world *world = s->image->world;
    int64_t width = s->rows.width;
    for (int rank = 0; rank < halo_world_ranks(world); rank++) {
        for (int i = 0; i < OUTER; i++) {
            int64_t row = outer_row(s, rank, i);
            if (!has(s, halo_world_rank(world), row)) {
                continue;
            }
            if (out != NULL) {
                HALO_TRY(label_numbered_row(s->image, row, out));
                out += width;
            }
            bytes[rank] += out == NULL ? (size_t)width * sizeof *out : 0;
        }
    }
    return HALO_OK;
}

/* Put what came, in the order of the ranks that sent it, in its place. */
static void take_outer(const shape_search *s, const int64_t *came)
{
    const halo_world *world = s->image->world;
    int64_t width = s->rows.width;
    for (int rank = 0; rank < halo_world_ranks(world); rank++) {
        for (int i = 0; i < OUTER; i++) {
            if (has(s, rank, outer_row(s, halo_world_rank(world), i))) {
                memcpy(s->outer + i * width, came, (size_t)width * sizeof *came);
                came += width;
            }
        }
    }
}

/* Collective. Rows that are none stay zeroes. */
static halo_status fetch_outer(shape_search *s)
{
    halo_world *world = s->image->world;
    size_t ranks = (size_t)halo_world_ranks(world), all = 0;
    int64_t *out = NULL;
    size_t *bytes;
    void *came = NULL;
    halo_status status = HALO_ALLOCATE(bytes, 2 * ranks, "rows of labels");
    if (status == HALO_OK) {
        status = paint_outer(s, NULL, bytes);
    }
    for (size_t rank = 0; status == HALO_OK && rank < ranks; rank++) {
        all += bytes[rank];
    }
    if (status == HALO_OK) {
        status = HALO_ALLOCATE_LARGE(out, all / sizeof *out + 1, "rows of labels");
    }
    if (status == HALO_OK) {
        status = paint_outer(s, out, bytes);
    }
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_alltoallv(world, out, bytes, &came, bytes + ranks));
    take_outer(s, came);
done:
    halo_memory_free(out);
    halo_memory_free(came);
    free(bytes);
    return status;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Keeps the ends of the region's latest row, which may be those of the rows above it. */
static halo_status keep_extent(shape_search *s, shape_sums *sums)
{
    if (sums->row == 0) {
        return HALO_OK;
    }
    if (sums->kept > 0) {
        shape_extent *last = (shape_extent *)(void *)s->extents.data + sums->kept - 1;
        if (last->left == sums->left && last->right == sums->right) {
            last->rows = sums->row - last->row;
            return HALO_OK;
        }
    }
    const shape_extent extent = {sums->number, sums->row - 1, 1, sums->left, sums->right};
    HALO_TRY(halo_buffer_append(&s->extents, &extent, sizeof extent));
    sums->kept = (int64_t)(s->extents.size / sizeof extent);
    return HALO_OK;
}

static halo_status extend(shape_search *s, shape_sums *sums, int64_t row, int64_t begin,
                          int64_t end)
{
    if (sums->row != row + 1) {
        HALO_TRY(keep_extent(s, sums));
        sums->row = row + 1;
        sums->left = begin;
    }
    sums->right = end;
    return HALO_OK;
}

/* Row `r` of a volume, of which the region may have had others in its plane. */
static halo_status extend_solid(shape_search *s, shape_sums *sums, int64_t r, int64_t begin,
                                int64_t end)
{
    int64_t y = r % s->lines;
    sums->kept = sums->row > r - y ? sums->kept : -1;
    sums->row = r + 1;
    return solid_plane_add(&s->plane, &sums->kept, sums->number, y, begin, end);
}

/* Stretches of one number in row `r` of all. */
static halo_status add_runs(shape_search *s, const int64_t *row, int64_t r)
{
    int64_t z = r / s->lines, y = r % s->lines, begin, end = 0, number;
    while ((number = label_next_run(row, s->rows.width, &begin, &end)) != 0) {
        shape_sums *sums = label_by_number_find(&s->table, number);
        if (sums == NULL) {
            return s->table.failure;
        }
        shape_add_run(&sums->moments, z, y, begin, end);
        HALO_TRY(s->hulls ? (s->flat ? extend : extend_solid)(s, sums, r, begin, end) : HALO_OK);
    }
    return HALO_OK;
}

/* Row i counts from SHAPE_REACH rows before the first one. */
static halo_status load_row(shape_search *s, int64_t i)
{
    int64_t row = s->first - SHAPE_REACH + i, *to = shape_rows_at(&s->rows, i);
    if (row >= s->first && row < s->end) {
        HALO_TRY(label_numbered_row(s->image, row, to));
    } else {
        int64_t outer = row < s->first ? i : row - s->end + SHAPE_REACH;
        memcpy(to, s->outer + outer * s->rows.width, (size_t)s->rows.width * sizeof *to);
    }
    shape_rows_done(&s->rows, i);
    return HALO_OK;
}

static halo_status take_flat(shape_search *s)
{
    int64_t count = s->end - s->first + OUTER;
    for (int64_t i = 0; i < count && s->end > s->first; i++) {
        HALO_TRY(load_row(s, i));
        if (i >= 2) {
            shape_rows_find(&s->rows, i - 1);
        }
        if (i >= OUTER) {
            int64_t at = i - SHAPE_REACH;
            HALO_TRY(shape_rows_count(&s->rows, at, &s->table));
            HALO_TRY(s->whole
                         ? add_runs(s, shape_rows_at(&s->rows, at), s->first + at - SHAPE_REACH)
                         : HALO_OK);
        }
    }
    for (int64_t i = 0; i < s->table.count; i++) {
        HALO_TRY(keep_extent(s, label_by_number_own(&s->table, i)));
    }
    for (int64_t i = 0; i <= s->table.mask; i++) {
        HALO_TRY(keep_extent(s, label_by_number_other(&s->table, i)));
    }
    return HALO_OK;
}

static halo_status take_solid(shape_search *s)
{
    int64_t *row = shape_rows_at(&s->rows, 0);
    for (int64_t r = s->first; r < s->end && s->whole; r++) {
        HALO_TRY(label_numbered_row(s->image, r, row));
        HALO_TRY(add_runs(s, row, r));
        bool last = (r + 1) % s->lines == 0 || r + 1 == s->end;
        HALO_TRY(last ? solid_plane_end(&s->plane, r / s->lines, &s->extents) : HALO_OK);
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static void add_sums(const void *context, void *to, const void *part)
{
    shape_sums *sums = to;
    const shape_sums *more = part;
    (void)context;
    shape_add(&sums->moments, &more->moments);
    for (int k = 0; k < HALO_SHAPE_BORDERS; k++) {
        sums->border[k] += more->border[k];
    }
}

static halo_status create(shape_search *s)
{
    const label_numbered *image = s->image;
    const int64_t *cuts = image->cuts + halo_world_rank(image->world);
    s->first = cuts[0];
    s->end = cuts[1];
    s->lines = image->n[1];
    s->whole = !image->periodic[0] && !image->periodic[1] && !image->periodic[2];
    s->flat = image->axes < HALO_AXES;
    s->hulls = s->whole && (s->options->ferets || s->options->hulls);
    HALO_TRY(shape_rows_create(&s->rows, image->n[2], image->periodic[2]));
    return HALO_ALLOCATE_LARGE(s->outer, OUTER * image->n[2], "rows of labels");
}

/* Collective. hulls[i] is that of this rank's region i, and so are diameters and widths, unless
 * NULL. */
static halo_status find_hulls(const shape_search *s, int64_t *hulls, double *diameters,
                              double *widths)
{
    const label_by_number *table = &s->table;
    const double *size = s->options->size;
    const shape_ferets ferets = {
        .size = {size[1], size[2]}, .diameter = diameters, .width = widths};
    void *came = NULL;
    int64_t count;
    const size_t bytes = s->flat ? sizeof(shape_extent) : sizeof(solid_corner);
    const label_by_number_post post = {.data = s->extents.data,
                                       .count = (int64_t)(s->extents.size / bytes),
                                       .size = bytes,
                                       .offset = s->flat ? offsetof(shape_extent, region)
                                                         : offsetof(solid_corner, region)};
    HALO_TRY(label_by_number_send(table, &post, &came, &count));
    halo_status status = s->flat ? shape_find_hulls(table->world, came, count, table->first, hulls,
                                                    diameters != NULL ? &ferets : NULL)
                                 : solid_find_shapes(table->world, came, count, table->first, size,
                                                     hulls, diameters, widths);
    halo_memory_free(came);
    return halo_agree(table->world, status);
}

/* Collective. `widths` may be NULL. */
static halo_status set_hulls(const shape_search *s, halo_shape *shapes, double *widths)
{
    halo_world *world = s->table.world;
    int64_t *hulls = NULL;
    double *diameters = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(hulls, s->table.count + 1, "hulls of regions");
    if (status == HALO_OK && s->options->ferets) {
        status = HALO_ALLOCATE_LARGE(diameters, s->table.count + 1, "diameters of regions");
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = find_hulls(s, hulls, diameters, widths);
    }
    for (int64_t i = 0; i < s->table.count && status == HALO_OK; i++) {
        shapes[i].hull = hulls[i];
        shapes[i].feret = diameters != NULL ? diameters[i] : 0;
    }
    halo_memory_free(hulls);
    halo_memory_free(diameters);
    return status;
}

static halo_status find(shape_search *s, halo_shape **out, int64_t *count)
{
    static const char what[] = "shapes of regions";
    halo_world *world = s->image->world;
    double **widths = s->options->ferets ? s->options->widths : NULL;
    HALO_TRY(label_by_number_create(&s->table, s->image, sizeof(shape_sums)));
    HALO_TRY(halo_agree(world, create(s)));
    HALO_TRY(fetch_outer(s));
    HALO_TRY(halo_agree(world, s->flat ? take_flat(s) : take_solid(s)));
    HALO_TRY(label_by_number_share(&s->table, add_sums, NULL));
    if (!s->whole) {
        HALO_TRY(label_unroll(s->label, s->painting, &s->table));
    }
    *count = s->table.count;
    halo_status status = HALO_ALLOCATE_LARGE(*out, *count + 1, what);
    HALO_IF_OK(status, widths != NULL ? HALO_ALLOCATE_LARGE(*widths, *count + 1, what) : HALO_OK);
    HALO_TRY(halo_agree(world, status));
    for (int64_t i = 0; i < *count; i++) {
        const shape_sums *sums = label_by_number_own(&s->table, i);
        shape_covariance(sums, (*out)[i].covariance);
        memcpy((*out)[i].border, sums->border, sizeof sums->border);
    }
    return s->hulls ? set_hulls(s, *out, widths != NULL ? *widths : NULL) : HALO_OK;
}

/* Collective. `s` has the image, its label and the options. */
static halo_status search_image(shape_search *s, halo_shape **out, int64_t *count)
{
    double **widths = s->options->widths;
    if (widths != NULL) {
        *widths = NULL;
    }
    halo_status status = find(s, out, count);
    shape_rows_free(&s->rows);
    label_by_number_free(&s->table);
    halo_memory_free(s->outer);
    halo_buffer_free(&s->extents);
    solid_plane_free(&s->plane);
    if (status != HALO_OK) {
        halo_memory_free(*out);
        *out = NULL;
    }
    if (status != HALO_OK && widths != NULL) {
        halo_memory_free(*widths);
        *widths = NULL;
    }
    return status;
}

halo_status label_shapes(const label_numbered *image, const halo_shape_options *options,
                         halo_shape **out, int64_t *count)
{
    shape_search s = {.image = image, .options = options};
    *out = NULL;
    *count = 0;
    return search_image(&s, out, count);
}

halo_status halo_label_shapes_sized(halo_label *label, const halo_shape_options *given,
                                    halo_shape **out, int64_t *count, size_t given_bytes)
{
    halo_shape_options options;
    shape_search s = {.label = label, .options = &options};
    *out = NULL;
    *count = 0;
    HALO_TRY(halo_agree(label->job.world, halo_options_take(&options, sizeof options, given,
                                                            given_bytes, "halo_shape_options")));
    if (!label_has_numbers(label)) {
        return halo_fail(HALO_ARGUMENT, "shapes are of regions that are measured, and numbered "
                                        "from 1");
    }
    halo_status status = halo_label_painting_create(&s.painting, label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        const label_numbered image = label_numbered_of(label, s.painting);
        s.image = &image;
        status = search_image(&s, out, count);
    }
    halo_label_painting_destroy(&s.painting);
    return status;
}

int64_t halo_label_shape_bytes(bool solid)
{
    /* Extents, or of each side's first corner, as they are found and as they come. */
    const size_t hull = solid ? 2 * 2 * sizeof(solid_corner) : 2 * sizeof(shape_extent);
    return (int64_t)(sizeof(shape_sums) + sizeof(halo_shape) + hull);
}
