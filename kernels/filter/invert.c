#include "kernels/filter/bits.h"
#include "kernels/filter/filters.h"
#include "kernels/filter/pipeline.h"

/* Light becomes dark: as skimage.util.invert. */

/* The complement of whole numbers, unsigned and signed, is the same as the distance from the other
 * end of the type. */
static void invert_bytes(const void *in, size_t bytes, void *out)
{
    const unsigned char *from = in;
    unsigned char *to = out;
    for (size_t i = 0; i < bytes; i++) {
        to[i] = (unsigned char)~from[i];
    }
}

static void invert_bits(const uint64_t *in, int64_t width, uint64_t *out)
{
    int64_t words = (width + FILTER_WORD - 1) / FILTER_WORD;
    for (int64_t i = 0; i < words; i++) {
        out[i] = ~in[i] & (i + 1 < words ? UINT64_MAX : filter_last_bits(width));
    }
}

static void invert_floats(const float *in, int64_t width, float *out)
{
    for (int64_t i = 0; i < width; i++) {
        out[i] = 1 - in[i];
    }
}

static void invert_doubles(const double *in, int64_t width, double *out)
{
    for (int64_t i = 0; i < width; i++) {
        out[i] = 1 - in[i];
    }
}

static void invert_rows(const filter_tile *tile)
{
    halo_sample_type type = tile->part->in;
    for (int64_t i = 0; i < tile->rows; i++) {
        const void *in = tile->in[i];
        void *out = tile->out[i];
        switch (type) {
        case HALO_SAMPLE_BIT:
            invert_bits(in, tile->width, out);
            break;
        case HALO_SAMPLE_F32:
            invert_floats(in, tile->width, out);
            break;
        case HALO_SAMPLE_F64:
            invert_doubles(in, tile->width, out);
            break;
        default:
            invert_bytes(in, filter_row_bytes(type, tile->width), out);
        }
    }
}

static halo_status resolve(filter_step *step)
{
    filter_add_part(step, &(filter_part){.rows = invert_rows});
    return HALO_OK;
}

const halo_filter filter_invert = {
    .name = "invert",
    .help = "Light becomes dark: the largest sample of the type minus the sample; reals are "
            "subtracted from 1",
    .authority = "skimage.util.invert",
    .examples = "invert",
    .takes = FILTER_ANY,
    .resolve = resolve};
