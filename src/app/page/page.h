#ifndef HALOBEAT_APP_PAGE_PAGE_H
#define HALOBEAT_APP_PAGE_PAGE_H

#include "app/facts.h"
#include "app/options.h"

/* --report: one HTML page about a run, which needs no other file and no network. It shows what was
 * asked for and what came of it, the pictures, where the time went, when boundaries moved and why,
 * and what there was to warn of. All figures are those of --json, which the page holds as data,
 * too: an element with the attribute data-key shows the value that is there under this key, parts
 * of which are separated by points, numbers of arrays among them. */

struct app_run;

/* What a page is made from; read on rank 0. */
typedef struct {
    const json_t *facts;  /* what --json writes: an object, or of many images an array of them */
    const json_t *others; /* what lines and listings need besides; or NULL */
    const app_line *const *lines;       /* lists of a summary's lines, ended by NULL; or NULL */
    const app_listing *const *listings; /* lists of its tables, ended by NULL; or NULL */
    const app_column *images;           /* of a table of many images; or NULL */
} app_page;

/* Collective. Write the page that --report asks for; nothing if it was not asked for. Pictures that
 * cannot be read back are left out, and the page says why. HALO_FILE, HALO_MEMORY. */
halo_status app_page_write(struct app_run *run, const app_page *page);

#endif
