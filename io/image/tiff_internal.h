#ifndef HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H
#define HALOBEAT_IO_IMAGE_TIFF_INTERNAL_H

#include "io/image/axes.h"

#ifdef HALOBEAT_TIFF

#include "io/library/tiff.h"

#include <stdarg.h>

enum { TIFF_ERROR_BYTES = 160, TIFF_PALETTE = 256 };

/* Properties that all pages of a volume share. */
typedef struct {
    uint32_t width, height;
    uint16_t bits, channels, format, planar, photometric, compression;
    uint32_t band_rows;  /* rows of a strip, or of a row of tiles */
    uint32_t tile_width; /* 0: strips */
} tiff_page;

/* The tag StripByteCounts of a page as it is in the file; bytes 0: it has none. */
typedef struct {
    int64_t begin, count; /* offset of the first one, and their number */
    int bytes;            /* of each */
} tiff_sizes;
/* A directory of the file. */
typedef struct {
    uint64_t offset;
    tiff_page page;
    bool extra; /* it says that it is a smaller copy of another one, or a mask */
} tiff_directory;

typedef struct {
    TIFF *tiff;
    char error[TIFF_ERROR_BYTES];   /* libtiff's first message */
    char warning[TIFF_ERROR_BYTES]; /* its first one, while samples are decoded, of harmless
                                     * damage; or "" */
    bool decodes;
    const char *bad_tag;         /* a tag that says nothing of samples, and that was left out */
    tiff_directory *directories; /* [directory_count] in the order of the file */
    int64_t directory_count;
    int64_t *pages;    /* [planes] directories of the pages that are read */
    char *description; /* of the first page */
    tiff_page page;
    uint8_t palette[TIFF_PALETTE][3];
    bool inverted;       /* 0 is white */
    bool in_place;       /* libtiff returns samples in the form needed */
    bool contiguous;     /* all planes are contiguous, as ImageJ writes them: read as raw samples */
    unsigned char *band; /* [planes of samples][band_rows][band_pitch] */
    size_t band_pitch, band_bytes;
    unsigned char *tile;
    size_t tile_pitch, tile_bytes;
    int64_t at_page, at_band; /* current page and band; -1: none */
    bool packed;              /* the current page is compressed */
    tiff_sizes sizes;         /* of the current page */
} tiff_state;

/* ---- opening, and messages (tiff_open.c) ----------------------------------------------------- */

/* Local. Opens the file: sets state->tiff. HALO_FORMAT, HALO_MEMORY. */
halo_status halo_tiff_open_file(halo_image_reader *reader);

/* Local. The error for a file that ends or fails at this row. */
halo_status halo_tiff_fail(const halo_image_reader *reader, int64_t row);

/* Local. Warns of a tag that was left out, once the directories are read. */
void halo_tiff_warn_of_tag(halo_image_reader *reader);

/* Local. Takes libtiff's warnings, of which `context` is the state. */
int halo_tiff_take_warning(TIFF *tiff, void *context, const char *module, const char *format,
                           va_list values);

/* ---- samples (tiff_rows.c, tiff_parts.c) ----------------------------------------------------- */

/* Local. Allocates the buffers. HALO_FORMAT for bands larger than the file can be. */
halo_status halo_tiff_prepare(halo_image_reader *reader);

/* Local. Selects a page. */
halo_status halo_tiff_set_page(halo_image_reader *reader, int64_t page);

/* Local. The `rows` function of the format. */
halo_status halo_tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                           size_t pitch);

/* Local. Looks for the sizes of the current page's strips: sets state->sizes. */
void halo_tiff_find_sizes(halo_image_reader *reader);

/* Local. True if strip or tile `part` of the current page is not in the file. */
bool halo_tiff_is_missing(const tiff_state *state, uint32_t part);

/* Local. Reads strip or tile `part` of the current page: `bytes` bytes, in rows of `pitch`. One
 * that is missing is full of GDAL's value for that, or of zeros. `row` is the number of its first
 * row, for messages. HALO_FORMAT for parts that are damaged, short or beyond the end of the file.
 */
halo_status halo_tiff_read_part(halo_image_reader *reader, uint32_t part, int64_t row,
                                unsigned char *out, size_t pitch, size_t bytes);

/* Local. Properties of libtiff's current directory. */
tiff_page halo_tiff_page_of(TIFF *tiff);

/* ---- pages and axes (tiff_pages.c) ----------------------------------------------------------- */

/* Local. Lists the directories of the file. HALO_FORMAT, HALO_MEMORY. */
halo_status halo_tiff_list(halo_image_reader *reader);

/* Pages that belong together. */
typedef struct {
    halo_image_axes axes; /* of the pages, the slowest first; behind them those of a page */
    int of_pages;         /* the number of the former; -1: every page is an image of its own */
    int64_t images;       /* of all pages, behind each other in one directory, as ImageJ writes them
                           * beyond 4 GiB; 0: each page has its directory */
    bool ome;
    int64_t series; /* of OME: the image of the description */
} tiff_series;

/* Local. Chooses the pages that are read: sets state->pages and state->page. *series says what they
 * are; *planes, and *part of series->axes, are what is read. HALO_FORMAT, HALO_ARGUMENT,
 * HALO_MEMORY. */
halo_status halo_tiff_choose(halo_image_reader *reader, tiff_series *series, halo_image_part *part,
                             int64_t *planes);

/* Local. Makes this directory libtiff's current one, and its page state->page. */
halo_status halo_tiff_use_page(halo_image_reader *reader, int64_t directory);

/* Local. Adds rows, columns and samples of state->page to the axes. */
halo_status halo_tiff_add_page_axes(halo_image_reader *reader, halo_image_axes *axes);

/* ---- descriptions (tiff_axes.c) -------------------------------------------------------------- */

/* Local. Sets state->description to that of the current page, if it has one. HALO_MEMORY. */
halo_status halo_tiff_keep_description(halo_image_reader *reader);

/* Local. Sets *series from the description of the first page, if ImageJ, OME or tifffile says there
 * what the pages are; otherwise of_pages is -1. HALO_FORMAT, HALO_ARGUMENT. */
halo_status halo_tiff_describe(halo_image_reader *reader, tiff_series *series);

/* Local. The same for a description in OME-XML (tiff_ome.c), whose first page is the current one.
 */
halo_status halo_tiff_describe_ome(halo_image_reader *reader, tiff_series *series);

/* Local. Sets `pages` [count] to the directories of planes `first` + i * `step` of an OME-TIFF's
 * series, numbered in the order of its pages, for i from 0 to `count` - 1. HALO_FORMAT
 * for planes in other files, and if there are more than directories. */
halo_status halo_tiff_find_planes(const halo_image_reader *reader, const tiff_series *series,
                                  int64_t first, int64_t step, int64_t count, int64_t *pages);

/* ---- samples that stand for no data (tiff_nodata.c) ------------------------------------------ */

/* Local. GDAL's text about missing samples of the current page, in `text` [size]; NULL: it has
 * none. */
const char *halo_tiff_nodata_text(const tiff_state *state, char *text, size_t size);

/* Local. Says it of the image (halo_image_say_nodata), whose samples and palette are known. The
 * palette may get another colour for a pixel without data, so that no other one has it. */
void halo_tiff_say_nodata(halo_image_reader *reader);

/* Local. HALO_FORMAT if the current page, plane `plane`, says that another value is no data. */
halo_status halo_tiff_check_nodata(const halo_image_reader *reader, int64_t plane);

/* ---------------------------------------------------------------------------------------------- */

/* Local. Sets info.geometry and info.geotiff from the current page. */
void halo_tiff_read_geometry(halo_image_reader *reader);

#endif

#endif
