#ifndef HALOBEAT_IO_CELLS_CELLS_H
#define HALOBEAT_IO_CELLS_CELLS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Files with the cells of a grid: Life patterns, and images and arrays that serve as such. Read a
 * chunk of rows at a time; written the same way. Everything here is local: no MPI.
 *
 * A format is known by what stands in the file; only where that leaves a choice does the ending of
 * the name decide. Files other than PNG may be packed with gzip (.rle.gz).
 *
 * An array of nothing but 0 and 255 is a mask, as programs for images make them: its 255 is read as
 * a live cell of two states. So will be the array of a rule of 256 states whose cells happen to be
 * all dead or all in the last state; as RLE such cells keep their state. */

/* code, name (also the ending), what it is */
#define HALO_CELLS_FORMAT_LIST(X)                                              \
    X(RLE, rle, "runs of cells, as Golly and most programs write")             \
    X(CELLS, cells, "plain text: a dot for a dead cell, O for live")           \
    X(LIFE105, life105, "\"#Life 1.05\": blocks of cells, each at its place")  \
    X(LIFE106, life106, "\"#Life 1.06\": a line for each live cell")           \
    X(MACROCELL, macrocell, "\"[M2]\": Golly's quadtrees, .mc, of two states") \
    X(PNG, png, "a picture: pixels of at least half the range are alive")      \
    X(IMAGE, image, "the same in another format: TIFF, JPEG, PNM")             \
    X(NPY, npy, "a NumPy array of two axes: states, or all but 0 alive")

typedef enum {
#define HALO_CELLS_FORMAT_ENUM(code, name, help) HALO_CELLS_##code,
    HALO_CELLS_FORMAT_LIST(HALO_CELLS_FORMAT_ENUM)
#undef HALO_CELLS_FORMAT_ENUM
        HALO_CELLS_FORMATS
} halo_cells_format;

/* No axis of a file's cells may be longer. */
#define HALO_CELLS_AXIS_LIMIT ((int64_t)1 << 40)

/* No corner may lie further from (0, 0) than this, on either axis. */
#define HALO_CELLS_PLACE_LIMIT ((int64_t)1 << 61)

typedef struct {
    halo_cells_format format;
    int64_t width, height; /* cells; both 0 or more. Of the box that the file gives to its cells:
                            * RLE's header, or what the live cells need where they need more */
    const char *rule;      /* as the file says it, "" if it does not; with Golly's bounded grid,
                            * such as "B3/S23:T100,80" */
    bool placed;           /* the file says where its upper left cell lies: */
    int64_t x, y;          /* there; (0, 0) if it does not */
    int64_t generation;    /* that the file is said to be at; 0 or more */
    int states;    /* the largest state of a cell in the file + 1, at least 2, at most 256 */
    int cell_bits; /* of rows handed out: 1 if there are two states, otherwise 8 */
} halo_cells_info;

typedef struct halo_cells_reader halo_cells_reader;

/* Local. The name of a format, as in the list; NULL if there is none such. */
const char *halo_cells_format_name(halo_cells_format format);

/* Local. Bytes that one row of cells takes: the smallest pitch. With 1-bit cells a multiple of 8.
 */
size_t halo_cells_row_bytes(int64_t width, int cell_bits);

/* Local. Open `path`, find out its format, and check all of a text or an array and the beginning of
 * a picture: what is wrong in a text is known before there is a grid to put it in. Memory is a few
 * MiB and, for Life 1.05 and 1.06, 16 bytes a live cell; a text that comes from a pipe is held
 * whole, since it is read twice.
 *
 * HALO_FILE if it cannot be read; HALO_FORMAT, naming the file and, in a text, the line and column,
 * what stands there and what is allowed; HALO_MEMORY. */
halo_status halo_cells_reader_open(halo_cells_reader **out, const char *path);

/* Local. The same for `bytes` bytes in memory (not packed), which must stay there until the reader
 * is closed; `name` stands for the path in messages, and its ending for the path's. */
halo_status halo_cells_reader_open_memory(halo_cells_reader **out, const void *data, size_t bytes,
                                          const char *name);

/* Local. Valid until the reader is closed. */
const halo_cells_info *halo_cells_reader_info(const halo_cells_reader *reader);

/* Local. The next `rows` rows; row i goes to (char *)out + i * pitch, and takes
 * halo_cells_row_bytes bytes there. A cell is, by info->cell_bits:
 *   - 1: bit x % 64 of the native uint64_t word x / 64; bits past the width are zero. `out` is
 *     aligned to 8 bytes and `pitch` is a multiple of 8;
 *   - 8: a byte, with its state.
 * HALO_ARGUMENT for more rows than are left or an unfit pitch; HALO_FORMAT, HALO_FILE; after a
 * failure only close is of use. */
halo_status halo_cells_reader_rows(halo_cells_reader *reader, int64_t rows, void *out,
                                   size_t pitch);

/* Local. After the last row: check what follows (a picture's checksums). */
halo_status halo_cells_reader_finish(halo_cells_reader *reader);

/* Local. Accepts a pointer to NULL. */
void halo_cells_reader_close(halo_cells_reader **reader);

/* --- Writing --- */

/* Zero-initialise what does not matter. */
typedef struct {
    int64_t width, height; /* cells, 0 to HALO_CELLS_AXIS_LIMIT */
    const char *rule;      /* NULL or "" for none; no control characters, 200 bytes at most */
    bool placed;           /* write down where the upper left cell lies: */
    int64_t x, y;          /* there; at most HALO_CELLS_PLACE_LIMIT from 0 */
    int64_t generation;    /* 0 or more */
    int states;            /* 0 or 2: rows of 1-bit cells; 3 to 256: a byte a cell (RLE only) */
} halo_cells_header;

/* Text that grows in a buffer as rows come in; the same bytes however the rows are divided among
 * calls. */
typedef struct halo_cells_writer halo_cells_writer;

/* Local. A writer of HALO_CELLS_RLE (lines of at most 70 characters, as Golly's) or
 * HALO_CELLS_CELLS. Copies the header. HALO_ARGUMENT for another format, or a header that the
 * format cannot say, with what is allowed; HALO_MEMORY. */
halo_status halo_cells_writer_create(halo_cells_writer **out, halo_cells_format format,
                                     const halo_cells_header *header);

/* Local. Accepts a pointer to NULL. */
void halo_cells_writer_destroy(halo_cells_writer **writer);

/* Local. Append what stands before the cells. HALO_MEMORY. */
halo_status halo_cells_writer_begin(halo_cells_writer *writer, halo_buffer *out);

/* Local. Append the next `rows` rows, laid out as halo_cells_reader_rows does; bits past the width
 * must be zero. RLE keeps what it cannot write yet, and appends it later. HALO_ARGUMENT for more
 * rows than are left, an unfit pitch, or a state that the header does not allow; HALO_MEMORY. */
halo_status halo_cells_writer_rows(halo_cells_writer *writer, halo_buffer *out, int64_t rows,
                                   const void *data, size_t pitch);

/* Local. Append what stands after the cells. HALO_ARGUMENT if rows are missing; HALO_MEMORY. */
halo_status halo_cells_writer_end(halo_cells_writer *writer, halo_buffer *out);

#endif
