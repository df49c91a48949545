#ifndef HALOBEAT_APP_PAGE_PAGE_INTERNAL_H
#define HALOBEAT_APP_PAGE_PAGE_INTERNAL_H

#include "app/image/scaled.h"
#include "app/page/page.h"
#include "app/run.h"
#include "base/memory.h"
#include "io/image/image_reader.h"

/* Internals of this folder. Everything is local, on rank 0. */

enum { PAGE_SECTIONS = 12 };

/* A page that is being written. After the first failure nothing more is added. */
typedef struct {
    halo_buffer text;
    halo_status status;
    const app_run *run;
    const app_page *from;
    int64_t picture_bytes; /* bytes of embedded images so far */
    int64_t pictures_left_out;
    int sections;
    const char *section[PAGE_SECTIONS][2]; /* anchors and headings of the sections so far */
} page;

/* ---- text.c: HTML ---------------------------------------------------------------------------- */

/* Appends HTML, as it is or formatted as by printf and cut at 2047 bytes. */
void page_put(page *p, const char *html);
void page_printf(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends text, with HTML's special characters escaped, as also needed in values of attributes;
 * control characters and bytes that are not UTF-8 become question marks. NULL: nothing. */
void page_text(page *p, const char *text);

/* Appends `before`, then escaped text, then `after`. */
void page_text_in(page *p, const char *before, const char *text, const char *after);

/* Appends bytes in base64 (RFC 4648), for a data: URI. */
void page_base64(page *p, const void *data, size_t bytes);

/* A JSON value as text, strings without quotes; "-" for null and NULL. Allocated for the caller;
 * NULL if there is no memory. */
char *page_value(const json_t *value);

/* The beginning of an option's help, up to what the option is, of four words or more. */
enum { PAGE_BRIEF = 160 };
void page_brief(const char *help, char text[PAGE_BRIEF]);

/* Begin and end a section with this heading; both are constant strings. */
void page_begin(page *p, const char *id, const char *heading);
void page_end(page *p);

/* ---- tables.c -------------------------------------------------------------------------------- */

enum { PAGE_KEY = 160 };

/* Joins the keys `before`, which may be empty, and `key`. */
void page_join_key(char out[PAGE_KEY], const char *before, const char *key);

/* Appends an element of this tag with a value, whose key in the JSON is `key`. */
void page_put_value(page *p, const char *tag, const char *key, const json_t *value);

/* Appends a table cell <td> of this column, for element `number` of the array whose key in the JSON
 * is `rows` ("" is the JSON itself; NULL: the row is not in the JSON). */
void page_cell(page *p, const app_column *column, const json_t *row, const char *rows,
               int64_t number);

/* Appends the title of a column, <th>, which may be parted behind underscores. */
void page_title(page *p, const char *title, bool number);

/* Appends the titles of columns, <thead>. */
void page_titles(page *p, const app_column *columns);

/* Appends the number of rows shown, unless all are. */
void page_put_share(page *p, size_t shown, size_t count);

/* Appends a table of `rows`, an array; `key` as in page_cell. Shows at most 1000 rows. */
void page_listing(page *p, const app_listing *listing, const json_t *rows, const char *key);

/* ---- asked.c, result.c, figures.c ------------------------------------------------------------ */

/* The options given; the options not given. */
void page_requested(page *p);
void page_defaults(page *p);

/* Warnings, if any; lines of the summary; its tables. */
void page_warnings(page *p);
void page_lines(page *p);
void page_listings(page *p);

/* All values of the JSON; the values of the object whose key in the JSON is `before`. */
void page_figures(page *p);
void page_figures_of(page *p, const char *before, const json_t *facts);

/* ---- images.c -------------------------------------------------------------------------------- */

/* The table of many images; what failed beyond its rows; each of the first images. */
void page_images(page *p);
void page_failed_images(page *p);
void page_each_image(page *p);

/* ---- charts.c, boundaries.c ------------------------------------------------------------------ */

/* The time of each rank by phase: bars and a table. */
void page_times(page *p);

/* Decisions of the balancer, and the cuts over the beats. */
void page_boundaries(page *p);

/* ---- files.c, pictures.c --------------------------------------------------------------------- */

/* The images of the input and of all files written, and the list of files. */
void page_files(page *p);

/* The same for one image of many, the file `image`, whose outputs are named by patterns. */
void page_files_of_image(page *p, const char *image, int64_t number);

/* Says how many pictures have been left out since the last call, if any. */
void page_put_left_out(page *p);

/* How a picture is shown: samples or the colours of labels, of one image or, smaller, of many; or a
 * chart, which has text, as wide as the page. */
typedef enum {
    PAGE_PICTURE,
    PAGE_LABELS,
    PAGE_PLOT,
    PAGE_THUMBNAIL,
    PAGE_THUMBNAIL_OF_LABELS
} page_kind;

/* The image in a file as a figure, with `about` (may be NULL) in its caption. Nothing if it cannot
 * be shown; if all pictures would take too many bytes, it is counted as left out. */
void page_picture(page *p, const char *path, const char *about, page_kind kind);

/* ---- shots.c ----------------------------------------------------------------------------------
 */

/* The section of pictures that the command has made for the page, if there are any. */
void page_shots(page *p);

/* ---- csv.c ----------------------------------------------------------------------------------- */

/* The first rows of a table in a file; if its rows are a time series, columns as charts. Nothing if
 * it cannot be read. */
void page_csv(page *p, const char *path, const char *about);

/* ---- style.c --------------------------------------------------------------------------------- */

extern const char *const page_style[]; /* strings of one style sheet, ended by NULL */

/* ---- images, scaled down (picture.c) ----------------------------------------------------------
 */

/* Local. Appends a scaled PNG. Errors as of app_scaled_read. */
halo_status page_picture_scale(const char *path, const halo_image_options *as, bool labels,
                               app_scaled *out, halo_buffer *png);

/* Local. Appends greys [height * width] as a PNG. HALO_MEMORY. */
halo_status page_picture_encode(int64_t width, int64_t height, const unsigned char *greys,
                                halo_buffer *png);

#endif
