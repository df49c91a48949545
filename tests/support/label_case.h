#ifndef HALOBEAT_TESTS_LABEL_CASE_H
#define HALOBEAT_TESTS_LABEL_CASE_H

#include "kernels/label/label.h"
#include "support/label_truth.h"
#include "support/oracle.h"

/* A labelling under MPI, with all its results checked against the oracle. */

/* A labelling problem, the same on every rank; and this rank's fields. */
typedef struct {
    halo_world *world;
    const image *made;
    bool periodic;
    int grey_bits;        /* 0: no grey */
    int64_t *cuts;        /* of the rows: one part per rank, or per row of blocks */
    int columns;          /* blocks per row; 0 means 1 */
    int64_t *column_cuts; /* [columns + 1], if there is more than one */
    halo_label_options options;
    halo_domain domain;
    halo_partition partition;
    halo_field *foreground, *grey;
    char text[512];
} label_case;

/* Local. Random choices that do not change the regions, and random results to check. */
void label_case_choose(label_case *c, uint64_t *random);

/* Local. Sets the name of the case in messages. */
void label_case_name(label_case *c, const char *shape);

/* Local. The domain, the partition and this rank's fields, from `made`, `periodic`, `grey_bits` and
 * all cuts. */
void label_case_make_fields(label_case *c);
void label_case_free_fields(label_case *c);

/* Local. Foreground pixels and grey values of this rank's part. */
void label_case_fill(const label_case *c);

/* Local. Replaces the filled fields by transposed ones, if the label takes these. */
void label_case_transpose(label_case *c, const halo_label *label);

/* Collective. One run with a label created for the case: checks the number of regions, the table,
 * all kinds of painting, beats and the messages of their votes. */
void label_case_run(const label_case *c, halo_label *label, const oracle *flood);

/* Collective. As label_case_run, with the pixels already in the fields. */
void label_case_run_filled(const label_case *c, halo_label *label, const oracle *flood);

/* Local. The expected painted value of a pixel (row * width + column). */
int64_t label_case_pixel(const label_case *c, const label_truth *truth, halo_label_paint as,
                         int64_t pixel);

/* Collective. All of the above with a label of its own. Returns the number of beats. */
int64_t label_case_check(label_case *c, const char *shape, const oracle *flood);

#endif
