#ifndef HALOBEAT_TESTS_PNG_MAKE_H
#define HALOBEAT_TESTS_PNG_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PNGs written by libpng from known samples, and the values they must be read as. */

typedef struct {
    uint32_t width, height;
    int bits, colour_type; /* as in the header */
    bool interlaced;
    int filters;      /* libpng's PNG_FILTER_... flags; 0: libpng's choice */
    int entries;      /* of the palette */
    bool transparent; /* with a tRNS chunk */
    bool smooth;      /* gently varying samples with a little noise; otherwise noise */
    int level;        /* of compression, 0 to 9 */
    size_t idat;      /* maximum bytes of an IDAT chunk; 0: libpng's choice */
    uint64_t seed;
} png_recipe;

typedef struct {
    png_recipe recipe;
    int channels;
    unsigned char *bytes; /* the file */
    size_t size;
    uint16_t *samples; /* [height][width][channels] */
    unsigned char palette[256][3];
    unsigned char alpha[256]; /* of the palette */
    int alphas;               /* entries that tRNS has */
    uint16_t key[3];
} png_made;

/* Every colour type and depth of PNG. */
enum { PNG_FORMATS = 15 };
typedef struct {
    int colour_type, bits;
    bool may_be_transparent; /* with a tRNS chunk */
} png_format;
extern const png_format png_formats[PNG_FORMATS];

/* An image of format number `format`, with libpng's defaults. */
png_recipe png_recipe_of(size_t format, uint32_t width, uint32_t height);

/* Ends the program if libpng fails. */
void png_make(png_made *made, const png_recipe *recipe);
void png_made_free(png_made *made);

/* The expected value of pixel (x, y), computed from the samples in floating point. */
uint32_t png_made_grey(const png_made *made, uint32_t x, uint32_t y);

/* Big-endian, as in PNG. */
void png_put32(unsigned char *bytes, uint32_t value);

/* Recomputes the CRC of every chunk that can be recognised. */
void png_fix_checksums(unsigned char *bytes, size_t size);

#endif
