#ifndef HALOBEAT_IO_IMAGE_TEXT_HEADER_H
#define HALOBEAT_IO_IMAGE_TEXT_HEADER_H

#include "io/image/content.h"
#include "io/image/image_internal.h"

/* Parsing headers of lines of text; not installed. Everything is local. */

enum { HALO_TEXT_LINE_BYTES = 1024 };

/* Initialise `bytes` and `count`. */
typedef struct {
    const unsigned char *bytes;
    size_t count, at; /* `at` is the offset of the next line */
    char end;         /* the byte that ends lines, of which the first line decides */
    char line[HALO_TEXT_LINE_BYTES];
} halo_text_header;

/* Reads the next line, without its end, cut at HALO_TEXT_LINE_BYTES - 1; false after the last
 * one. A byte order mark is no part of the first line. Lines end with a line feed, which a
 * carriage return may precede; or, if the first one does, with a carriage return alone. Samples
 * that follow a line may begin with either byte. */
bool halo_text_next(halo_text_header *text);

/* The length of the first line, without its end; `count` if there is no end. */
size_t halo_text_first_line(const unsigned char *bytes, size_t count);

/* Splits `line` at the first `separator` and removes spaces around both parts. Returns the second
 * part, or NULL if there is no separator. */
char *halo_text_split(char *line, const char *separator);

/* Parses the integers, or reals, in `value`, at most `room`. Returns their number; -1 for other
 * text. */
int halo_text_integers(const char *value, int64_t *numbers, int room);
int halo_text_reals(const char *value, double *numbers, int room);

/* ---- fields that such headers have in common (text_fields.c) --------------------------------- */

/* The place of the samples in space as a header gives it: axes and components are the header's. */
typedef struct {
    double origin[HALO_IMAGE_MAX_AXES];
    double maxs[HALO_IMAGE_MAX_AXES]; /* the other ends of axes whose origins are `mins` */
    int origins;                      /* numbers of the origin; 0: not given */
    int ends;                         /* of `maxs` */
    /* MetaImage has a matrix, and `directions` counts its numbers. NRRD has a vector for each
     * axis, every HALO_IMAGE_MAX_AXES numbers, whose length is the spacing, and `directions` counts
     * the vectors. */
    double direction[HALO_IMAGE_MAX_AXES * HALO_IMAGE_MAX_AXES];
    int directions;    /* 0: not given */
    int components;    /* of a direction; 0: as many as there are axes */
    double sign[3];    /* by which components become those of io/image/geometry.h; 0: 1 */
    bool mins;         /* the origin is that of NRRD's axes, */
    bool nodes;        /* which is the centre of the first sample, not its edge */
    halo_length units; /* of spacing and origin, if the header names it */
    bool united;       /* it does, though perhaps one that is no length */
    bool anatomical;
    bool damaged; /* what stands there could not be read */
} halo_text_space;

typedef struct {
    const halo_image_reader *reader;
    halo_image_described is;
    int sizes;     /* numbers of sizes in the header */
    bool big;      /* samples are big-endian */
    bool ordered;  /* the header gives the byte order */
    bool encoded;  /* the header gives the encoding of the samples */
    bool coloured; /* the first axis is the channels of a pixel */
    bool labels;   /* samples are numbers of regions */
    bool ended;    /* the samples follow */
    bool spaced;   /* the header gives spacings */
    halo_text_space space;
    char nodata_key[HALO_IMAGE_WORD]; /* and what stands there; "": nowhere */
    char nodata[HALO_IMAGE_NAME];
} halo_text_fields;

/* Parses the value of a field; `key` is its name, for messages. HALO_FORMAT, with a remedy. */
typedef halo_status halo_text_parse(halo_text_fields *fields, const char *key, const char *value);

/* Takes the value of a key by which users name samples that are no data, since these formats have
 * none of their own: NoData, NODATA_value, _FillValue, missing_value and the like. Other keys are
 * passed over. */
void halo_text_take_nodata(halo_text_fields *fields, const char *key, const char *value);

extern halo_text_parse halo_text_parse_axes, halo_text_parse_sizes, halo_text_parse_spacings,
    halo_text_parse_offset, halo_text_parse_data, halo_text_parse_origin, halo_text_parse_content;

/* Finds the type in `types`, in lower or upper case; `remedy` lists them. */
halo_status halo_text_find_type(halo_text_fields *fields, const char *key, const char *value,
                                const halo_text_type *types, const char *remedy);

typedef struct {
    const char *key;
    halo_text_parse *parse;
} halo_text_field;

/* Parses a line "KEY SEPARATOR VALUE" by `table` [count], with keys in lower or upper case. Other
 * keys are ignored. */
halo_status halo_text_take(halo_text_fields *fields, const halo_text_field *table, size_t count,
                           char *line, const char *separator);

#endif
