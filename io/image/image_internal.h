#ifndef HALOBEAT_IO_IMAGE_IMAGE_INTERNAL_H
#define HALOBEAT_IO_IMAGE_IMAGE_INTERNAL_H

#include "io/image/image_reader.h"
#include "io/source/source.h"

/* What the formats share; not installed. A format is a file of its own and a row of the table in
 * formats.c. Everything is local. */

typedef enum {
    HALO_ALPHA_NONE,
    HALO_ALPHA_OVER_GROUND, /* the last sample of a pixel is one */
    HALO_ALPHA_IGNORED      /* there is a last sample, but it changes nothing */
} halo_image_alpha;

/* Rows as a format gives them: `channels` samples a pixel. */
typedef struct {
    halo_image_type type;
    int channels;
    halo_image_alpha alpha;
    int64_t maximum; /* of bits, and of unsigned samples of 8 and 16 bits */
} halo_image_samples;

/* A function for rows of `width` pixels. `row` may not overlap `out`. */
typedef struct halo_image_conversion halo_image_conversion;
typedef halo_status halo_image_convert(const halo_image_conversion *conversion, const void *row,
                                       void *out);
struct halo_image_conversion {
    const char *path; /* for messages */
    int64_t width;
    halo_image_samples from;
    int64_t maximum; /* of what comes out */
    uint32_t ground; /* what transparent pixels are laid over, of the samples' range */
    bool spread;     /* 8 bits are spread over 0 to 255 */
    halo_image_convert *convert;
    bool same; /* rows come out as they go in */
};

/* Samples behind each other, in a file or from a pipe. */
typedef struct {
    int64_t offset; /* bytes before the first row */
    int64_t row_samples;
    size_t sample_bytes; /* 0: bits, in whole bytes a row, the first one highest */
    bool swapped;        /* the other byte order than this machine's */
    bool booleans;       /* bytes that become bits */
    bool inverted;       /* bits of which a one is black */
} halo_image_layout;

typedef struct halo_image_format halo_image_format;

struct halo_image_reader {
    char *path;
    const halo_image_format *format;
    halo_image_options options;
    halo_image_info info;
    halo_image_samples samples;
    halo_image_conversion conversion;
    halo_source source; /* the file from its first byte on; of random access, closed */
    int file;           /* of halo_image_make_seekable; -1 */
    int64_t data_bytes; /* of it */
    char *data_path;    /* where samples are, if in another file; or NULL */
    halo_image_layout layout;
    void *state;     /* the format's */
    void *chunk;     /* rows before they are converted */
    size_t one_row;  /* bytes of one there */
    void *raw_chunk; /* the same of halo_image_raw_rows */
    int64_t next;    /* row, without random access */
    int64_t clear;   /* transparent pixels handed out */
};

struct halo_image_format {
    const char *name;
    /* Is it a path of this format, which is more than one file, or a part of one? Then no source
     * is opened, and open sets info.file_bytes and, for the time stamp, data_path. Or NULL. */
    bool (*claims)(const char *path);
    /* Does a file begin so? NULL: no file does. */
    bool (*sniff)(const unsigned char *bytes, size_t count);
    /* Sets info, samples, layout and state; close is called also after a failure. */
    halo_status (*open)(halo_image_reader *reader);
    /* As halo_image_reader_rows, of samples as reader->samples says. */
    halo_status (*rows)(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                        size_t pitch);
    halo_status (*finish)(halo_image_reader *reader); /* or NULL */
    void (*close)(halo_image_reader *reader);         /* or NULL */
    bool converts; /* rows are what was asked for: conversion, and info of it, are its own */
};

extern const halo_image_format halo_image_png, halo_image_tiff, halo_image_jpeg, halo_image_pnm,
    halo_image_npy, halo_image_hdf5, halo_image_nifti, halo_image_mrc, halo_image_nrrd,
    halo_image_meta, halo_image_zarr, halo_image_stack, halo_image_raw_format;

/* ---- conversion (convert.c) ------------------------------------------------------------------ */

/* Choose the conversion from reader->samples to what is wanted, and fill in cell_bits, pixel_bits
 * and maximum of reader->info. HALO_FORMAT, with the remedy, if there is none. */
halo_status halo_image_choose(halo_image_reader *reader);

/* Transparent pixels of a row of samples, where info.alpha says that there can be any. */
int64_t halo_image_count_clear(const halo_image_conversion *conversion, const void *row);

/* Bytes of a row of samples. */
size_t halo_image_samples_row(const halo_image_samples *samples, int64_t width);

/* ---- samples one after the other (raw.c) ----------------------------------------------------- */

/* Once info, samples and layout are set: check that the file, if it is no pipe and not packed, has
 * all rows, and open it for random access. */
halo_status halo_image_raw_start(halo_image_reader *reader);
halo_status halo_image_raw_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                                size_t pitch);

/* A row as in the file to one as reader->samples says. */
void halo_image_unpack_row(const halo_image_layout *layout, const unsigned char *from,
                           unsigned char *out);

/* Type and byte order by NumPy's name for them; false: none of the known. */
bool halo_image_parse_dtype(const char *text, halo_image_type *type, bool *swapped);

/* ---- headers over such samples (described.c) ------------------------------------------------- */

enum { HALO_IMAGE_NAME_BYTES = 1024, HALO_IMAGE_MAX_AXES = 8 };

/* What a header says of the samples. */
typedef struct {
    int axes;                            /* that it counts, colours apart */
    int64_t sizes[HALO_IMAGE_MAX_AXES];  /* the fastest axis first */
    double spacing[HALO_IMAGE_MAX_AXES]; /* the same; 0: not said */
    int channels;                        /* samples a pixel, one after the other; 0: 1 */
    bool typed;                          /* its type is known */
    halo_image_type type;
    bool swapped;                     /* as in halo_image_layout */
    int64_t offset;                   /* -1: samples are the last bytes of the file */
    char data[HALO_IMAGE_NAME_BYTES]; /* the file with the samples, relative to the header; "": they
                                       * are behind the header */
} halo_image_described;

/* From what a header says to a reader that can hand out rows. Axes beyond the third have to be 1.
 * HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status halo_image_start_described(halo_image_reader *reader,
                                       const halo_image_described *described);

/* HALO_FORMAT: the header's `field` is `value`, which cannot be read; with the remedy. */
halo_status halo_image_fail_field(const halo_image_reader *reader, const char *field,
                                  const char *value, const char *remedy);

bool halo_image_big_endian(void);

/* Numbers of a header in either byte order: an unsigned one of 1 to 8 bytes, a signed one, and a
 * floating-point one of 4 or 8. */
uint64_t halo_image_number(const unsigned char *at, int bytes, bool big);
int64_t halo_image_signed(const unsigned char *at, int bytes, bool big);
double halo_image_real(const unsigned char *at, int bytes, bool big);

/* ---- what formats say of themselves (format.c) ----------------------------------------------- */

/* Set info from the size and samples: two axes if `planes` is 0. HALO_FORMAT for sizes below 1, or
 * beyond 2^31 - 1 along an axis or 2^59 samples. */
halo_status halo_image_set_size(halo_image_reader *reader, int64_t planes, int64_t height,
                                int64_t width);

/* Set reader->samples: any value of the type may occur, and the fourth of four channels is alpha.
 */
void halo_image_set_samples(halo_image_reader *reader, halo_image_type type, int channels);

/* Are the `last` samples along the last axis of an array the channels of a pixel? */
bool halo_image_has_colours(const halo_image_reader *reader, halo_image_type type, int axes,
                            int64_t last);

/* Words for `kind`, from the samples. */
const char *halo_image_kind(const halo_image_samples *samples);

/* ---- files read at several places (seekable.c) ----------------------------------------------- */

/* The path to open. */
const char *halo_image_place(const halo_image_reader *reader);

/* Is it an ordinary file, not packed? */
bool halo_image_is_plain(const halo_image_reader *reader);

/* Of a source from which nothing was taken: open reader->file, and find data_bytes and
 * info.random_access; the source is closed. What comes from a pipe, or is packed, goes to a
 * temporary file first. HALO_FILE. */
halo_status halo_image_make_seekable(halo_image_reader *reader);

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_image_fail_ended(const halo_image_reader *reader, int64_t row);

#endif
