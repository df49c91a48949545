#ifndef HALOBEAT_IO_CELLS_CELLS_H
#define HALOBEAT_IO_CELLS_CELLS_H

#include "base/memory.h"
#include "io/image/image_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files of cells: Life patterns, and images and arrays used as such. They are read and written in
 * chunks of rows. Everything here is local: no messages.
 *
 * The format is recognised by the content; the file name's ending decides only where the content
 * leaves a choice. Files other than PNG may be compressed by gzip (.rle.gz).
 *
 * An array that has only the values 0 and 255 is a mask, as image programs write them: 255 is read
 * as a live cell of two states. This also happens to an array of a rule with 256 states whose cells
 * are all dead or all in the last state; in RLE such cells keep their state. */

/* code, name (also the ending), description */
#define HALO_CELLS_FORMAT_LIST(X)                                              \
    X(RLE, rle, "runs of cells, as Golly and most programs write")             \
    X(CELLS, cells, "plain text: a dot for a dead cell, O for live")           \
    X(LIFE105, life105, "\"#Life 1.05\": blocks of cells, each at its place")  \
    X(LIFE106, life106, "\"#Life 1.06\": a line for each live cell")           \
    X(MACROCELL, macrocell, "\"[M2]\": Golly's quadtrees, .mc, of two states") \
    X(PNG, png, "a picture: pixels of at least half the range are alive")      \
    X(IMAGE, image, "the same in another format: TIFF, JPEG, PNM")             \
    X(NPY, npy, "a NumPy array of two axes: states, or all but 0 alive")       \
    X(ARRAY, array, "the same in another format: NRRD, NIfTI, HDF5, zarr")

typedef enum {
#define HALO_CELLS_FORMAT_ENUM(code, name, help) HALO_CELLS_##code,
    HALO_CELLS_FORMAT_LIST(HALO_CELLS_FORMAT_ENUM)
#undef HALO_CELLS_FORMAT_ENUM
        HALO_CELLS_FORMATS
} halo_cells_format;

/* Maximum length of an axis of the cells in a file. */
#define HALO_CELLS_AXIS_LIMIT ((int64_t)1 << 40)

/* Maximum distance of a corner from (0, 0) on either axis. */
#define HALO_CELLS_PLACE_LIMIT ((int64_t)1 << 61)

enum { HALO_CELLS_GENERATION = 120 }; /* maximum digits of a generation */

typedef struct {
    halo_cells_format format;
    int64_t width, height; /* cells, 0 or more, of the file's bounding box: the size in an RLE
                            * header, or of the box around the live cells where that is larger */
    const char *rule;      /* as in the file, "" if the file has none; includes Golly's bounded
                            * grid, such as "B3/S23:T100,80" */
    bool placed;           /* true if the file has the position of its upper left cell */
    int64_t x, y;          /* that position; otherwise (0, 0) */
    int64_t generation;    /* the generation in the file; 0 or more */
    char earlier[HALO_CELLS_GENERATION + 1]; /* a generation of 2^63 or more, in decimal digits;
                                              * `generation` is then 0. Otherwise "" */
    int states;    /* the maximum state of a cell in the file + 1, 2 to 256 */
    int cell_bits; /* bits per cell of the rows: 1 with two states, otherwise 8 */
} halo_cells_info;

typedef struct halo_cells_reader halo_cells_reader;

/* Local. The name of a format; NULL for an unknown format. */
const char *halo_cells_format_name(halo_cells_format format);

/* Local. The format of texts that the ending of a file's name says, also before .gz;
 * HALO_CELLS_FORMATS for none. */
halo_cells_format halo_cells_format_of(const char *path);

/* Local. Bytes of a row of cells: the minimum pitch. A multiple of 8 for cells of 1 bit. */
size_t halo_cells_row_bytes(int64_t width, int cell_bits);

/* How a picture is read. Zero-initialise it: 0 means the default. */
typedef struct {
    halo_image_choices choices; /* the part of it, which only pictures have; strings must outlive
                                 * the call */
    bool as_stored;             /* whatever orientation the file asks for */
} halo_cells_options;

/* Local. Opens `path`, recognises its format, and checks all of a text or an array, or the
 * beginning of a PNG: errors in a text are found before there is a grid. `options` may be NULL. The
 * caller closes the reader. Memory is a few MiB and, for Life 1.05 and 1.06, 16 bytes per live
 * cell; a text from a pipe is held in memory, since it is read twice.
 *
 * HALO_FILE if it cannot be read; HALO_FORMAT, with the file name and, in a text, the line and
 * column, what was found and what is allowed; HALO_MEMORY. */
halo_status halo_cells_reader_open_sized(halo_cells_reader **out, const char *path,
                                         const halo_cells_options *options, size_t options_bytes);
#define halo_cells_reader_open(...) \
    halo_cells_reader_open_sized(__VA_ARGS__, sizeof(halo_cells_options))

/* Local. As halo_cells_reader_open, for `bytes` bytes in memory (not compressed), which must stay
 * valid until the reader is closed; `name` is used in messages, and its ending as that of a
 * path. It is for programs that have patterns in them, or get them from a network or an archive. */
halo_status halo_cells_reader_open_memory(halo_cells_reader **out, const void *data, size_t bytes,
                                          const char *name);

/* Local. Owned by the reader, valid until it is closed. */
const halo_cells_info *halo_cells_reader_info(const halo_cells_reader *reader);

/* Local. Reads the next `rows` rows; row i is written to (char *)out + i * pitch,
 * halo_cells_row_bytes bytes. A cell is, by info->cell_bits:
 * - 1: bit x % 64 of the native uint64_t word x / 64; bits past the width are 0. `out` is aligned
 *   to 8 bytes and `pitch` is a multiple of 8.
 * - 8: a byte with the state.
 *
 * HALO_ARGUMENT for more rows than are left or an invalid pitch; HALO_FORMAT, HALO_FILE. After a
 * failure the reader can only be closed. */
halo_status halo_cells_reader_rows(halo_cells_reader *reader, int64_t rows, void *out,
                                   size_t pitch);

/* Local. Checks what follows the last row (checksums of a PNG). HALO_FORMAT, HALO_FILE. */
halo_status halo_cells_reader_finish(halo_cells_reader *reader);

/* Local. After halo_cells_reader_finish: a defect of a picture that does no harm to its pixels, in
 * words (halo_image_reader_warning); "" without one. */
const char *halo_cells_reader_warning(const halo_cells_reader *reader);

/* Local. Closes the reader and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_cells_reader_close(halo_cells_reader **reader);

/* --- Writing --- */

/* Options of the file to write. Zero-initialise it: 0 means the default. */
typedef struct {
    int64_t width, height; /* cells, 0 to HALO_CELLS_AXIS_LIMIT */
    const char *rule;      /* NULL or "" for none; no control characters, 200 bytes at most */
    bool placed;           /* write the position of the upper left cell */
    int64_t x, y;          /* that position; magnitude at most HALO_CELLS_PLACE_LIMIT */
    int64_t generation;    /* 0 or more */
    int states;            /* 0 or 2: rows of 1-bit cells; 3 to 256: a byte per cell (RLE only) */
    const char *earlier;   /* decimal digits of a number that is added to `generation`, or NULL */
} halo_cells_header;

/* A writer that appends text to a buffer as rows come in. The bytes do not depend on how rows are
 * divided among calls. */
typedef struct halo_cells_writer halo_cells_writer;

/* Local. Creates a writer of HALO_CELLS_RLE (lines of at most 70 characters, as in Golly) or
 * HALO_CELLS_CELLS; the caller destroys it. The header is copied. HALO_ARGUMENT, with what is
 * allowed, for another format or a header that the format cannot represent; HALO_MEMORY. */
halo_status halo_cells_writer_create(halo_cells_writer **out, halo_cells_format format,
                                     const halo_cells_header *header);

/* Local. Frees the writer and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_cells_writer_destroy(halo_cells_writer **writer);

/* Local. Appends the text before the cells. HALO_MEMORY. */
halo_status halo_cells_writer_begin(halo_cells_writer *writer, halo_buffer *out);

/* Local. Appends the next `rows` rows, in the layout of halo_cells_reader_rows; bits past the width
 * must be 0. RLE holds back runs that are not complete yet. HALO_ARGUMENT for more rows than are
 * left, an invalid pitch, or a state that the header does not allow; HALO_MEMORY. */
halo_status halo_cells_writer_rows(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                                   const void *data, size_t pitch);

/* Local. Appends the text after the cells. HALO_ARGUMENT if rows are missing; HALO_MEMORY. */
halo_status halo_cells_writer_end(halo_cells_writer *writer, halo_buffer *out);

#endif
