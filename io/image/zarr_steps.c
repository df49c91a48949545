#include "base/memory.h"
#include "io/image/zarr_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What is done to the samples of a chunk before they are compressed: numcodecs' filters, as their
 * documentation has them (numcodecs.readthedocs.io), checksums, and axes in another order. */

enum { BYTE_BITS = 8, CHECKSUM_BYTES = 4 };

/* ---- descriptions ---------------------------------------------------------------------------- */

static halo_status parse_format(const halo_image_reader *reader, const json_t *value,
                                const zarr_format *standard, zarr_format *out)
{
    const char *text = json_string_value(value);
    *out = *standard;
    if (value == NULL || json_is_null(value)) {
        return HALO_OK;
    }
    return text != NULL && halo_image_parse_dtype(text, &out->type, &out->bytes, &out->swapped)
               ? HALO_OK
               : halo_zarr_fail_field(reader, "filter's type", value,
                                      "u1, <i2, <f4 and the like can be read");
}

/* The encoded samples have the type of `astype`, or of `encode_dtype`. */
static halo_status parse_types(const halo_image_reader *reader, const json_t *options,
                               const zarr_format *before, zarr_step *step)
{
    const json_t *to = json_object_get(options, "astype");
    to = to != NULL ? to : json_object_get(options, "encode_dtype");
    const json_t *from = json_object_get(options, "dtype");
    from = from != NULL ? from : json_object_get(options, "decode_dtype");
    HALO_TRY(parse_format(reader, from, before, &step->decoded));
    return parse_format(reader, to, &step->decoded, &step->encoded);
}

static halo_status parse_scale(const halo_image_reader *reader, const json_t *options,
                               const zarr_format *before, zarr_step *step)
{
    const json_t *scale = json_object_get(options, "scale");
    const json_t *offset = json_object_get(options, "offset");
    step->scale = json_number_value(scale);
    step->offset = json_number_value(offset);
    if (!json_is_number(scale) || !json_is_number(offset) || !(fabs(step->scale) > 0)) {
        return halo_zarr_fail_field(reader, "filter fixedscaleoffset", options,
                                    "it needs an offset, and a scale other than 0");
    }
    return parse_types(reader, options, before, step);
}

static halo_status parse_bits(const halo_image_reader *reader, const json_t *options,
                              const zarr_format *before, zarr_step *step)
{
    (void)reader, (void)options;
    step->decoded = *before;
    step->encoded = (zarr_format){.type = HALO_IMAGE_U8, .bytes = 1};
    return HALO_OK;
}

static halo_status parse_element(const halo_image_reader *reader, const json_t *options,
                                 const zarr_format *before, zarr_step *step)
{
    enum { USUAL = 4, MOST = 256 };
    const json_t *size = json_object_get(options, "elementsize");
    step->decoded = step->encoded = *before;
    step->element = size != NULL ? json_integer_value(size) : USUAL;
    return step->element >= 1 && step->element <= MOST
               ? HALO_OK
               : halo_zarr_fail_field(reader, "filter shuffle", options,
                                      "its elementsize has to be 1 to 256");
}

static halo_status parse_nothing(const halo_image_reader *reader, const json_t *options,
                                 const zarr_format *before, zarr_step *step)
{
    (void)reader, (void)options;
    step->decoded = step->encoded = *before;
    return HALO_OK;
}

/* ---- samples of any type --------------------------------------------------------------------- */

/* A sample, which is one of both: of 64 bits, or real. */
typedef struct {
    uint64_t whole;
    double real;
} sample;

static bool is_real(const zarr_format *format)
{
    return format->type == HALO_IMAGE_F32 || format->type == HALO_IMAGE_F64;
}

static bool is_signed(const zarr_format *format)
{
    return format->type == HALO_IMAGE_I8 || format->type == HALO_IMAGE_I16 ||
           format->type == HALO_IMAGE_I32 || format->type == HALO_IMAGE_I64;
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
    if (format->type == HALO_IMAGE_F32) {
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else if (format->type == HALO_IMAGE_F64) {
        memcpy(&bits, &s.real, sizeof bits);
    }
    for (size_t i = 0; i < format->bytes; i++) {
        at[big ? format->bytes - 1 - i : i] = (unsigned char)(bits >> (BYTE_BITS * i));
    }
}

/* ---- back from what was stored --------------------------------------------------------------- */

static bool convert(const zarr_step *step, const unsigned char *in, int64_t count,
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
static bool add_up(const zarr_step *step, const unsigned char *in, int64_t count,
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

static bool unscale(const zarr_step *step, const unsigned char *in, int64_t count,
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
static bool unpack_bits(const zarr_step *step, const unsigned char *in, int64_t count,
                        unsigned char *out)
{
    (void)step;
    for (int64_t i = 0; i < count; i++) {
        out[i] = in[1 + i / BYTE_BITS] >> (BYTE_BITS - 1 - i % BYTE_BITS) & 1;
    }
    return in[0] == (BYTE_BITS - count % BYTE_BITS) % BYTE_BITS;
}

/* First bytes of all elements, then second ones; what is left over stays as it is. */
static bool unshuffle(const zarr_step *step, const unsigned char *in, int64_t count,
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

static bool keep(const zarr_step *step, const unsigned char *in, int64_t count, unsigned char *out)
{
    memcpy(out, in, (size_t)count * step->encoded.bytes);
    return true;
}

/* The checksum stands before the samples, low byte first. */
static bool check_crc32(const zarr_step *step, const unsigned char *in, int64_t count,
                        unsigned char *out)
{
    size_t bytes = (size_t)count * step->encoded.bytes;
    memcpy(out, in + CHECKSUM_BYTES, bytes);
    return halo_image_number(in, CHECKSUM_BYTES, false) == crc32(0, out, (uInt)bytes);
}

static bool check_adler32(const zarr_step *step, const unsigned char *in, int64_t count,
                          unsigned char *out)
{
    size_t bytes = (size_t)count * step->encoded.bytes;
    memcpy(out, in + CHECKSUM_BYTES, bytes);
    return halo_image_number(in, CHECKSUM_BYTES, false) == adler32(1, out, (uInt)bytes);
}

struct zarr_step_kind {
    const char *name;
    halo_status (*parse)(const halo_image_reader *reader, const json_t *options,
                         const zarr_format *before, zarr_step *step);
    bool (*undo)(const zarr_step *step, const unsigned char *in, int64_t count, unsigned char *out);
    int64_t more; /* bytes besides the samples */
    bool bits;    /* a sample takes a bit */
    bool steady;  /* samples of the same type */
};

static const zarr_step_kind kinds[] = {
    {"astype", parse_types, convert, 0, false, false},
    {"bitround", parse_nothing, keep, 0, false, true},
    {"delta", parse_types, add_up, 0, false, false},
    {"fixedscaleoffset", parse_scale, unscale, 0, false, false},
    {"packbits", parse_bits, unpack_bits, 1, true, false},
    {"quantize", parse_types, convert, 0, false, false},
    {"shuffle", parse_element, unshuffle, 0, false, true},
    {"crc32", parse_nothing, check_crc32, CHECKSUM_BYTES, false, true},
    {"adler32", parse_nothing, check_adler32, CHECKSUM_BYTES, false, true},
};

static const zarr_step_kind *find_kind(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool halo_zarr_is_step(const char *name)
{
    return find_kind(name) != NULL;
}

halo_status halo_zarr_add_step(const halo_image_reader *reader, const char *name,
                               const json_t *options, zarr_array *array)
{
    const zarr_step_kind *kind = find_kind(name);
    const zarr_format own = {array->type, array->bytes, array->swapped};
    const zarr_format *before =
        array->step_count > 0 ? &array->steps[array->step_count - 1].encoded : &own;
    if (kind == NULL) {
        return halo_zarr_fail_field(
            reader, "filter", options,
            "astype, bitround, delta, fixedscaleoffset, packbits, quantize, shuffle, crc32 and "
            "adler32 can be read: save the array with these or none");
    }
    const zarr_step_kind *last =
        array->step_count > 0 ? array->steps[array->step_count - 1].kind : NULL;
    if (array->step_count == ZARR_STEPS || (last != NULL && (last->bits || last->more > 0))) {
        return halo_zarr_fail_field(reader, "filter", options,
                                    "8 filters can be read, and packbits, crc32 and adler32 as the "
                                    "last one");
    }
    zarr_step *step = &array->steps[array->step_count++];
    *step = (zarr_step){.kind = kind};
    HALO_TRY(kind->parse(reader, options, before, step));
    bool halves = halo_image_are_halves(step->decoded.type, step->decoded.bytes) ||
                  halo_image_are_halves(step->encoded.type, step->encoded.bytes);
    if (step->decoded.bytes != before->bytes || (halves && !kind->steady)) {
        return halo_zarr_fail_field(reader, "filter", options,
                                    "its type is not that of the samples, or is float16: save the "
                                    "array without it");
    }
    return HALO_OK;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static int64_t count_samples(const zarr_array *array)
{
    int64_t count = 1;
    for (int i = 0; i < array->axes; i++) {
        count *= array->chunk[i];
    }
    return count;
}

/* Bytes of what the first `steps` steps make of a chunk. */
static int64_t bytes_after(const zarr_array *array, int steps)
{
    int64_t count = count_samples(array);
    if (steps == 0) {
        return count * (int64_t)array->bytes;
    }
    const zarr_step *last = &array->steps[steps - 1];
    int64_t samples = last->kind->bits ? (count + BYTE_BITS - 1) / BYTE_BITS
                                       : count * (int64_t)last->encoded.bytes;
    return samples + last->kind->more;
}

int64_t halo_zarr_filtered_bytes(const zarr_array *array)
{
    return bytes_after(array, array->step_count);
}

int64_t halo_zarr_most_bytes(const zarr_array *array)
{
    int64_t most = 0;
    for (int i = 0; i <= array->step_count; i++) {
        int64_t bytes = bytes_after(array, i);
        most = bytes > most ? bytes : most;
    }
    return most;
}

bool halo_zarr_is_plain(const zarr_array *array)
{
    return array->codec == ZARR_RAW && !array->checksum && array->step_count == 0 &&
           !array->permuted;
}

/* Samples whose axes lie in array->order, the slowest first, in the array's own order. */
static void permute(const zarr_array *array, const unsigned char *in, unsigned char *out)
{
    int64_t stride[HALO_IMAGE_MAX_AXES], at[HALO_IMAGE_MAX_AXES] = {0};
    int64_t step = (int64_t)array->bytes, count = count_samples(array);
    for (int i = array->axes - 1; i >= 0; i--) {
        stride[array->order[i]] = step;
        step *= array->chunk[array->order[i]];
    }
    const unsigned char *from = in;
    for (int64_t n = 0; n < count; n++) {
        memcpy(out + (size_t)n * array->bytes, from, array->bytes);
        for (int axis = array->axes - 1; axis >= 0; axis--) {
            from += stride[axis];
            if (++at[axis] < array->chunk[axis]) {
                break;
            }
            from -= at[axis] * stride[axis];
            at[axis] = 0;
        }
    }
}

halo_status halo_zarr_undo_steps(const zarr_array *array, unsigned char *filtered,
                                 unsigned char *out, bool *good)
{
    int64_t count = count_samples(array);
    unsigned char *other = NULL;
    *good = true;
    HALO_TRY(HALO_ALLOCATE(other, halo_zarr_most_bytes(array), "a chunk without its filters"));
    unsigned char *in = filtered, *next = other;
    for (int i = array->step_count - 1; i >= 0 && *good; i--) {
        bool last = i == 0 && !array->permuted;
        unsigned char *to = last ? out : next;
        const zarr_step *step = &array->steps[i];
        *good = step->kind->undo(step, in, count, to);
        next = in;
        in = to;
    }
    if (*good && array->permuted) {
        permute(array, in, out);
    } else if (*good && array->step_count == 0) {
        memcpy(out, in, (size_t)bytes_after(array, 0));
    }
    free(other);
    return HALO_OK;
}
