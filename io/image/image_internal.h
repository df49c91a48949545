#ifndef HALOBEAT_IO_IMAGE_IMAGE_INTERNAL_H
#define HALOBEAT_IO_IMAGE_IMAGE_INTERNAL_H

#include "io/image/image_reader.h"
#include "io/source/source.h"

/* Internals of the image formats; not installed. A format is a file of its own and an entry of the
 * table in find_format.c. Everything is local. */

enum { HALO_IMAGE_MAX_AXES = 8 };

/* The kind of an axis of a file (axes.h). The first ones are those of halo_image_choice, in its
 * order. */
typedef enum {
    HALO_AXIS_SERIES = HALO_IMAGE_SERIES,
    HALO_AXIS_PAGE = HALO_IMAGE_PAGE,
    HALO_AXIS_TIME = HALO_IMAGE_TIME,
    HALO_AXIS_CHANNEL = HALO_IMAGE_CHANNEL,
    HALO_AXIS_SPACE,  /* planes, rows or columns, in this order */
    HALO_AXIS_COLOUR, /* the samples of a pixel are its colour */
    HALO_AXIS_UNKNOWN /* chosen by any option that no other axis takes */
} halo_axis_kind;

typedef enum {
    HALO_ALPHA_NONE,
    HALO_ALPHA_OVER_GROUND, /* the last sample of a pixel is alpha */
    HALO_ALPHA_IGNORED      /* there is an additional last sample, which is ignored */
} halo_image_alpha;

/* Rows as a format provides them: `channels` samples per pixel. */
typedef struct {
    halo_sample_type type;
    int channels;
    halo_image_alpha alpha;
    int64_t maximum; /* maximum of bits, and of unsigned samples of 8 and 16 bits */
} halo_image_samples;

/* Samples of `type` that mean sample * slope + intercept; with slope 0 they mean themselves. */
typedef struct {
    halo_sample_type type;
    double slope, intercept;
} halo_image_scale;

/* Converts rows of `width` pixels. `row` and `out` must not overlap. */
typedef struct halo_image_conversion halo_image_conversion;
typedef halo_status halo_image_convert(const halo_image_conversion *conversion, const void *row,
                                       void *out);
struct halo_image_conversion {
    const char *path; /* for messages */
    int64_t width;
    halo_image_samples from;
    uint32_t ground; /* background of transparent pixels, in the range of the samples */
    bool spread;     /* 8 bits are scaled to 0 to 255 */
    bool real;       /* the result is floating-point numbers */
    halo_image_scale scale;
    bool ranged; /* samples become greys over a range: */
    halo_sample_greys greys;
    halo_image_convert *convert;
    bool same; /* rows need no conversion */
};

/* Samples in a file or a pipe: rows of contiguous ones. */
typedef struct {
    int64_t offset; /* bytes before the first row */
    int64_t row_samples;
    int64_t row_stride, plane_stride; /* bytes from one row or plane to the next; 0: it follows
                                       * directly */
    size_t sample_bytes; /* 0: bits, in whole bytes per row, most significant bit first */
    bool swapped;        /* byte order opposite to this machine's */
    bool booleans;       /* bytes that become bits */
    bool halves;         /* floats of 16 bits that become such of 32 */
    bool inverted;       /* bits of which 1 is black */
} halo_image_layout;

typedef struct halo_image_format halo_image_format;
typedef struct halo_pieces halo_pieces;

struct halo_image_reader {
    char *path;                 /* without choices behind it */
    char *choice_text;          /* these choices; or NULL */
    halo_image_choices choices; /* of the options and of the path */
    unsigned used;              /* bit i: choice i was used */
    const char *level;          /* the size of an image of OME-Zarr that was chosen; or NULL */
    bool level_used;
    int pick; /* the sample of a pixel that is read, of `stored` ones; -1: all */
    int stored;
    const halo_image_format *format;
    halo_image_options options;
    halo_image_info info;
    halo_image_samples samples;
    halo_image_scale scale; /* of halo_image_set_scale; `samples` describes the scaled ones */
    halo_image_conversion conversion;
    bool converted;     /* the format's rows are already as requested, and its `open` has set the
                         * conversion's members of info */
    halo_source source; /* the file from its first byte; closed if there is random access */
    int file;           /* file descriptor of halo_image_make_seekable; -1: none */
    int64_t data_bytes; /* its bytes */
    char *data_path;    /* path of the file with the samples, if it is another one; or NULL */
    halo_image_layout layout;
    struct halo_unpacker *unpacker; /* of compressed samples (packed.h), or NULL */
    halo_pieces *pieces;            /* files with the samples (pieces.h), if these are several; or
                                     * NULL */
    bool texts;                     /* samples are numbers in a text */
    int64_t streamed;               /* bytes of a stream that were taken behind layout.offset */
    void *state;                    /* state of the format */
    void *chunk;                    /* rows before conversion */
    void *picked;                   /* one of them with the sample that is read of each pixel; or
                                     * NULL */
    size_t one_row;                 /* bytes of one of these rows */
    void *raw_chunk;                /* the same for halo_image_raw_rows */
    halo_number nodata[HALO_IMAGE_NODATA];   /* what the format's rows have in place of each
                                              * info.nodata.value; set by halo_image_say_nodata */
    uint64_t nodata_bits[HALO_IMAGE_NODATA]; /* [nodata_count] those of them that a sample can be */
    int nodata_count;
    bool fills; /* missing samples become `fill_bits`, a sample */
    uint64_t fill_bits;
    uint8_t *mask;                    /* a byte for each pixel of a row: is it missing? Or NULL */
    int64_t missing;                  /* such pixels read so far */
    int orientation;                  /* of the file, set by the format's `open`; 0 or 1: as
                                       * stored */
    int64_t expected;                 /* end of the rows that will be read; 0: unknown */
    int64_t next;                     /* next row, without random access */
    int64_t clear;                    /* transparent pixels read so far */
    char warning[HALO_IMAGE_WARNING]; /* of halo_image_warn; or "" */
};

struct halo_image_format {
    const char *name;
    const char *listed;  /* in lists of formats; NULL: `name`; "": not, another is for both */
    const char *library; /* that `rows` needs; NULL: none */
    const char
        *missing; /* ", zarr with zstd (libzstd)": what else this build lacks; NULL: nothing */
    bool picture; /* samples are greys or colours, of a range that the file has */
    bool numbers; /* samples are numbers that HALO_IMAGE_NUMBERS does not take for greys */
    /* True if the path refers to several files, or to a part of one, of this format. Then no source
     * is opened, and `open` sets info.file_bytes and, for the time stamp, data_path. May be
     * NULL. */
    bool (*claims)(const char *path);
    /* True if a file of this format begins with these bytes. NULL: no file does. */
    bool (*sniff)(const unsigned char *bytes, size_t count);
    /* Sets info, samples, layout and state. `close` is called even after a failure, and for a
     * reader that was not opened. */
    halo_status (*open)(halo_image_reader *reader);
    /* As halo_image_reader_rows, with samples as in reader->conversion.from. */
    halo_status (*rows)(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                        size_t pitch);                /* NULL: this build cannot read it */
    halo_status (*finish)(halo_image_reader *reader); /* may be NULL */
    void (*close)(halo_image_reader *reader);         /* may be NULL */
    /* As halo_image_files, in place of `open`. NULL: the file is all there is. */
    halo_status (*files)(halo_image_reader *reader, halo_name_take *take, void *context);
};

extern const halo_image_format halo_image_png, halo_image_tiff, halo_image_jpeg, halo_image_pnm,
    halo_image_npy, halo_image_npz, halo_image_hdf5, halo_image_nifti, halo_image_mrc,
    halo_image_nrrd, halo_image_meta, halo_image_asc, halo_image_zarr, halo_image_stack,
    halo_image_raw_format;

/* Adds what was left out, or taken for what, to info.note. */
void halo_image_add_note(halo_image_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- conversion (convert.c) ------------------------------------------------------------------ */

/* For a format's `open`, once the samples are set: they mean sample * slope + intercept. From here
 * on reader->samples and info say float64, and conversions follow from that; the format's `rows`
 * still reads samples as they are in the file. HALO_FORMAT for several samples a pixel. */
halo_status halo_image_set_scale(halo_image_reader *reader, double slope, double intercept);

/* Chooses the conversion from reader->samples to the requested form, and sets cell_bits, pixel_bits
 * and maximum of reader->info. HALO_FORMAT, with a remedy, if there is none. */
halo_status halo_image_choose(halo_image_reader *reader);

/* A row of samples as doubles, scaled if there is a scale. */
halo_image_convert halo_image_make_reals;

/* A row of colours of 8 or 16 bits as greys of as many. */
halo_status halo_image_make_greys(const halo_image_conversion *conversion, const void *row,
                                  void *greys);

/* Greys over options.range (greys.c): chooses the conversion, and completes it when it is known
 * whether samples can be missing. HALO_ARGUMENT for a range that samples of the type cannot have,
 * HALO_FORMAT for several samples a pixel. */
halo_status halo_image_choose_range(halo_image_reader *reader);
halo_status halo_image_prepare_greys(halo_image_reader *reader);

/* The number of transparent pixels in a row of samples, if info.alpha says that there can be
 * any. */
int64_t halo_image_count_clear(const halo_image_conversion *conversion, const void *row);

/* Bytes of a row of samples. */
size_t halo_image_samples_row(const halo_image_samples *samples, int64_t width);

/* The grey of a sample of a grey image, of bits or of 8 and 16 bits. */
uint64_t halo_image_grey_of(const halo_image_conversion *conversion, uint64_t sample);

/* ---- samples that are missing (nodata.c) ----------------------------------------------------- */

/* For a format's `open`: values [count] stand for no data, as `source` says. What the options say
 * counts for more. The format may change reader->nodata afterwards, if its rows have others. */
void halo_image_say_nodata(halo_image_reader *reader, const char *source, const halo_number *values,
                           int count);

/* The same for a value in a text; text that is no number says nothing. */
void halo_image_say_nodata_text(halo_image_reader *reader, const char *source, const char *text);

/* When the conversion is chosen: sets info.nodata.missing and what is needed to find missing
 * samples. HALO_ARGUMENT for a value of the options that no sample can be; HALO_MEMORY. */
halo_status halo_image_prepare_nodata(halo_image_reader *reader);

/* Replaces missing pixels of a row of samples of the file's type, if reader->fills. */
void halo_image_fill_missing(const halo_image_reader *reader, void *row);

/* Marks missing pixels of a row of samples of the file's type that is not converted. */
void halo_image_mark_missing(const halo_image_reader *reader, void *row);

/* Around the conversion of a row, if reader->nodata_count is above 0: before it the mask is set,
 * and missing samples become such that can be converted; after it they are marked. HALO_FORMAT if a
 * sample that is none becomes what marks them. */
void halo_image_find_nodata(const halo_image_reader *reader, void *row);
halo_status halo_image_apply_nodata(const halo_image_reader *reader, void *out);

/* ---- samples one after the other (raw.c) ----------------------------------------------------- */

/* To be called when info, samples and layout are set: checks that the file has all rows, unless it
 * is a pipe or compressed, and opens it for random access. */
halo_status halo_image_raw_start(halo_image_reader *reader);
halo_status halo_image_raw_finish(halo_image_reader *reader);
halo_status halo_image_raw_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                                size_t pitch);

/* Converts a row as in the file to one as in reader->samples. */
void halo_image_unpack_row(const halo_image_layout *layout, const unsigned char *from,
                           unsigned char *out);

/* Parses a NumPy type with byte order; false if it is unknown. *bytes are those of a sample in the
 * file: 1 of a boolean, and 2 of a float16, which is read as a float32. */
bool halo_image_parse_dtype(const char *text, halo_sample_type *type, size_t *bytes, bool *swapped);

/* The same, also of the names that people give to types: "uint16", "unsigned short", ">float". */
bool halo_image_parse_type_name(const char *text, halo_sample_type *type, size_t *bytes,
                                bool *swapped);

/* True for floats of 16 bits: `type` is that of 32, and a sample takes 2 bytes in the file. */
bool halo_image_are_halves(halo_sample_type type, size_t bytes);

/* ---- headers over such samples (described.c) ------------------------------------------------- */

enum { HALO_IMAGE_NAME_BYTES = 1024 };

typedef enum {
    HALO_IMAGE_RAW,
    HALO_IMAGE_DEFLATED, /* in the formats of zlib or gzip */
    HALO_IMAGE_BZIP2,
    HALO_IMAGE_TEXT /* numbers between blanks */
} halo_image_encoding;

/* Description of the samples in a header. */
typedef struct {
    int axes;                            /* number of axes without colours */
    int64_t sizes[HALO_IMAGE_MAX_AXES];  /* fastest axis first */
    double spacing[HALO_IMAGE_MAX_AXES]; /* fastest axis first; 0: unknown. Read if `geometry`
                                          * has none */
    halo_image_geometry geometry;
    /* The kinds of the axes; SERIES: of space, or unknown behind three of these. */
    halo_axis_kind kinds[HALO_IMAGE_MAX_AXES];
    int channels;              /* interleaved samples per pixel; 0 means 1 */
    halo_axis_kind of_samples; /* what these are; SERIES: colours or channels, by their type */
    bool typed;                /* `type` is known */
    halo_sample_type type;
    bool halves, swapped; /* see halo_image_layout */
    halo_image_encoding encoding;
    int64_t offset;                   /* -1: the samples are the last bytes of the file */
    int64_t skip_lines, skip_bytes;   /* passed behind the offset: lines, and then bytes, of
                                       * compressed samples those that they become */
    char data[HALO_IMAGE_NAME_BYTES]; /* the file with the samples, relative to the header; "":
                                       * they follow the header */
    /* Several files with samples: `data` is a name with a place for numbers, or the header lists
     * them from an offset on. */
    int64_t first, last, step; /* numbers; step 0: `data` is one file */
    bool listed;
    int64_t list_at;
    int dims; /* axes of the samples in each file; 0: all but the slowest */
} halo_image_described;

/* Sets up the reader from a header's description. The first three axes of space are columns,
 * rows and planes.
 * HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status halo_image_start_described(halo_image_reader *reader,
                                       const halo_image_described *described);

/* Pass what stands before samples: of those that are read in order, bytes and then lines of
 * reader->source; otherwise `lines` lines from *offset on, which is set to behind them.
 * HALO_FORMAT, HALO_FILE. */
halo_status halo_image_pass_head(halo_image_reader *reader, int64_t offset, int64_t lines);
halo_status halo_image_pass_lines(halo_image_reader *reader, int64_t lines, int64_t *offset);

/* The `files` of formats of such headers. */
halo_status halo_image_described_files(halo_image_reader *reader, halo_name_take *take,
                                       void *context);

/* HALO_FORMAT: the header's `field` has the value `value`, which is not supported; with a
 * remedy. */
halo_status halo_image_fail_field(const halo_image_reader *reader, const char *field,
                                  const char *value, const char *remedy);

bool halo_image_big_endian(void);

/* Numbers of a header in either byte order: an unsigned one of 1 to 8 bytes, a signed one, and a
 * floating-point one of 4 or 8. */
uint64_t halo_image_number(const unsigned char *at, int bytes, bool big);
int64_t halo_image_signed(const unsigned char *at, int bytes, bool big);
double halo_image_real(const unsigned char *at, int bytes, bool big);

/* ---- what formats say of themselves (format.c) ----------------------------------------------- */

/* Finds the format of the file, or of `data` [size], by its name or its content, and opens the
 * source: sets reader->format (find_format.c). HALO_FORMAT with what the file looks like,
 * HALO_FILE, HALO_MEMORY. */
halo_status halo_image_find_format(halo_image_reader *reader, const void *data, size_t size);

/* The format of a file that begins with these bytes; NULL for none. */
const halo_image_format *halo_image_sniff(const unsigned char *bytes, size_t count);

/* The format that finds its files by this path (`claims`); NULL for none. */
const halo_image_format *halo_image_claim(const char *path);

/* Its parts: the format of which the name alone is enough, or NULL; and that of the content. */
const halo_image_format *halo_image_find_claimed(const halo_image_reader *reader);
halo_status halo_image_find_by_content(halo_image_reader *reader, const void *data, size_t size);

/* Sets info from sizes and samples; two axes if `planes` is 0. HALO_FORMAT for sizes below 1, above
 * 2^31 - 1 along an axis, or of more than 2^59 samples. */
halo_status halo_image_set_size(halo_image_reader *reader, int64_t planes, int64_t height,
                                int64_t width);

/* Sets reader->samples: any value of the type may occur, and the fourth of four channels is
 * alpha. */
void halo_image_set_samples(halo_image_reader *reader, halo_sample_type type, int channels);

/* A text for info.kind, from the samples. */
const char *halo_image_kind(const halo_image_samples *samples);

/* A defect of the file that does no harm to its pixels. The first is kept, for
 * halo_image_reader_warning; "" is none. */
void halo_image_warn(halo_image_reader *reader, const char *defect);

/* As halo_image_reader_finish, for a reader whose rows another one hands on: the defect of `inner`
 * becomes `warning`, that of the other one, unless it has one. */
halo_status halo_image_finish_inner(halo_image_reader *inner, char warning[HALO_IMAGE_WARNING]);

/* ---- files read at several places (seekable.c) ----------------------------------------------- */

/* The path of the file to open. */
const char *halo_image_place(const halo_image_reader *reader);

/* True if it is a regular file that is not compressed. */
bool halo_image_is_plain(const halo_image_reader *reader);

/* Opens reader->file for a source from which nothing was taken, and sets data_bytes and
 * info.random_access; the source is closed. Data of a pipe, or compressed data, are copied to a
 * temporary file first. HALO_FILE. */
halo_status halo_image_make_seekable(halo_image_reader *reader);

/* Copies the next `bytes` bytes of reader->unpacker to such a temporary file, checks their end, and
 * destroys the unpacker. HALO_FORMAT, HALO_FILE, HALO_MEMORY. */
halo_status halo_image_spool_unpacked(halo_image_reader *reader, int64_t bytes);

/* ---------------------------------------------------------------------------------------------- */

halo_status halo_image_fail_ended(const halo_image_reader *reader, int64_t row);

#endif
