#ifndef HALOBEAT_IO_IMAGE_IMAGE_READER_H
#define HALOBEAT_IO_IMAGE_IMAGE_READER_H

#include "base/names.h"
#include "base/sample_greys.h"
#include "base/status.h"
#include "io/image/geometry.h"
#include "io/image/luma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reader of images and volumes of any supported format, by rows. The format is recognised by a
 * file's content, never by its name. Everything is local.
 *
 * A volume of Z planes of Y rows is read as Z * Y rows, numbered through. */

/* The samples that the caller computes on, to which rows are converted. Colours become grey by Rec.
 * 709 luma, and pixels with alpha are blended with the ground; see png_read.h. "Greys" have 8 bits
 * from 0 to 255, or 16 bits; bits, and unsigned samples of 8 and 16 bits, are such. */
typedef enum {
    HALO_IMAGE_GREYS,   /* greys; of other samples, 16 bits over a range (`range`) */
    HALO_IMAGE_NATIVE,  /* greys of 1, 8 or 16 bits from 0 to info.maximum; other samples as they
                         * are, one per pixel */
    HALO_IMAGE_SAMPLES, /* samples as they are, one per pixel, of the file's type */
    HALO_IMAGE_NUMBERS, /* doubles for the samples of arrays, and for samples that are no greys;
                         * otherwise greys */
    HALO_IMAGE_REALS,   /* doubles for all samples, one per pixel; of colours, the greys */
    HALO_IMAGE_COLOURS, /* red, green and blue, 8 bits each from 0 to 255, or 16 bits each */
    HALO_IMAGE_PIXELS   /* all samples of a pixel, one to four, of the file's type; those of less
                         * than 8 bits, but for bits, become 0 to 255. Nothing is blended: with
                         * info.alpha the last one is alpha */
} halo_image_want;

/* Layout of a raw file, which has no header: samples, one plane after the other. */
typedef struct {
    int64_t planes, height, width; /* width 0: the file is not raw; planes 0: an image of two
                                    * axes */
    const char *dtype;             /* in NumPy's notation: "u1", "<u2", ">f4" */
    int64_t offset;                /* bytes before the first sample */
} halo_image_raw;

/* Parts of a file of which one is read: code, word, its plural, letter. Each is chosen by a number
 * from 0 or by its name: with an option, or behind the name of the file, as x.tif:c=1,t=0. */
#define HALO_IMAGE_CHOICE_LIST(X)          \
    X(SERIES, "series", "series", "s")     \
    X(PAGE, "page", "pages", "p")          \
    X(TIME, "time", "times", "t")          \
    X(CHANNEL, "channel", "channels", "c") \
    X(PLANE, "plane", "planes", "z")

typedef enum {
#define HALO_IMAGE_CHOICE_ENUM(code, word, words, letter) HALO_IMAGE_##code,
    HALO_IMAGE_CHOICE_LIST(HALO_IMAGE_CHOICE_ENUM)
#undef HALO_IMAGE_CHOICE_ENUM
} halo_image_choice;

enum { HALO_IMAGE_CHOICES = HALO_IMAGE_PLANE + 1 };

/* The user's choices; strings are owned by the caller. NULL: not chosen. */
typedef struct {
    const char *of[HALO_IMAGE_CHOICES];
} halo_image_choices;

/* Which samples are no data, in place of what the file says. Zero-initialise it: as the file says.
 */
typedef struct {
    bool given, none; /* `none`: no value is, though the file may name one */
    halo_number value;
} halo_image_nodata_choice;

/* A number that missing samples become, as they are stored in the file, so that none is missing any
 * more. Zero-initialise it: they stay missing. */
typedef struct {
    bool given;
    halo_number value;
} halo_image_fill;

struct halo_image_reader;
struct halo_image_info;

/* Rows that a program makes of those of the file, such as smoothed ones, before they are converted
 * as halo_image_options.want says. Rows are of samples of one type, one per pixel, without gaps; of
 * BIT they are words. If colours are wanted, rows of the file and those that are made have red,
 * green and blue. */
typedef struct {
    /* Chooses the type of the rows that are made of those of an image, and makes *state. */
    halo_status (*open)(void *context, const struct halo_image_info *of, halo_sample_type *type,
                        void **state);
    /* Makes rows `first` to first + rows - 1, `pitch` bytes apart, of those of the reader `of`,
     * whose samples are of its own type. Rows are asked for in order, and up to row `end`, unless
     * there is random access. */
    halo_status (*rows)(void *state, struct halo_image_reader *of, int64_t first, int64_t rows,
                        int64_t end, void *out, size_t pitch);
    void (*close)(void *state); /* accepts NULL */
    void *context;
    int64_t (*buffer)(const void *state); /* bytes that it takes besides, at most, for info.buffer;
                                           * NULL: few */
} halo_image_making;

/* Options of a reader. Zero-initialise it: 0 means the default. */
typedef struct {
    halo_image_want want;
    halo_image_choices choices; /* of the path, and of every slice */
    bool volumes; /* an array of three axes is a volume even if it has only one plane */
    bool narrow;  /* an array of uint8 or uint16 whose last axis has 3 or 4 samples is a volume,
                   * not colours */
    bool solid;   /* an array whose last axis has 2 to 4 samples is a volume, whatever the type;
                   * otherwise it is refused, since these may be channels */
    bool lines;   /* accept arrays of one axis, as images with rows of one pixel */
    halo_image_ground ground; /* background of transparent pixels: black, or another grey */
    bool count_clear;         /* count transparent pixels, for halo_image_reader_clear */
    halo_image_nodata_choice nodata;
    halo_sample_range range; /* with HALO_IMAGE_GREYS: greys of 16 bits over this range, of samples
                              * of any type, and of the greys of colours. Where info.needs_range
                              * says so, the caller finds one, and opens the file again */
    bool count_missing;      /* count missing pixels, for halo_image_reader_missing */
    bool as_stored;          /* leave images as they are stored, whatever orientation the file
                              * (TIFF, or EXIF in JPEG and PNG) asks for */
    bool follow_links;       /* open other files that one of HDF5 refers to */
    int64_t turned_bytes;    /* of an image whose rows are columns of the file, keep so much at a
                              * time; 0: 256 MiB, or a sixteenth of a plane */
    halo_image_raw raw;
    const char *const *slices; /* [slice_count] files, or shell patterns of files, that together */
    int64_t slice_count;       /* make a volume, whatever the path is; 0: the file is `path` */
    const halo_image_making *make; /* or NULL; it must outlive the reader */
    halo_image_fill fill;          /* of missing samples, also of NaN */
} halo_image_options;

enum { HALO_IMAGE_WORD = 32, HALO_IMAGE_NAME = 64, HALO_IMAGE_NOTE = 160 };

/* The part of a file that was taken, such as channel 1, GFP, of 3. */
typedef struct {
    int64_t index, count;       /* count 0: the file has no such parts */
    char name[HALO_IMAGE_NAME]; /* or "" */
} halo_image_taken;

/* How pixels that are missing are marked in rows as they are read. */
typedef enum {
    HALO_MISSING_NEVER, /* none can be missing */
    HALO_MISSING_CELL,  /* a pixel is missing if each of its samples is `cell` */
    HALO_MISSING_NAN    /* samples are floating-point numbers: those that are NaN are missing */
} halo_missing_mark;

enum { HALO_IMAGE_NODATA = 4 };

/* Samples that stand for no data. NaN always does. */
typedef struct {
    int count; /* of values that do so, too, as they are stored in the file; 0: none */
    halo_number value[HALO_IMAGE_NODATA];
    char source[HALO_IMAGE_WORD]; /* what says so: "GDAL_NODATA", "--nodata"; or "" */
    halo_missing_mark missing;
    uint64_t cell; /* its bits, in the low ones */
} halo_image_nodata;

/* Description of an image. It has no pointers, so that it can be sent to other ranks. */
typedef struct halo_image_info {
    char format[HALO_IMAGE_WORD];  /* "TIFF" */
    char kind[HALO_IMAGE_WORD];    /* "grey", "colour and alpha", "array of u2" */
    char decoder[HALO_IMAGE_WORD]; /* "libtiff" */
    int axes;                      /* 2; 3 for a volume; 1 for an array of one axis */
    int64_t planes, height, width; /* height: rows of a plane */
    int64_t rows;                  /* planes * height */
    int channels;                  /* samples per pixel in the file */
    halo_sample_type type;         /* type of the samples in the file */
    int bits;                      /* bits of a sample in the file */
    halo_image_geometry geometry;  /* where the samples lie in space */
    halo_geotiff geotiff;          /* how a GeoTIFF file says it */
    bool colourful;                /* the file has colours */
    bool labels;                   /* it says that samples are numbers of regions, not greys */
    bool alpha;                    /* pixels can be transparent; they are blended with the ground */
    bool random_access;            /* rows can be read in any order, by several readers */
    bool in_place;       /* rows are stored without encoding: reading costs next to nothing */
    bool held;           /* the whole image is in memory while it is read */
    int64_t buffer;      /* other bytes in memory while it is read */
    int64_t turned;      /* bytes of rows that are kept besides while an image is turned; no more
                          * than those that are asked for */
    int orientation;     /* that was applied, from 2 to 8, as EXIF numbers them; 0: none */
    int64_t layers;      /* planes of a volume, or rows of an image, that are decoded together;
                          * readers of parts that begin at multiples decode nothing twice. 0: one */
    int64_t slices;      /* number of files, each of which is a plane; 0: a single file */
    int64_t first_slice; /* number of the first file, if files are named by a pattern; otherwise
                          * 0 */
    halo_image_taken parts[HALO_IMAGE_CHOICES]; /* that the image is, of those of the file */
    halo_image_nodata nodata;
    bool needs_range;           /* greys are wanted, samples are none (halo_sample_types), and no
                                 * range was given: whole numbers from 0 to 65535 are taken as they
                                 * are, other samples cannot be read */
    char note[HALO_IMAGE_NOTE]; /* what was left out, or taken for what, in words; or "" */
    int64_t file_bytes;         /* size of the file; -1: a pipe */
    int64_t changed[2];         /* modification time of the file: seconds, nanoseconds */
    /* The rows as they are read. */
    int cell_bits;   /* bits of a sample: 1, 8, 16 (grey, colours), 32 or 64 */
    int pixel_bits;  /* bits of a pixel: with colours, of three samples; of HALO_IMAGE_PIXELS, of
                      * `channels` samples */
    int64_t maximum; /* value of white, of greys and colours; 255 for an image of reals; 0 for
                      * native samples that are not greys */
} halo_image_info;

typedef struct halo_image_reader halo_image_reader;

/* Local. Opens `path` ("-": standard input) and reads its header; the caller closes the reader.
 * Behind the name of a file the part to be read may stand (:c=1,t=0; base/names.h). A folder, or a
 * name with a number pattern, such as slice-%04d.png, is a stack: each file is a plane of the size
 * and type of the first one, opened when its rows are read. HALO_FILE if it
 * cannot be read; HALO_FORMAT if it is damaged, of an unknown format, or cannot be converted as
 * `options` ask; HALO_MEMORY. Messages name the path and the remedy. */
halo_status halo_image_reader_open_sized(halo_image_reader **out, const char *path,
                                         const halo_image_options *options, size_t options_bytes);
#define halo_image_reader_open(...) \
    halo_image_reader_open_sized(__VA_ARGS__, sizeof(halo_image_options))

/* Local. As halo_image_reader_open, for `bytes` bytes in memory, a whole file, which are owned by
 * the caller and must stay valid until the reader is closed; `name` is used in messages. */
halo_status halo_image_reader_open_memory_sized(halo_image_reader **out, const char *name,
                                                const void *data, size_t bytes,
                                                const halo_image_options *options,
                                                size_t options_bytes);
#define halo_image_reader_open_memory(...) \
    halo_image_reader_open_memory_sized(__VA_ARGS__, sizeof(halo_image_options))

/* Local. Calls `take` for each file that a reader of `path` would open besides the file `path`
 * itself: the samples that a header names, slices, and for zarr the folder as a whole (and files
 * elsewhere that links in it lead to, and the attributes of the group around it). Looks only at
 * ordinary files and folders; what cannot be found or is no image has none, as the reader will say.
 * HALO_MEMORY; what `take` returned. */
halo_status halo_image_files_sized(const char *path, const halo_image_options *options,
                                   halo_name_take *take, void *context, size_t options_bytes);
#define halo_image_files(...) halo_image_files_sized(__VA_ARGS__, sizeof(halo_image_options))

/* Local. Owned by the reader, valid until it is closed. */
const halo_image_info *halo_image_reader_info(const halo_image_reader *reader);

/* Local. The number of pixels, in rows read so far, that are transparent in whole or in part; 0 if
 * they are not counted. */
int64_t halo_image_reader_clear(const halo_image_reader *reader);

/* Local. The number of pixels, in rows read so far, that are missing (info.nodata); 0 if they are
 * not counted. */
int64_t halo_image_reader_missing(const halo_image_reader *reader);

/* Local, pure. Which pixels of a row, as it was read, are missing: sets bit x % 64 of bits[x / 64]
 * for pixel x, and clears those of others; `bits` may be NULL. Returns their number. */
int64_t halo_image_find_missing(const halo_image_info *info, const void *row, uint64_t *bits);

/* Local, pure. Copies the pixels of such a row that are not missing to `out`, one after the other.
 * Pixels have at least 8 bits. Returns their number. */
int64_t halo_image_take_present(const halo_image_info *info, const void *row, void *out);

/* Local. Parses a number that stands for no data, as programs write it: also nan, inf, and numbers
 * that are rounded to beyond the largest double. Blanks around it are passed. False for other text.
 */
bool halo_image_scan_nodata(const char *text, halo_number *out);

enum { HALO_IMAGE_WARNING = 160 };

/* Local. The first defect of the file so far that does no harm to its pixels, in words, such as a
 * damaged comment; "" without one. */
const char *halo_image_reader_warning(const halo_image_reader *reader);

/* Local. Bytes of a row as it is read. */
size_t halo_image_row_bytes(const halo_image_info *info);

/* Local. Says that rows `first` to `first + rows - 1` will be read, in order, and no others: the
 * reader of an image that is turned keeps less in memory then. */
void halo_image_reader_expect(halo_image_reader *reader, int64_t first, int64_t rows);

/* Local. Reads rows `first` to `first + rows - 1`; row i is written to (char *)out + i * pitch.
 * `out` and `pitch` are multiples of the size of a sample (for bits, of a word). Without random
 * access rows must be read in order. HALO_ARGUMENT for rows that do not exist or are not next;
 * HALO_FORMAT and HALO_FILE, with the number of the row where reading ended. After a failure the
 * reader can only be closed. */
halo_status halo_image_reader_rows(halo_image_reader *reader, int64_t first, int64_t rows,
                                   void *out, size_t pitch);

/* Local. Checks what follows the last row, such as checksums. HALO_FORMAT, HALO_FILE. */
halo_status halo_image_reader_finish(halo_image_reader *reader);

/* Local. Closes the reader and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_image_reader_close(halo_image_reader **reader);

enum { HALO_IMAGE_LIST = 256 };

/* Local. Writes lists of the formats that this build can read, such as "PNG, TIFF, JPEG, PNM", and
 * of those that it cannot for want of a library. */
void halo_image_formats(char text[HALO_IMAGE_LIST]);
void halo_image_missing(char text[HALO_IMAGE_LIST]);

#endif
