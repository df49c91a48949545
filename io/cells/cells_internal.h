#ifndef HALOBEAT_IO_CELLS_CELLS_INTERNAL_H
#define HALOBEAT_IO_CELLS_CELLS_INTERNAL_H

#include "io/cells/cells.h"
#include "io/source/source.h"

/* Internals of the reader and writer of cells; not installed. Everything is local. */

/* --- Text (text.c) --- */

static inline bool halo_cells_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* HALO_FORMAT, with a message "FILE: line 3, column 7: "x" stands where ... is allowed" about the
 * next byte; or the failure that kept it from being read. */
halo_status halo_cells_fail_here(halo_source *source, const char *allowed);

/* As halo_cells_fail_here, with another text, formatted as by printf. */
halo_status halo_cells_fail_at(halo_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Skips the rest of the line and its line feed. */
void halo_cells_skip_line(halo_source *source);
void halo_cells_skip_blanks(halo_source *source);

/* Skips blanks and the line feed, or fails: `allowed` says what else is allowed there. */
halo_status halo_cells_end_line(halo_source *source, const char *allowed);

/* Copies the rest of the line (without the line feed, which is not taken), cut at `size` - 1 bytes,
 * with a 0 byte. Returns the number of bytes copied; the others are skipped. */
size_t halo_cells_take_line(halo_source *source, char *line, size_t size);

/* Parses an integer between -limit (0, if not `is_signed`) and limit. `what` is its name in
 * messages. */
halo_status halo_cells_take_number(halo_source *source, const char *what, bool is_signed,
                                   int64_t limit, int64_t *number);

/* Parses a generation, of any number of digits that the reader has room for, into info->generation,
 * or info->earlier if it is 2^63 or more. The digits begin at *text, which is advanced; false if
 * there are none, or too many. */
bool halo_cells_scan_generation(const char **text, halo_cells_info *info);

/* --- A reader and the formats --- */

enum {
    HALO_CELLS_RULE_BYTES = 1024, /* maximum bytes of a rule that is read */
    HALO_CELLS_RULE_WRITTEN = 200 /* maximum bytes of a rule to write */
};

struct halo_cells_reader {
    halo_source source;
    /* While it is opened: */
    const char *path; /* with what chooses a part of the file */
    bool claimed; /* by a format of images that finds its files by this name: no bytes are read */
    halo_cells_options options;
    const struct halo_cells_kind *kind;
    halo_cells_info info;
    char rule[HALO_CELLS_RULE_BYTES];
    int64_t row;                      /* the next row to read */
    char warning[HALO_IMAGE_WARNING]; /* of an image, after its `finish`; or "" */
    void *state;                      /* of the format; freed after its `close` */
};

/* A format. All functions but `open` and `rows` may be NULL. */
typedef struct halo_cells_kind {
    /* Reads from the first byte and sets `info` and `state`. `close` is called even after a
     * failure. */
    halo_status (*open)(halo_cells_reader *reader);
    /* Reads the next rows, which exist. */
    halo_status (*rows)(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch);
    halo_status (*finish)(halo_cells_reader *reader);
    void (*close)(halo_cells_reader *reader);
} halo_cells_kind;

extern const halo_cells_kind halo_cells_rle, halo_cells_plain, halo_cells_life105,
    halo_cells_life106, halo_cells_macrocell, halo_cells_png, halo_cells_image, halo_cells_npy;

/* Recognises a format by its first bytes, all images as HALO_CELLS_IMAGE; HALO_FORMAT if it is
 * unknown (sniff.c). */
halo_status halo_cells_sniff(halo_source *source, halo_cells_format *format);

/* Stores `bytes` bytes of rule text without surrounding blanks; HALO_FORMAT if it is too long. */
halo_status halo_cells_set_rule(halo_cells_reader *reader, const char *text, size_t bytes);

/* HALO_FORMAT for a text that has changed since it was checked. */
halo_status halo_cells_fail_changed(const halo_cells_reader *reader);

/* Sets cells x to x + n - 1 of a row of 1-bit cells. */
void halo_cells_fill_bits(uint64_t *row, int64_t x, int64_t n);

/* --- The parts of the RLE reader --- */

typedef struct {
    int64_t x, y;          /* start of the next run */
    int64_t width, height; /* size needed for the live cells so far */
    int max_state;         /* maximum of the states so far */
    bool ended;
    bool careful;           /* use the slower parser for everything */
    int64_t declared_width; /* from the header, or 0 */
    int64_t declared_height;
} halo_cells_rle_state;

/* Reads from the first byte to the first run (rle_head.c). */
halo_status halo_cells_rle_head(halo_cells_reader *reader, halo_cells_rle_state *rle);

/* Parses runs of states 0 and 1 on one line of the text quickly, as far as they are certainly
 * valid; the rest, including errors, is left to the slower parser (rle_runs.c). `row` is
 * NULL, or a row of 1-bit cells in which live cells are set. No cell may lie beyond `limit`. */
void halo_cells_rle_runs(halo_source *source, halo_cells_rle_state *rle, uint64_t *row,
                         int64_t limit);

/* --- Live cells one by one (sparse.c), for Life 1.05 and 1.06 --- */

/* Stores a live cell; |x| and |y| are at most HALO_CELLS_PLACE_LIMIT. HALO_MEMORY. */
halo_status halo_cells_sparse_add(halo_cells_reader *reader, int64_t x, int64_t y);
/* After the last cell: sorts the cells, and sets size and position. HALO_FORMAT if they are too far
 * apart. */
halo_status halo_cells_sparse_settle(halo_cells_reader *reader);
halo_status halo_cells_sparse_rows(halo_cells_reader *reader, int64_t rows, void *out,
                                   size_t pitch);
void halo_cells_sparse_close(halo_cells_reader *reader);

/* --- Writing --- */

enum {
    HALO_CELLS_TOKENS = 128,    /* counts below this have their text prepared */
    HALO_CELLS_TOKEN_BYTES = 8, /* the text, padded; the last byte is its length */
};

struct halo_cells_writer {
    halo_cells_header header; /* its rule is stored in `rule` */
    const struct halo_cells_writer_kind *kind;
    char rule[HALO_CELLS_RULE_WRITTEN + 1];
    char generation[HALO_CELLS_GENERATION + 2]; /* in decimal digits */
    int64_t row;                                /* the next row to be added */
    int64_t ended_rows;                         /* ends of rows in RLE that are not written yet */
    int line;                                   /* bytes in the last line of the text */
    char tokens[2][HALO_CELLS_TOKENS][HALO_CELLS_TOKEN_BYTES]; /* of runs of dead and of live
                                                                * cells */
};

/* `begin` and `end` may be NULL. */
typedef struct halo_cells_writer_kind {
    halo_cells_format format;
    int max_states;
    halo_status (*begin)(halo_cells_writer *writer, halo_buffer *out);
    halo_status (*rows)(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                        const unsigned char *data, size_t pitch);
    halo_status (*end)(halo_cells_writer *writer, halo_buffer *out);
} halo_cells_writer_kind;

extern const halo_cells_writer_kind halo_cells_write_rle; /* write_rle.c */

#endif
