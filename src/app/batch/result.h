#ifndef HALOBEAT_APP_BATCH_RESULT_H
#define HALOBEAT_APP_BATCH_RESULT_H

#include "app/batch/stamp.h"
#include "base/memory.h"

#include <jansson.h>

/* The result of an image as bytes: what its task sends to rank 0 and what a journal keeps. All
 * functions are local. */

/* A later run compares this with the image's files, to see whether the image is still done. */
typedef struct {
    batch_stamp stamp;           /* of the files it was read from, if there is a journal */
    int64_t first_plane, planes; /* numbers of outputs of one file per plane; 0: none are */
} batch_origin;

typedef struct {
    batch_origin origin;
    const char *facts; /* [facts_size] JSON on one line, ended by a 0 byte */
    size_t facts_size;
    const char *rows; /* [rows_size] tables that all images share, each behind its size */
    size_t rows_size;
} batch_parts;

/* Appends a result to `out`; `facts` may be NULL. HALO_MEMORY. */
halo_status batch_result_pack(halo_buffer *out, const batch_origin *origin, const json_t *facts,
                              const halo_buffer *rows);

/* Finds the parts of a result in `data`, where they stay. False unless it is one of an image with
 * `tables` shared tables: a journal may be damaged or forged. */
bool batch_result_split(const void *data, size_t bytes, int tables, batch_parts *out);

/* True if the facts of a result are a JSON object. Only those from a journal need this test: it
 * takes a twentieth of the time of a small image. */
bool batch_result_has_facts(const batch_parts *parts);

/* Table `number` of a result's rows, which batch_result_split has accepted: its text, [*bytes]. */
const char *batch_result_table(const char *rows, int number, size_t *bytes);

#endif
