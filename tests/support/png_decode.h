#ifndef HALOBEAT_TESTS_PNG_DECODE_H
#define HALOBEAT_TESTS_PNG_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A PNG decoded by other decoders than Halobeat's: samples as in the file, in native byte order,
 * rows without gaps, pixels of less than 8 bits packed with the first one in the most significant
 * bits. */
typedef struct {
    uint32_t width, height;
    int bits, colour_type; /* PNG's own numbers */
    size_t row_bytes;
    unsigned char *pixels; /* [height * row_bytes] */
    unsigned char palette[256 * 3];
    int colours;
} decoded_png;

/* A file in memory. */
typedef struct {
    const unsigned char *data;
    size_t left;
} png_source;

/* Makes libpng read from there; `source` is owned by the caller and must stay valid. */
struct png_struct_def;
void png_source_set(struct png_struct_def *png, png_source *source);

/* False on any error or warning. The caller calls decoded_png_free, also after a failure. */
bool decode_with_libpng(decoded_png *out, const unsigned char *data, size_t bytes);

/* As decode_with_libpng; always false if libspng was not found when the tests were built. */
bool decode_with_spng(decoded_png *out, const unsigned char *data, size_t bytes);

/* True if libspng was found. */
bool decode_has_spng(void);

/* True if chunks follow each other to the end of the file with valid checksums, and the IDAT chunks
 * are one whole zlib stream of `raw` bytes, by zlib alone. */
bool png_stream_is_whole(const unsigned char *data, size_t bytes, uint64_t raw);

void decoded_png_free(decoded_png *decoded);

#endif
