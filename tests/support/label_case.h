#ifndef HALOBEAT_TESTS_LABEL_CASE_H
#define HALOBEAT_TESTS_LABEL_CASE_H

#include "kernels/label/label.h"
#include "support/label_truth.h"
#include "support/oracle.h"

/* One labelling under MPI, checked against the oracle in everything it tells. */

/* What is labelled and how, the same on every rank; and this rank's fields. */
typedef struct {
    halo_world *world;
    const image *made;
    bool periodic;
    int grey_bits;        /* 0: no grey */
    int64_t *cuts;        /* of the rows: one part per rank, or per row of blocks */
    int columns;          /* blocks side by side; 0 is 1 */
    int64_t *column_cuts; /* [columns + 1], if there is more than one */
    halo_label_options options;
    halo_domain domain;
    halo_partition partition;
    halo_field *foreground, *grey;
    char text[512];
} label_case;

/* Local. Choose at random whatever changes nothing about the regions, and what is asked about them.
 */
void label_case_choose(label_case *c, uint64_t *random);

/* Local. What messages call the case. */
void label_case_name(label_case *c, const char *shape);

/* Local. The domain, the partition and this rank's fields, from `made`, `periodic`, `grey_bits` and
 * all cuts. */
void label_case_make_fields(label_case *c);
void label_case_free_fields(label_case *c);

/* Local. Lit pixels and grey values of this rank's part. */
void label_case_fill(const label_case *c);

/* Collective. One run with a label that was made for the case: number of regions, the table, every
 * kind of painting, beats and the messages of their votes. */
void label_case_run(const label_case *c, halo_label *label, const oracle *flood);

/* Collective. The same with the pixels that the fields have. */
void label_case_run_filled(const label_case *c, halo_label *label, const oracle *flood);

/* Local. What a pixel (row * width + column) is to be painted as. */
int64_t label_case_pixel(const label_case *c, const label_truth *truth, halo_label_paint as,
                         int64_t pixel);

/* Collective. All of the above with a label of its own. Returns the beats that it took. */
int64_t label_case_check(label_case *c, const char *shape, const oracle *flood);

#endif
