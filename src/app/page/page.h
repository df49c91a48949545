#ifndef HALOBEAT_APP_PAGE_PAGE_H
#define HALOBEAT_APP_PAGE_PAGE_H

#include "app/options/options.h"
#include "app/report/facts.h"
#include "app/services/service.h"

/* --report: one self-contained HTML page about a run. It shows the options, the results, the
 * images, the time by phase, when and why cuts moved, and warnings. All numbers are those of
 * --json, which the page contains as data: an element with the attribute data-key shows the value
 * of that key, whose parts, including indices of arrays, are separated by points. Of very many
 * images the page has the first PAGE_IMAGES, and names and messages of others that failed. */

enum { PAGE_IMAGES = 1000 };

/* The service: it writes the page, if --report was given. Images that cannot be read are left out,
 * with a note. Failures are HALO_FILE and HALO_MEMORY. */
extern const app_service app_page_service;

/* The input of a page; read on rank 0. */
typedef struct app_page {
    const json_t *facts;          /* what --json writes: an object, or for many images an array of
                                   * objects, of at most the first PAGE_IMAGES */
    const json_t *others;         /* other values for lines and listings; or NULL */
    const app_line *const *lines; /* lists of the summary's lines, ended by NULL; or NULL */
    const app_listing *const *listings; /* lists of the summary's tables, ended by NULL; or NULL */
    const app_column *images;           /* columns of the table of many images; or NULL */
    const char *const *names;           /* [facts] files of many images */
    const int64_t *numbers;             /* [facts] and the numbers by which outputs are named */
    int64_t count, failed;              /* of many images: all, and those that failed */
    bool stopped;                       /* many images, by a signal */
} app_page;

/* A picture for the page that is in no file, with the histogram of its samples. */
typedef struct app_shot {
    const char *title, *about; /* of its caption */
    int64_t width, height;
    const unsigned char *greys; /* [height * width] */
    int bins;                   /* 0: there is no histogram */
    const double *counts;       /* [bins] samples from black to white */
    const char *black, *white;  /* the samples that these are */
} app_shot;

typedef struct app_shots {
    const char *heading, *note; /* of their section */
    int count;
    const app_shot *list; /* [count] */
} app_shots;

#endif
