#ifndef HALOBEAT_IO_IMAGE_IMAGE_READER_H
#define HALOBEAT_IO_IMAGE_IMAGE_READER_H

#include "base/status.h"
#include "io/image/luma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Images and volumes of any known format, read as rows. The format is found by a file's content,
 * never by its name. Everything is local.
 *
 * A volume of Z planes of Y rows is a raster of Z * Y rows, and rows are numbered through it. */

/* Types of samples: the name in C and in errors, NumPy's code, and bytes. Bits are handed out in
 * 64-bit words: pixel x is bit x % 64 of word x / 64, bits past the width are zero. */
#define HALO_IMAGE_TYPE_LIST(X) \
    X(BIT, "bit", "b1", 0)      \
    X(U8, "uint8", "u1", 1)     \
    X(I8, "int8", "i1", 1)      \
    X(U16, "uint16", "u2", 2)   \
    X(I16, "int16", "i2", 2)    \
    X(U32, "uint32", "u4", 4)   \
    X(I32, "int32", "i4", 4)    \
    X(U64, "uint64", "u8", 8)   \
    X(I64, "int64", "i8", 8)    \
    X(F32, "float32", "f4", 4)  \
    X(F64, "float64", "f8", 8)

typedef enum {
#define HALO_IMAGE_TYPE_ENUM(code, name, numpy, bytes) HALO_IMAGE_##code,
    HALO_IMAGE_TYPE_LIST(HALO_IMAGE_TYPE_ENUM)
#undef HALO_IMAGE_TYPE_ENUM
} halo_image_type;

typedef struct {
    const char *name;
    const char *numpy;
    size_t bytes; /* of a sample; 0: a bit */
} halo_image_type_entry;

extern const halo_image_type_entry halo_image_types[];

/* Local. The type with this name, or this code of NumPy without a byte order; false: there is none.
 */
bool halo_image_find_type(const char *name, halo_image_type *type);

/* What the rows are to be. Colours become grey by Rec. 709 luma, and alpha lays a pixel over
 * the ground, as png_read.h has it. */
typedef enum {
    HALO_IMAGE_GREYS,        /* 8 bits, from 0 to 255, or 16 bits */
    HALO_IMAGE_NATIVE_GREYS, /* 1, 8 or 16 bits, with values from 0 to info.maximum */
    HALO_IMAGE_NATIVE,       /* the same of bits and unsigned samples of 8 and 16 bits; samples of
                              * the file's own type, one a pixel, otherwise */
    HALO_IMAGE_COLOURS,      /* red, green and blue of 8 bits, from 0 to 255, or 16 bits each */
    HALO_IMAGE_ARRAYS,       /* doubles of NumPy arrays, and of samples of types that greys cannot
                              * have; greys otherwise */
    HALO_IMAGE_REALS,        /* doubles of all samples, one a pixel */
    HALO_IMAGE_SAMPLES       /* one sample a pixel, of the file's own type */
} halo_image_want;

/* Files that say nothing about their samples: numbers, one plane after the other. */
typedef struct {
    int64_t planes, height, width; /* width 0: the file is not raw; planes 0: two axes */
    const char *dtype;             /* as NumPy has it: "u1", "<u2", ">f4" */
    int64_t offset;                /* bytes before the first sample */
} halo_image_raw;

/* Zero-initialisable. */
typedef struct {
    halo_image_want want;
    bool volumes; /* an array of three axes is a volume also if it has one plane only, */
    bool narrow;  /* and if its last axis has 3 or 4 samples, which otherwise are colours */
    bool lines;   /* arrays of one axis are taken, as images whose rows have one pixel */
    halo_image_ground ground; /* what transparent pixels are laid over: black, or another grey */
    bool count_clear;         /* count them: halo_image_reader_clear */
    halo_image_raw raw;
    const char *const *slices; /* [slice_count] files, and shell patterns of files, that make one */
    int64_t slice_count;       /* volume, whatever the path is; 0: the path says what is read. */
} halo_image_options;

enum { HALO_IMAGE_WORD = 32 };

/* No pointers, so that it can be sent. */
typedef struct {
    char format[HALO_IMAGE_WORD];  /* "TIFF" */
    char kind[HALO_IMAGE_WORD];    /* "grey", "colour and alpha", "array of u2" */
    char decoder[HALO_IMAGE_WORD]; /* "libtiff" */
    int axes;                      /* 2, or 3 of a volume; 1 of an array of one axis */
    int64_t planes, height, width; /* height: rows of a plane */
    int64_t rows;                  /* planes * height */
    int channels;                  /* samples a pixel in the file */
    halo_image_type type;          /* of them */
    int bits;                      /* of one, in the file */
    double spacing[3];             /* of planes, rows and pixels; 0: the file does not say */
    bool colourful;                /* the file has colours */
    bool alpha;                    /* pixels can be transparent, and are laid over the ground */
    bool random_access;            /* rows can be asked for in any order, by several readers */
    bool in_place;       /* rows lie in the file as they are: reading costs next to nothing */
    bool held;           /* whole in memory while it is read */
    int64_t buffer;      /* bytes held besides, while it is read */
    int64_t layers;      /* planes of a volume, rows of an image, that are decoded together: readers
                          * of parts that begin at multiples decode nothing twice; 0: one */
    int64_t slices;      /* files of which each is a plane; 0: it is one file */
    int64_t first_slice; /* number of the first one, if they are named by a pattern; or 0 */
    int64_t file_bytes;  /* -1: a pipe */
    int64_t changed[2];  /* when the file was: seconds, nanoseconds */
    /* Of the rows that are handed out. */
    int cell_bits;   /* of a sample: 1, 8, 16 (greys, colours), 32 or 64 */
    int pixel_bits;  /* of a pixel: three samples of colours */
    int64_t maximum; /* the upper end of greys and colours; 255 of a picture of reals; 0 of native
                      * samples that are no greys */
} halo_image_info;

typedef struct halo_image_reader halo_image_reader;

/* Local. Open `path` ("-": standard input) and read what it says of itself. A folder, and a name
 * with a place for a number, such as slice-%04d.png, are stacks: each file is a plane, of the size
 * and type of the first one (io/image/slices.h), and read when its rows are. HALO_FILE if it cannot
 * be read; HALO_FORMAT if it is damaged, of no known format, or does not have what `options` want;
 * HALO_MEMORY; each names the path and the remedy. */
halo_status halo_image_reader_open(halo_image_reader **out, const char *path,
                                   const halo_image_options *options);

/* Local. The same for `bytes` bytes in memory, a whole file, which stay the caller's and must be
 * there until the reader is closed; `name` stands for the path in messages. */
halo_status halo_image_reader_open_memory(halo_image_reader **out, const char *name,
                                          const void *data, size_t bytes,
                                          const halo_image_options *options);

/* Local. Valid until the reader is closed. */
const halo_image_info *halo_image_reader_info(const halo_image_reader *reader);

/* Local. How many pixels of the rows handed out so far are transparent, in whole or in part; 0
 * where they are not counted. */
int64_t halo_image_reader_clear(const halo_image_reader *reader);

/* Local. Bytes that one row handed out takes. */
size_t halo_image_row_bytes(const halo_image_info *info);

/* Local. Rows `first` to `first + rows - 1` of the raster; row i goes to (char *)out + i * pitch.
 * `out` and `pitch` are multiples of a sample (of a word, for bits). Without random access rows are
 * asked for in order. HALO_ARGUMENT for rows that are not there or not next, HALO_FORMAT and
 * HALO_FILE with the number of the row where reading ended; after a failure only close is of use.
 */
halo_status halo_image_reader_rows(halo_image_reader *reader, int64_t first, int64_t rows,
                                   void *out, size_t pitch);

/* Local. After the last row: check what follows, as checksums. */
halo_status halo_image_reader_finish(halo_image_reader *reader);

/* Local. Accepts a pointer to NULL. */
void halo_image_reader_close(halo_image_reader **reader);

/* Local. The formats that this build reads, and the libraries it lacks, as a string constant:
 * "PNG, TIFF, JPEG, PNM, NumPy". */
const char *halo_image_formats(void);
const char *halo_image_missing(void);

#endif
