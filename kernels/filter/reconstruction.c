#include "base/memory.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/connectivity.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/pipeline.h"
#include "kernels/filter/second.h"
#include "kernels/watershed/levels.h"

#include <string.h>

/* Morphological reconstruction of a mask, the second image, from a seed, the first one (L. Vincent,
 * Morphological grayscale reconstruction in image analysis, 1993). */

typedef struct {
    filter_other mask; /* the first one: halo_filter.second */
    int method;        /* 1: erosion */
    int connectivity;
} reconstruction;

#define ROW(option, kind, member) HALO_OPTION_ROW(reconstruction, option, kind, member)

static const halo_option rows[] = {
    {ROW("mask", CUSTOM, mask), .parse = filter_parse_image, .value = "FILE",
     .takes = "the name of an image", .required = "it needs a mask: reconstruction:mask.tif",
     .help = "Image of the same shape and type that limits the spread of the image's samples"},
    {ROW("method", INDEX, method), .choices = "|dilation|erosion", .standard = "dilation",
     .help = "dilation: samples spread up to those of the mask; erosion: down to them"},
    FILTER_CONNECTIVITY_ROW(reconstruction, "3"),
    {0}};

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    const filter_field_call *call;
    const reconstruction *r;
    halo_watershed *w;
    bool bits;            /* which are bytes here */
    char *mask;           /* a row */
    unsigned char *bytes; /* of one of bits */
} run;

/* The row of the mask at row `row` of this rank's strip. */
static halo_status read_mask(const run *t, int64_t row)
{
    const filter_step *step = t->call->part->step;
    const halo_view *view = halo_field_view(t->call->in);
    bool solid = view->axes == HALO_AXES;
    int64_t lo = view->owned.lo[0], plane_rows = solid ? view->owned.n[1] : 1;
    int64_t z = solid ? lo + row / plane_rows : 0, y = solid ? row % plane_rows : lo + row;
    HALO_TRY(filter_second_row(step, z, y, t->mask));
    for (int64_t x = 0; x < step->n[2] && t->bits; x++) {
        t->mask[x] = t->mask[x] != 0;
    }
    return HALO_OK;
}

/* Local. */
static halo_status put(const run *t)
{
    const halo_view *in = halo_field_view(t->call->in);
    bool high = t->r->method == 0;
    int64_t width = t->call->part->step->n[2];
    for (int64_t row = 0; row < halo_view_rows(in); row++) {
        HALO_TRY(read_mask(t, row));
        HALO_TRY(watershed_levels_put_image(t->w, row, t->mask, high));
    }
    for (int64_t row = 0; row < halo_view_rows(in); row++) {
        const void *seed = halo_view_row(in, row);
        if (t->bits) {
            filter_unpack_bits(seed, width, t->bytes);
            seed = t->bytes;
        }
        HALO_TRY(watershed_levels_put(t->w, row, seed, high));
    }
    return HALO_OK;
}

static void take(const run *t)
{
    const halo_view *out = halo_field_view(t->call->in); /* in place */
    bool high = t->r->method == 0;
    for (int64_t row = 0; row < halo_view_rows(out); row++) {
        watershed_levels_row(t->w, row, high, t->bits ? t->bytes : halo_view_row(out, row));
        if (t->bits) {
            filter_pack_bits(t->bytes, t->call->part->step->n[2], halo_view_row(out, row));
        }
    }
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* Local. */
static halo_status allocate(run *t)
{
    static const char what[] = "a row of a mask";
    const filter_step *step = t->call->part->step;
    size_t bytes = filter_row_bytes(step->second.type, step->n[2]);
    HALO_TRY(HALO_ALLOCATE_LARGE(t->mask, bytes, what));
    return HALO_ALLOCATE_LARGE(t->bytes, (size_t)step->n[2] + sizeof(uint64_t), what);
}

/* Collective. */
static halo_status reconstruct(run *t)
{
    const filter_field_call *call = t->call;
    const halo_watershed_options options = {
        .type = call->part->in,
        .connectivity = filter_neighbours(t->r->connectivity, call->domain->axes),
        .instructions = call->instructions};
    HALO_TRY(halo_agree(call->world, allocate(t)));
    HALO_TRY(watershed_levels_create(&t->w, call->world, call->domain, call->strips, &options));
    HALO_TRY(halo_agree(call->world, put(t)));
    HALO_TRY(watershed_levels_settle(t->w));
    take(t);
    return HALO_OK;
}

/* Bits have a mask of bits, or of bytes that are 0 or not. */
static halo_status check_types(const filter_step *step)
{
    halo_sample_type own = step->in == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : step->in;
    return step->second.type == own
               ? HALO_OK
               : filter_refuse(step,
                               "samples of the mask are %s, and those of the image %s; both must "
                               "be of one type",
                               halo_sample_types[step->second.type].name,
                               halo_sample_types[step->in].name);
}

static halo_status run_field(const filter_field_call *call)
{
    const filter_step *step = call->part->step;
    run t = {.call = call, .r = step->params, .bits = step->in == HALO_SAMPLE_BIT};
    halo_status status = filter_second_check_known(step);
    HALO_IF_OK(status, check_types(step));
    status = halo_agree(call->world, status);
    HALO_IF_OK(status, reconstruct(&t));
    halo_watershed_destroy(&t.w);
    halo_memory_free(t.mask);
    halo_memory_free(t.bytes);
    return status;
}

static halo_status resolve(filter_step *step)
{
    HALO_TRY(step->second.row != NULL ? check_types(step) : HALO_OK);
    filter_add_part(step, &(filter_part){.field = run_field, .in_place = true});
    return HALO_OK;
}

const halo_filter filter_reconstruction = {
    .name = "reconstruction",
    .help = "Spread the image, as the seed, within another one, the mask: it is dilated, and cut "
            "to the mask, until nothing changes; with method=erosion eroded. Samples beyond the "
            "mask begin at it",
    .authority = "skimage.morphology.reconstruction",
    .examples = "reconstruction:other.tif|reconstruction:other.tif:method=erosion|"
                "reconstruction:other.tif:connectivity=1",
    .params = rows,
    .params_bytes = sizeof(reconstruction),
    .takes = FILTER_ANY,
    .second = true,
    .resolve = resolve};
