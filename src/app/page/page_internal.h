#ifndef HALOBEAT_APP_PAGE_PAGE_INTERNAL_H
#define HALOBEAT_APP_PAGE_PAGE_INTERNAL_H

#include "app/frame.h"
#include "app/page/page.h"
#include "base/memory.h"

#include <stdarg.h>

/* What the files of this folder share. Everything is local, on rank 0. */

enum { PAGE_SECTIONS = 12 };

/* A page that is being written. After the first failure nothing more is added. */
typedef struct {
    halo_buffer text;
    halo_status status;
    const app_run *run;
    const app_page *from;
    int64_t picture_bytes; /* embedded so far */
    int sections;
    const char *section[PAGE_SECTIONS][2]; /* anchors and headings of those that there are */
} page;

/* ---- text.c: HTML ---------------------------------------------------------------------------- */

/* Append HTML as it is, or by printf's rules, cut at 2047 bytes. */
void page_put(page *p, const char *html);
void page_printf(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append text: what HTML gives a meaning to is escaped, here and in values of attributes; control
 * characters, and bytes that are no UTF-8, become question marks. NULL is nothing. */
void page_text(page *p, const char *text);

/* The same between HTML: `before` TEXT `after`. */
void page_text_in(page *p, const char *before, const char *text, const char *after);

/* Append bytes in base64 (RFC 4648), for a data: URI. */
void page_base64(page *p, const void *data, size_t bytes);

/* A value of the JSON as it is written there, without quotes of text; "-" for null and NULL. A new
 * string, or NULL for want of memory. */
char *page_value(const json_t *value);

/* The beginning of an option's help, which says what it is. */
enum { PAGE_BRIEF = 120 };
void page_brief(const char *help, char text[PAGE_BRIEF]);

/* Begin and end a section under this heading; both are constants. */
void page_begin(page *p, const char *id, const char *heading);
void page_end(page *p);

/* ---- tables.c -------------------------------------------------------------------------------- */

enum { PAGE_KEY = 160 };

/* The key of what has this key within what stands under `before`, which may be empty. */
void page_join_key(char out[PAGE_KEY], const char *before, const char *key);

/* An element of this tag that shows the value, which stands in the JSON under the key. */
void page_put_value(page *p, const char *tag, const char *key, const json_t *value);

/* A cell of a table: a <td> of this column, whose row has the number `number` in the array that
 * stands in the JSON under the key `rows`, or "" for the JSON itself; NULL: it is not in it. */
void page_cell(page *p, const app_column *column, const json_t *row, const char *rows,
               int64_t number);

/* Titles of columns: a <thead>. */
void page_titles(page *p, const app_column *columns);

/* How many of a table's rows are shown, unless all are. */
void page_put_share(page *p, size_t shown, size_t count);

/* A table of `rows`, an array; `key` as in page_cell. Of long ones the first 1000 rows. */
void page_listing(page *p, const app_listing *listing, const json_t *rows, const char *key);

/* ---- asked.c, result.c, figures.c ------------------------------------------------------------ */

/* What was asked for; and options that were not given. */
void page_asked(page *p);
void page_defaults(page *p);

/* What there is to warn of, if anything; lines of the summary; its tables. */
void page_warnings(page *p);
void page_lines(page *p);
void page_listings(page *p);

/* All values of the JSON; and those of an object that stands in it under the key `before`. */
void page_figures(page *p);
void page_figures_of(page *p, const char *before, const json_t *facts);

/* ---- charts.c, boundaries.c ------------------------------------------------------------------ */

/* Where each rank's time went: bars, and the same as a table. */
void page_times(page *p);

/* Decisions of the balancer, and the boundaries over the beats. */
void page_boundaries(page *p);

/* ---- files.c, pictures.c --------------------------------------------------------------------- */

/* Pictures of the input and of all files that were written, and the list of files. */
void page_files(page *p);

/* The same of one image of many: those whose names come from the patterns of the outputs. */
void page_files_of_image(page *p, const char *image, int64_t number);

/* A picture of the file as a figure, `about` in its caption or NULL. Nothing if it cannot be shown.
 */
void page_picture(page *p, const char *path, const char *about, bool labels);

/* ---- csv.c ----------------------------------------------------------------------------------- */

/* The first rows of a table in a file; where its rows follow each other in time, columns as
 * charts. Nothing if it cannot be read. */
void page_csv(page *p, const char *path, const char *about);

/* ---- style.c --------------------------------------------------------------------------------- */

extern const char *const page_style[]; /* texts of one style sheet, ended by NULL */

#endif
