#include "base/memory.h"
#include "base/minmax.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/rounding.h"

#include <math.h>
#include <stdlib.h>

/* The background below an image, and the image without it: a paraboloid with the curvature of a
 * ball rolls below the image, as ImageJ's sliding paraboloid (after S. R. Sternberg, Biomedical
 * image processing, 1983). Its apex reaches
 *
 *     background(p) = min over q of image(q) + |p - q|^2 / (2 R)
 *
 * which is the lower envelope of parabolas along one axis after the other (P. Felzenszwalb and D.
 * Huttenlocher, Distance transforms of sampled functions, 2012), so that it takes the same time for
 * any R. Lines along axis 0 are brought to one rank, and back. */

typedef struct {
    double radius;
} rolling;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(rolling, "radius", REAL, radius), .min = DBL_MIN, .max = DBL_MAX,
     .required = "it needs a radius: background:50", .value = "R",
     .help = "Radius of the ball, in pixels, and in units of samples along their axis: larger than "
             "the objects"},
    {0}};

/* ---- a line ---------------------------------------------------------------------------------- */

typedef struct {
    double curve; /* 1 / (2 R) */
    int64_t room;
    double *line;    /* [room] samples of a line, */
    double *begins;  /* [room + 1] where a parabola begins to be the lowest, */
    int64_t *lowest; /* [room] and which it is */
} envelope;

/* The place where the parabola of sample q comes below that of an earlier one. */
static double meeting(const envelope *e, int64_t q, int64_t v)
{
    double rise = (e->line[q] - e->line[v]) + e->curve * (double)((q - v) * (q + v));
    return rise / (2 * e->curve * (double)(q - v));
}

/* The lower envelope of parabolas of the samples of the line, in place of them. */
static void lower(envelope *e, int64_t n)
{
    double *f = e->line, *out = f;
    int64_t k = 0;
    e->lowest[0] = 0;
    e->begins[0] = -HUGE_VAL;
    for (int64_t q = 1; q < n; q++) {
        double meets = meeting(e, q, e->lowest[k]);
        while (k > 0 && meets <= e->begins[k]) {
            k--;
            meets = meeting(e, q, e->lowest[k]);
        }
        k++;
        e->lowest[k] = q;
        e->begins[k] = meets;
    }
    e->begins[k + 1] = HUGE_VAL;
    double *kept = e->begins + e->room + 1; /* samples, which are overwritten */
    for (int64_t i = 0; i <= k; i++) {
        kept[i] = f[e->lowest[i]];
    }
    k = 0;
    for (int64_t q = 0; q < n; q++) {
        for (; e->begins[k + 1] < (double)q; k++) {
        }
        double away = (double)(q - e->lowest[k]);
        out[q] = kept[k] + e->curve * away * away;
    }
}

static halo_status create_envelope(envelope *e, double radius, int64_t room)
{
    static const char what[] = "a line of the background";
    e->curve = 1 / (2 * radius);
    e->room = room;
    HALO_TRY(HALO_ALLOCATE(e->line, room, what));
    HALO_TRY(HALO_ALLOCATE(e->begins, 2 * room + 2, what));
    return HALO_ALLOCATE(e->lowest, room, what);
}

static void free_envelope(envelope *e)
{
    free(e->line);
    free(e->begins);
    free(e->lowest);
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* Local. Lines along an axis of a view of doubles of 2 or 3 axes. */
static halo_status lower_axis(const halo_view *view, int axis, envelope *e, const halo_world *world)
{
    int64_t n[HALO_AXES] = {view->owned.n[0], view->owned.n[1], view->owned.n[2]}, along = n[axis];
    ptrdiff_t step = view->stride[axis];
    int64_t since = 0;
    n[axis] = 1;
    for (int64_t line = 0, lines = n[0] * n[1] * n[2]; line < lines && along > 0; line++) {
        int64_t z = line / (n[1] * n[2]), y = line / n[2] % n[1], x = line % n[2];
        char *at = (char *)view->origin + z * view->stride[0] + y * view->stride[1] +
                   (view->axes == HALO_AXES ? x * view->stride[2] : 0);
        for (int64_t i = 0; i < along; i++) {
            e->line[i] = *(double *)(void *)(at + i * step);
        }
        lower(e, along);
        for (int64_t i = 0; i < along; i++) {
            *(double *)(void *)(at + i * step) = e->line[i];
        }
        HALO_TRY(halo_watch_piece(world, &since, along));
    }
    return HALO_OK;
}

/* Collective. Lines along axis 0 are whole where the second axis is cut instead. */
static halo_status lower_layers(const filter_field_call *call, const halo_view *view, envelope *e)
{
    halo_world *world = call->world;
    halo_partition blocks = {0};
    halo_field *field = NULL;
    halo_clock clock = {0};
    const int parts[HALO_AXES] = {1, halo_world_ranks(world), 1};
    if (halo_world_is_alone(world)) {
        return lower_axis(view, 0, e, world);
    }
    halo_status status = halo_partition_blocks(&blocks, call->domain, parts);
    if (status == HALO_OK) {
        const halo_box own = halo_partition_box(&blocks, halo_world_rank(world));
        status = halo_field_create(&field, call->domain, &own, view->cell_bits, 0);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        const halo_view *to = halo_field_view(field);
        status = halo_redistribute(world, view, call->strips, to, &blocks, &clock);
        HALO_IF_OK(status, halo_agree(world, lower_axis(to, 0, e, world)));
        HALO_IF_OK(status, halo_redistribute(world, to, &blocks, view, call->strips, &clock));
    }
    halo_field_destroy(&field);
    halo_partition_free(&blocks);
    return status;
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* Local. */
static void take_samples(const filter_field_call *call, const halo_view *to)
{
    const halo_view *from = halo_field_view(call->in);
    int64_t width = from->owned.n[from->axes - 1];
    for (int64_t i = 0; i < halo_view_rows(from); i++) {
        halo_sample_to_doubles(call->part->in, halo_view_row(from, i), 0, width,
                               halo_view_row(to, i));
    }
}

/* Local. */
static halo_status subtract(const filter_field_call *call, const halo_view *background)
{
    const halo_view *in = halo_field_view(call->in), *out = halo_field_view(call->out);
    int64_t width = in->owned.n[in->axes - 1];
    double *row;
    HALO_TRY(HALO_ALLOCATE(row, width, "a row"));
    for (int64_t i = 0; i < halo_view_rows(in); i++) {
        const double *below = halo_view_row(background, i);
        halo_sample_to_doubles(call->part->in, halo_view_row(in, i), 0, width, row);
        for (int64_t x = 0; x < width; x++) {
            row[x] -= below[x];
        }
        filter_round(call->part->out, row, width, halo_view_row(out, i));
    }
    free(row);
    return HALO_OK;
}

static halo_status create(const filter_field_call *call, halo_field **field, envelope *e)
{
    enum { DOUBLE_BITS = 64 };
    const rolling *r = call->part->step->params;
    const int64_t *n = call->domain->n;
    HALO_TRY(
        halo_field_create(field, call->domain, &halo_field_view(call->in)->owned, DOUBLE_BITS, 0));
    return create_envelope(e, r->radius, halo_max(n[0], halo_max(n[1], n[2])));
}

static halo_status background(const filter_field_call *call)
{
    halo_field *field = NULL;
    envelope e = {0};
    halo_status status = halo_agree(call->world, create(call, &field, &e));
    if (status == HALO_OK) {
        const halo_view *view = halo_field_view(field);
        take_samples(call, view);
        for (int axis = view->axes - 1; axis > 0 && status == HALO_OK; axis--) {
            status = halo_agree(call->world, lower_axis(view, axis, &e, call->world));
        }
        HALO_IF_OK(status, lower_layers(call, view, &e));
        HALO_IF_OK(status, halo_agree(call->world, subtract(call, view)));
    }
    halo_field_destroy(&field);
    free_envelope(&e);
    return status;
}

static halo_status resolve(filter_step *step)
{
    filter_add_part(step, &(filter_part){.field = background});
    return HALO_OK;
}

const halo_filter filter_background = {
    .name = "background",
    .help = "Subtract the background: what a paraboloid reaches that rolls below the image",
    .authority = "ImageJ's sliding paraboloid, without its smoothing",
    .examples = "background:20|background:.5|background:4:dtype=float32",
    .params = rows,
    .params_bytes = sizeof(rolling),
    .takes = FILTER_NUMBERS,
    .gives = FILTER_REALS,
    .resolve = resolve};
