#ifndef HALOBEAT_IO_ARRAY_FORMAT_H
#define HALOBEAT_IO_ARRAY_FORMAT_H

#include "io/array/array_write.h"

/* A format that arrays are written in is a row: what it can hold, and the functions that write it.
 * Each row stands in the format's own file, and HALO_ARRAY_FORMAT_LIST gives it its endings. Not
 * installed. */

/* Kinds of arrays: code, and the plural that messages use. */
#define HALO_ARRAY_SHAPE_LIST(X)                  \
    X(LINE, "arrays of one axis")                 \
    X(IMAGE, "images of one number a pixel")      \
    X(VOLUME, "volumes")                          \
    X(COLOURS, "images of three numbers a pixel") \
    X(PIXELS, "images of several numbers a pixel")

typedef enum {
#define HALO_ARRAY_SHAPE_ENUM(code, plural) HALO_ARRAY_##code,
    HALO_ARRAY_SHAPE_LIST(HALO_ARRAY_SHAPE_ENUM)
#undef HALO_ARRAY_SHAPE_ENUM
} halo_array_shape;

enum { HALO_ARRAY_SHAPES = HALO_ARRAY_PIXELS + 1 };

/* Sets of types of samples. */
#define HALO_ARRAY_TYPE(code) (1u << HALO_SAMPLE_##code)
#define HALO_ARRAY_ALL_TYPES  ((1u << HALO_SAMPLE_TYPES) - 1)

/* For halo_array_format.types: all types, of all arrays but those of one axis. */
#define HALO_ARRAY_ALL_BUT_LINES                                                                \
    {                                                                                           \
        [HALO_ARRAY_IMAGE] = HALO_ARRAY_ALL_TYPES, [HALO_ARRAY_VOLUME] = HALO_ARRAY_ALL_TYPES,  \
        [HALO_ARRAY_COLOURS] = HALO_ARRAY_ALL_TYPES, [HALO_ARRAY_PIXELS] = HALO_ARRAY_ALL_TYPES \
    }

/* A format may store these besides samples: code, and the word of docs/formats.md. Lengths without
 * a unit are those of the input, or millimetres where the format says so. */
#define HALO_ARRAY_TELLS_LIST(X) \
    X(SPACING, "spacing")        \
    X(ORIGIN, "origin")          \
    X(DIRECTION, "directions")   \
    X(UNIT, "unit")              \
    X(LABELS, "labels")          \
    X(PRINTED, "dots of prints") \
    X(GEOTIFF, "GeoTIFF")

enum {
#define HALO_ARRAY_TELLS_BIT(code, word) HALO_ARRAY_BIT_##code,
    HALO_ARRAY_TELLS_LIST(HALO_ARRAY_TELLS_BIT)
#undef HALO_ARRAY_TELLS_BIT
#define HALO_ARRAY_TELLS_ENUM(code, word) HALO_ARRAY_TELLS_##code = 1 << HALO_ARRAY_BIT_##code,
        HALO_ARRAY_TELLS_LIST(HALO_ARRAY_TELLS_ENUM)
#undef HALO_ARRAY_TELLS_ENUM
            HALO_ARRAY_TELLS_PLACE = HALO_ARRAY_TELLS_SPACING | HALO_ARRAY_TELLS_ORIGIN |
                                     HALO_ARRAY_TELLS_DIRECTION | HALO_ARRAY_TELLS_LABELS
};

typedef struct halo_array_format halo_array_format;

/* An array on its way into a file. */
typedef struct {
    const halo_array_format *format;
    const char *path; /* as the caller has it, FILE.h5:/PATH/IN/IT included */
    const halo_npy_header *header;
    const halo_array_about *about;
} halo_array_file;

/* Local. Appends what precedes the samples. `stream` is the size in bytes of the compressed samples
 * that follow, -1 if they are not compressed; the head has the same length for all sizes from 0.
 * HALO_ARGUMENT, HALO_MEMORY. */
typedef halo_status halo_array_head(halo_buffer *out, const halo_array_file *file, int64_t stream);

/* Collective. As halo_array_write. */
typedef halo_status halo_array_writer(halo_world *world, const halo_array_file *file,
                                      const int64_t *cuts, const halo_rows *rows);

/* The functions of a format whose arrays are folders: whether a name asks for what there is (NULL:
 * any name does), whether one can be written (collective), is complete, and what removes those that
 * killed runs have left. */
typedef struct {
    halo_status (*check_name)(const char *path);
    halo_status (*check)(halo_world *world, const char *path);
    bool (*is_whole)(const char *path);
    void (*clean)(const char *target);
} halo_array_folder;

struct halo_array_format {
    const char *name;                  /* "NRRD" */
    unsigned types[HALO_ARRAY_SHAPES]; /* of samples, for each kind of array; 0: it holds none */
    int64_t most_pixel;                /* samples of a pixel, at most; 0: any number */
    unsigned tells;                    /* HALO_ARRAY_TELLS_... */
    bool big_endian;                   /* samples have the high byte first; false: they have the
                                        * order of this machine, which the head tells */
    bool planar;                       /* of pixels of several numbers, all first numbers precede
                                        * all second ones; false: those of a pixel are neighbours */
    bool colour_bytes;                 /* of a planar format: three bytes a pixel are a colour,
                                        * and neighbours */
    bool picture;                      /* viewers and editors of pictures open it */
    bool signed_labels;                /* labels are signed, as those of scipy in NumPy's arrays */
    unsigned as_floats; /* types whose samples ImageJ, for which the format is, reads as floats */
    bool unread;        /* halobeat has no reader for it, as its own test must know */
    halo_array_writer *write[HALO_ARRAY_PACKINGS]; /* for each compression; NULL: it has none */
    halo_array_head *head; /* for halo_array_rows_write and halo_array_stream_write; NULL: nothing
                            * precedes the samples */
    const char *samples;   /* ending of the file beside the head that has the samples; NULL: they
                            * follow the head */
    bool gzip;             /* the compressed stream is one of gzip; false: zlib */
    bool head_inside;      /* the head is compressed with the samples */
    const halo_array_folder *folder; /* NULL: arrays are files */
};

#define HALO_ARRAY_FORMAT_ROW(code, ...) extern const halo_array_format halo_array_format_##code;
HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_FORMAT_ROW)
HALO_ARRAY_PICTURE_LIST(HALO_ARRAY_FORMAT_ROW)
#undef HALO_ARRAY_FORMAT_ROW

/* ---- the table (formats.c) ------------------------------------------------------------------- */

typedef struct {
    const halo_array_format *format;
    const char *endings; /* ".tif|.tiff" */
} halo_array_format_entry;

enum {
#define HALO_ARRAY_FORMAT_INDEX(code, ...) HALO_ARRAY_INDEX_##code,
    HALO_ARRAY_FORMAT_LIST(HALO_ARRAY_FORMAT_INDEX) HALO_ARRAY_PICTURE_LIST(HALO_ARRAY_FORMAT_INDEX)
#undef HALO_ARRAY_FORMAT_INDEX
        HALO_ARRAY_FORMATS
};

extern const halo_array_format_entry halo_array_formats[HALO_ARRAY_FORMATS];

/* Local. The format that the name's ending asks for; NULL if there is none. */
const halo_array_format *halo_array_format_of(const char *path);

/* Local. The kind of such an array. */
halo_array_shape halo_array_shape_of(const halo_npy_header *header);

/* Local. The name of a type of samples, such as "uint16". */
const char *halo_array_type_name(halo_sample_type type);

/* ---- writers that formats share -------------------------------------------------------------- */

/* The head, and samples as they are, which all ranks write side by side (rows.c). */
halo_array_writer halo_array_rows_write;

/* The head, and samples that are one stream of zlib or gzip (stream.c). */
halo_array_writer halo_array_stream_write;

/* An array's rows in the order of the file, a component after the other: of a planar format a
 * component is one number of each pixel, otherwise it is the whole array (components.c).
 * Zero-initialise it. */
typedef struct {
    halo_npy_header header; /* of each component */
    int64_t count;          /* components, 1 or more */
    const halo_rows *rows;  /* [count] */
    const halo_rows *all;   /* those of the array */
    struct halo_array_component *of;
    halo_rows *made;
    unsigned char *row; /* one of the array */
} halo_array_components;

/* Local. `file` and `rows` must outlive it. HALO_MEMORY; halo_array_components_close is called in
 * any case. */
halo_status halo_array_components_open(halo_array_components *components,
                                       const halo_array_file *file, const halo_rows *rows);

void halo_array_components_close(halo_array_components *components);

/* Local. The name of the file with the samples, such as NAME.raw of NAME.mhd, without what stands
 * behind the name of a file; the caller frees it. HALO_MEMORY. */
halo_status halo_array_name_samples(char **out, const halo_array_format *format, const char *path);

/* ---- what heads need ------------------------------------------------------------------------- */

halo_status halo_array_put_text(halo_buffer *out, const char *text);

/* Axes of the array; one of a single axis is a column of an image. */
static inline int halo_array_axes(const halo_npy_header *header)
{
    return header->axes == 3 ? 3 : 2;
}

/* True if pixels have several numbers, or a list of one. */
static inline bool halo_array_has_pixels(const halo_npy_header *header)
{
    return header->axes == 3 && header->pixel > 0;
}

/* Axes of space. */
static inline int halo_array_space(const halo_npy_header *header)
{
    return header->axes == 3 && header->pixel == 0 ? 3 : 2;
}

static inline int64_t halo_array_planes(const halo_npy_header *header)
{
    return halo_array_space(header) == 3 ? header->planes : 1;
}

/* Samples per pixel. */
static inline int64_t halo_array_channels(const halo_npy_header *header)
{
    return halo_array_has_pixels(header) ? header->pixel : 1;
}

/* Pixels of a row. */
static inline int64_t halo_array_columns(const halo_npy_header *header)
{
    return header->width / halo_array_channels(header);
}

static inline int64_t halo_array_plane_rows(const halo_npy_header *header)
{
    return header->height / halo_array_planes(header);
}

/* True if the numbers of a pixel are neighbours in the file, though the format is planar. */
static inline bool halo_array_is_colour(const halo_array_format *format,
                                        const halo_npy_header *header)
{
    return format->colour_bytes && header->type == HALO_SAMPLE_U8 &&
           halo_array_channels(header) == 3;
}

/* ---- parts of single formats ----------------------------------------------------------------- */

/* Classic TIFF if the file is below 4 GiB in any case, otherwise BigTIFF. */
halo_status halo_array_tiff_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about);

/* As above, for strips of `strip_rows` rows compressed by deflate: `begins` are the offsets of the
 * strips after the header, plane by plane, and the end of the last one. */
halo_status halo_array_tiff_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        const halo_array_about *about, int64_t strip_rows,
                                        const int64_t *begins);

/* Bytes of that header, which do not depend on the sizes of the strips. */
int64_t halo_array_tiff_samples(const halo_npy_header *header, const halo_array_about *about,
                                int64_t strip_rows);

/* Local. The attributes of an array of zarr, a text for free(); NULL where there is nothing to say.
 * HALO_MEMORY. */
halo_status halo_array_zarr_attributes(char **out, const halo_npy_header *header,
                                       const halo_array_about *about);

#endif
