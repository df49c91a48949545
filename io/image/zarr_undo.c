#include "io/image/zarr_undo.h"
#include "base/checksums.h"

#include <string.h>
#include <zlib.h>

/* Back from what the steps before compression have stored. */

/* ---- samples of any type --------------------------------------------------------------------- */

/* A sample, which is one of both: of 64 bits, or real. */
typedef struct {
    uint64_t whole;
    double real;
} sample;

static bool is_real(const zarr_format *format)
{
    return halo_sample_types[format->type].real;
}

static bool is_signed(const zarr_format *format)
{
    return halo_sample_types[format->type].numpy[0] == 'i';
}

static sample load(const zarr_format *format, const unsigned char *at)
{
    bool big = halo_image_big_endian() != format->swapped;
    int bytes = (int)format->bytes;
    sample s = {0};
    if (is_real(format)) {
        s.real = halo_image_real(at, bytes, big);
        return s;
    }
    s.whole = is_signed(format) ? (uint64_t)halo_image_signed(at, bytes, big)
                                : halo_image_number(at, bytes, big);
    s.real = is_signed(format) ? (double)(int64_t)s.whole : (double)s.whole;
    return s;
}

/* A real number as a whole one, as C converts it where that is defined. */
static uint64_t whole_of_real(double value, bool with_sign)
{
    double end = with_sign ? 0x1p63 : 0x1p64;
    if (!(value > (with_sign ? -0x1p63 - 1 : -1) && value < end)) {
        return with_sign ? UINT64_C(1) << 63 : 0;
    }
    return with_sign ? (uint64_t)(int64_t)value : (uint64_t)value;
}

static void store(const zarr_format *format, bool from_real, sample s, unsigned char *at)
{
    bool big = halo_image_big_endian() != format->swapped;
    uint64_t bits = from_real ? whole_of_real(s.real, is_signed(format)) : s.whole;
    float single = (float)s.real;
    uint32_t word;
    if (format->type == HALO_SAMPLE_F32) {
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else if (format->type == HALO_SAMPLE_F64) {
        memcpy(&bits, &s.real, sizeof bits);
    }
    for (size_t i = 0; i < format->bytes; i++) {
        at[big ? format->bytes - 1 - i : i] = (unsigned char)(bits >> (BYTE_BITS * i));
    }
}

/* ---- back from what was stored --------------------------------------------------------------- */

bool halo_zarr_undo_astype(const zarr_step *step, const unsigned char *in, int64_t count,
                           unsigned char *out)
{
    for (int64_t i = 0; i < count; i++) {
        store(&step->decoded, is_real(&step->encoded),
              load(&step->encoded, in + (size_t)i * step->encoded.bytes),
              out + (size_t)i * step->decoded.bytes);
    }
    return true;
}

/* Differences: sums of whole numbers wrap around, as numpy's do. */
bool halo_zarr_undo_delta(const zarr_step *step, const unsigned char *in, int64_t count,
                          unsigned char *out)
{
    sample sum = {0};
    bool real = is_real(&step->decoded);
    for (int64_t i = 0; i < count; i++) {
        sample s = load(&step->encoded, in + (size_t)i * step->encoded.bytes);
        sum.whole += s.whole;
        sum.real += s.real;
        unsigned char *at = out + (size_t)i * step->decoded.bytes;
        store(&step->decoded, real, sum, at);
        sum.real = load(&step->decoded, at).real; /* rounded to the type */
    }
    return true;
}

bool halo_zarr_undo_scale(const zarr_step *step, const unsigned char *in, int64_t count,
                          unsigned char *out)
{
    for (int64_t i = 0; i < count; i++) {
        sample s = load(&step->encoded, in + (size_t)i * step->encoded.bytes);
        s.real = s.real / step->scale + step->offset;
        store(&step->decoded, true, s, out + (size_t)i * step->decoded.bytes);
    }
    return true;
}

/* A byte that says how many bits fill up the last byte, and a bit a sample, the first one the
 * highest. */
bool halo_zarr_undo_packbits(const zarr_step *step, const unsigned char *in, int64_t count,
                             unsigned char *out)
{
    (void)step;
    for (int64_t i = 0; i < count; i++) {
        out[i] = in[1 + i / BYTE_BITS] >> (BYTE_BITS - 1 - i % BYTE_BITS) & 1;
    }
    return in[0] == (BYTE_BITS - count % BYTE_BITS) % BYTE_BITS;
}

/* First bytes of all elements, then second ones; what is left over stays as it is. */
bool halo_zarr_undo_shuffle(const zarr_step *step, const unsigned char *in, int64_t count,
                            unsigned char *out)
{
    int64_t bytes = count * (int64_t)step->encoded.bytes, size = step->element;
    int64_t elements = bytes / size;
    for (int64_t i = 0; i < elements; i++) {
        for (int64_t b = 0; b < size; b++) {
            out[i * size + b] = in[b * elements + i];
        }
    }
    memcpy(out + elements * size, in + elements * size, (size_t)(bytes - elements * size));
    return true;
}

bool halo_zarr_undo_nothing(const zarr_step *step, const unsigned char *in, int64_t count,
                            unsigned char *out)
{
    memcpy(out, in, (size_t)count * step->encoded.bytes);
    return true;
}

/* ---- checksums ------------------------------------------------------------------------------- */

static uint32_t sum_crc32(const unsigned char *data, size_t bytes)
{
    return (uint32_t)crc32_z(0, data, bytes);
}

static uint32_t sum_adler32(const unsigned char *data, size_t bytes)
{
    return (uint32_t)adler32_z(1, data, bytes);
}

static uint32_t sum_crc32c(const unsigned char *data, size_t bytes)
{
    return halo_crc32c(data, bytes);
}

/* The checksum stands before the samples or behind them, low byte first. */
static bool check(const zarr_step *step, const unsigned char *in, int64_t count, unsigned char *out,
                  uint32_t (*sum)(const unsigned char *, size_t))
{
    size_t bytes = (size_t)count * step->encoded.bytes;
    memcpy(out, in + (step->behind ? 0 : CHECKSUM_BYTES), bytes);
    return halo_image_number(in + (step->behind ? bytes : 0), CHECKSUM_BYTES, false) ==
           sum(out, bytes);
}

bool halo_zarr_undo_crc32(const zarr_step *step, const unsigned char *in, int64_t count,
                          unsigned char *out)
{
    return check(step, in, count, out, sum_crc32);
}

bool halo_zarr_undo_crc32c(const zarr_step *step, const unsigned char *in, int64_t count,
                           unsigned char *out)
{
    return check(step, in, count, out, sum_crc32c);
}

bool halo_zarr_undo_adler32(const zarr_step *step, const unsigned char *in, int64_t count,
                            unsigned char *out)
{
    return check(step, in, count, out, sum_adler32);
}

bool halo_zarr_undo_fletcher32(const zarr_step *step, const unsigned char *in, int64_t count,
                               unsigned char *out)
{
    size_t bytes = (size_t)count * step->encoded.bytes;
    memcpy(out, in, bytes);
    return halo_fletcher32_fits(out, bytes, in + bytes);
}
