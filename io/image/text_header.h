#ifndef HALOBEAT_IO_IMAGE_TEXT_HEADER_H
#define HALOBEAT_IO_IMAGE_TEXT_HEADER_H

#include "io/image/image_internal.h"

/* Headers that are lines of text; not installed. Everything is local. */

enum { HALO_TEXT_LINE_BYTES = 1024 };

typedef struct {
    const unsigned char *bytes;
    size_t count, at; /* at: of the line after this one */
    char line[HALO_TEXT_LINE_BYTES];
} halo_text_header;

/* The next line, without its end, cut at HALO_TEXT_LINE_BYTES - 1; false: none is left. */
bool halo_text_next(halo_text_header *text);

/* Split `line` at the first `separator`: spaces around both parts are cut off. Returns the second
 * part, or NULL if there is no separator. */
char *halo_text_split(char *line, const char *separator);

/* How many integers, or reals, there are in `value`, at most `room`; -1 if anything else is. */
int halo_text_integers(const char *value, int64_t *numbers, int room);
int halo_text_reals(const char *value, double *numbers, int room);

/* ---- fields that such headers have in common (text_fields.c) --------------------------------- */

typedef struct {
    const halo_image_reader *reader;
    halo_image_described is;
    int sizes;     /* numbers of them in the header */
    bool big;      /* the high byte of a sample comes first, */
    bool ordered;  /* which the header says, one way or the other */
    bool encoded;  /* it says how samples are stored */
    bool coloured; /* the first axis is the channels of a pixel */
    bool ended;    /* what follows are samples */
} halo_text_fields;

/* The value of a field; `key` is its name, for messages. HALO_FORMAT, with the remedy. */
typedef halo_status halo_text_parse(halo_text_fields *fields, const char *key, const char *value);

extern halo_text_parse halo_text_parse_axes, halo_text_parse_sizes, halo_text_parse_spacings,
    halo_text_parse_offset, halo_text_parse_data;

typedef struct {
    const char *name;
    halo_image_type type;
} halo_text_type;

/* The type is one of `types` ([count]), in any case; `remedy` names them. */
halo_status halo_text_find_type(halo_text_fields *fields, const char *key, const char *value,
                                const halo_text_type *types, size_t count, const char *remedy);

typedef struct {
    const char *key;
    halo_text_parse *parse;
} halo_text_field;

/* Parse a line "KEY SEPARATOR VALUE" by `table` ([count]), keys in any case. Others are passed
 * over: names of patients, and what else does not matter here. */
halo_status halo_text_take(halo_text_fields *fields, const halo_text_field *table, size_t count,
                           char *line, const char *separator);

#endif
