#include "io/npy/reals.h"

#include "io/source/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096, MAX_BYTES = 8 /* of a sample */ };

/* code, type in C; of numbers */
#define NUMBER_LIST(X) \
    X(U8, uint8_t)     \
    X(I8, int8_t)      \
    X(U16, uint16_t)   \
    X(I16, int16_t)    \
    X(U32, uint32_t)   \
    X(I32, int32_t)    \
    X(U64, uint64_t)   \
    X(I64, int64_t)    \
    X(F32, float)      \
    X(F64, double)

typedef void convert_function(const unsigned char *samples, int64_t n, double *out);

#define DEFINE_CONVERT(code, type)                                                   \
    static void convert_##code(const unsigned char *samples, int64_t n, double *out) \
    {                                                                                \
        for (int64_t i = 0; i < n; i++) {                                            \
            type value;                                                              \
            memcpy(&value, samples + (size_t)i * sizeof value, sizeof value);        \
            out[i] = (double)value;                                                  \
        }                                                                            \
    }
NUMBER_LIST(DEFINE_CONVERT)
#undef DEFINE_CONVERT

static void convert_BOOL(const unsigned char *samples, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = samples[i] != 0;
    }
}

static convert_function *const conversions[] = {[HALO_NPY_BOOL] = convert_BOOL,
#define CONVERT_ENTRY(code, type) [HALO_NPY_##code] = convert_##code,
                                                NUMBER_LIST(CONVERT_ENTRY)
#undef CONVERT_ENTRY
};

struct halo_npy_reals {
    halo_source source;
    halo_npy_header header;
    bool swapped;
    size_t head; /* bytes */
    int64_t rows_read;
    unsigned char samples[CHUNK * MAX_BYTES];
};

static halo_status read_header(halo_npy_reals *reader)
{
    halo_source *source = &reader->source;
    halo_source_peek(source);
    HALO_TRY(source->status);
    HALO_TRY(halo_npy_parse_axes(source->at, (size_t)(source->end - source->at), source->name,
                                 &reader->header, &reader->swapped, &reader->head));
    source->at += reader->head;
    return reader->header.width > 0 && reader->header.height > 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the array has no samples, but %" PRId64 " rows of %" PRId64
                           "; save one that has",
                           source->name, reader->header.height, reader->header.width);
}

halo_status halo_npy_reals_open(halo_npy_reals **out, const char *path, bool twice)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a reader of arrays"));
    halo_status status = halo_source_open(&(*out)->source, path, NULL, 0, twice);
    if (status == HALO_OK) {
        status = read_header(*out);
    }
    if (status != HALO_OK) {
        halo_npy_reals_close(out);
    }
    return status;
}

const halo_npy_header *halo_npy_reals_header(const halo_npy_reals *reader)
{
    return &reader->header;
}

static void swap_bytes(unsigned char *samples, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < n; i++, samples += bytes) {
        for (size_t b = 0; b < bytes / 2; b++) {
            unsigned char other = samples[bytes - 1 - b];
            samples[bytes - 1 - b] = samples[b];
            samples[b] = other;
        }
    }
}

static halo_status read_row(halo_npy_reals *reader, double *out)
{
    size_t bytes = halo_npy_sample_bytes(&reader->header);
    for (int64_t x = 0; x < reader->header.width; x += CHUNK) {
        int64_t left = reader->header.width - x, n = left < CHUNK ? left : CHUNK;
        if (!halo_source_read(&reader->source, reader->samples, (size_t)n * bytes)) {
            HALO_TRY(reader->source.status);
            return halo_fail(HALO_FORMAT,
                             "%s: the array file is cut off: %" PRId64 " of %" PRId64
                             " rows could be read; copy or save it again",
                             reader->source.name, reader->rows_read, reader->header.height);
        }
        if (reader->swapped) {
            swap_bytes(reader->samples, n, bytes);
        }
        conversions[reader->header.type](reader->samples, n, out + x);
    }
    reader->rows_read++;
    return HALO_OK;
}

halo_status halo_npy_reals_rows(halo_npy_reals *reader, int64_t rows, double *out, size_t pitch)
{
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(read_row(reader, (double *)((char *)out + (size_t)i * pitch)));
    }
    return HALO_OK;
}

halo_status halo_npy_reals_rewind(halo_npy_reals *reader)
{
    halo_source *source = &reader->source;
    const unsigned char *bytes;
    size_t left = reader->head, taken = 1;
    HALO_TRY(halo_source_rewind(source));
    for (; left > 0 && taken > 0; left -= taken) {
        taken = halo_source_take(source, left, &bytes);
    }
    reader->rows_read = 0;
    return source->status;
}

void halo_npy_reals_close(halo_npy_reals **reader)
{
    if (*reader != NULL) {
        halo_source_close(&(*reader)->source);
    }
    free(*reader);
    *reader = NULL;
}
