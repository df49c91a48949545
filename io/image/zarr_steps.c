#include "base/memory.h"
#include "io/image/zarr_undo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps that samples of a chunk pass before they are compressed: numcodecs' filters, as their
 * documentation has them (numcodecs.readthedocs.io), checksums, and axes in another order. */

struct zarr_step_kind {
    const char *name;
    halo_status (*parse)(const halo_image_reader *reader, const json_t *options,
                         const zarr_format *before, zarr_step *step);
    zarr_undo *undo;
    int64_t more; /* bytes besides the samples */
    bool bits;    /* a sample takes a bit */
    bool steady;  /* samples of the same type */
    bool behind;  /* the other bytes stand behind the samples */
};

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
    step->encoded = (zarr_format){.type = HALO_SAMPLE_U8, .bytes = 1};
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

/* numcodecs puts checksums of zlib before the samples by default, and others behind them. */
static halo_status parse_sum(const halo_image_reader *reader, const json_t *options,
                             const zarr_format *before, zarr_step *step)
{
    const json_t *location = json_object_get(options, "location");
    const char *text = json_string_value(location);
    step->decoded = step->encoded = *before;
    step->behind = text != NULL ? strcmp(text, "end") == 0 : step->kind->behind;
    return location == NULL || json_is_null(location) ||
                   (text != NULL && (step->behind || strcmp(text, "start") == 0))
               ? HALO_OK
               : halo_zarr_fail_field(reader, "location of a checksum", location,
                                      "\"start\" and \"end\" can be read");
}

static const zarr_step_kind kinds[] = {
    {"astype", parse_types, halo_zarr_undo_astype, 0, false, false, false},
    {"bitround", parse_nothing, halo_zarr_undo_nothing, 0, false, true, false},
    {"delta", parse_types, halo_zarr_undo_delta, 0, false, false, false},
    {"fixedscaleoffset", parse_scale, halo_zarr_undo_scale, 0, false, false, false},
    {"packbits", parse_bits, halo_zarr_undo_packbits, 1, true, false, false},
    {"quantize", parse_types, halo_zarr_undo_astype, 0, false, false, false},
    {"shuffle", parse_element, halo_zarr_undo_shuffle, 0, false, true, false},
    {"crc32", parse_sum, halo_zarr_undo_crc32, CHECKSUM_BYTES, false, true, false},
    {"adler32", parse_sum, halo_zarr_undo_adler32, CHECKSUM_BYTES, false, true, false},
    {"crc32c", parse_sum, halo_zarr_undo_crc32c, CHECKSUM_BYTES, false, true, true},
    {"fletcher32", parse_sum, halo_zarr_undo_fletcher32, CHECKSUM_BYTES, false, true, true},
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
            "astype, bitround, delta, fixedscaleoffset, packbits, quantize, shuffle, crc32, "
            "crc32c, "
            "adler32 and fletcher32 can be read: save the array with these or none");
    }
    const zarr_step_kind *last =
        array->step_count > 0 ? array->steps[array->step_count - 1].kind : NULL;
    if (array->step_count == ZARR_STEPS || (last != NULL && (last->bits || last->more > 0))) {
        return halo_zarr_fail_field(reader, "filter", options,
                                    "8 filters can be read, and packbits and checksums as the last "
                                    "one");
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
    return array->codec == NULL && !array->checksum && array->step_count == 0 && !array->permuted;
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
