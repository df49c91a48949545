#ifndef HALOBEAT_TESTS_PNG_DECODE_H
#define HALOBEAT_TESTS_PNG_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A PNG as a decoder that is not Halobeat's sees it: samples as in the file, in the machine's byte
 * order, rows without gaps, pixels of less than 8 bits packed with the first one highest. */
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

/* Let libpng read from there; `source` stays the caller's, and there while libpng reads. */
struct png_struct_def;
void png_source_set(struct png_struct_def *png, png_source *source);

/* False on any error or warning. The caller frees with decoded_png_free, also after a failure. */
bool decode_with_libpng(decoded_png *out, const unsigned char *data, size_t bytes);

/* The same; always false where libspng was not there when the tests were built. */
bool decode_with_spng(decoded_png *out, const unsigned char *data, size_t bytes);

/* Was libspng there? */
bool decode_has_spng(void);

/* Do chunks follow each other to the end of the file with right checksums, and do the IDAT chunks
 * make one whole zlib stream of `raw` bytes? Judged by zlib alone. */
bool png_stream_is_whole(const unsigned char *data, size_t bytes, uint64_t raw);

void decoded_png_free(decoded_png *decoded);

#endif
