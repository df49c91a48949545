#ifndef HALOBEAT_APP_PAGE_PAGE_H
#define HALOBEAT_APP_PAGE_PAGE_H

#include "app/facts.h"
#include "app/options.h"

/* --report: one self-contained HTML page about a run. It shows the options, the results, the
 * images, the time by phase, when and why cuts moved, and warnings. All numbers are those of
 * --json, which the page contains as data: an element with the attribute data-key shows the value
 * of that key, whose parts, including indices of arrays, are separated by points. */

struct app_run;

/* The input of a page; read on rank 0. */
typedef struct {
    const json_t *facts;          /* what --json writes: an object, or for many images an array of
                                   * objects */
    const json_t *others;         /* other values for lines and listings; or NULL */
    const app_line *const *lines; /* lists of the summary's lines, ended by NULL; or NULL */
    const app_listing *const *listings; /* lists of the summary's tables, ended by NULL; or NULL */
    const app_column *images;           /* columns of the table of many images; or NULL */
} app_page;

/* Collective. Writes the page of --report, if it was given. Images that cannot be read are left
 * out, with a note. HALO_FILE, HALO_MEMORY. */
halo_status app_page_write(struct app_run *run, const app_page *page);

#endif
