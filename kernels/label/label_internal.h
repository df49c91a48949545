#ifndef HALOBEAT_LABEL_LABEL_INTERNAL_H
#define HALOBEAT_LABEL_LABEL_INTERNAL_H

#include "kernels/label/job.h"
#include "kernels/label/measure/contacts.h"
#include "kernels/label/measure/numbered.h"
#include "kernels/label/measure/regions.h"
#include "kernels/label/methods.h"
#include "kernels/label/paint/paint.h"

/* State of a label. */
struct halo_label {
    label_job job;
    halo_partition given;    /* partition in which pixels are given */
    halo_partition cut;      /* partition for labelling, unless strips have been balanced since */
    halo_clock distribution; /* times of distributing, for the report of the next run */
    int64_t later_a_region;  /* bytes that the caller will allocate */
    label_naming naming;
    bool scan;      /* seeds are painted as numbers 1 to n: see halo_label_paint_scan */
    bool measure;   /* regions are needed to number them, or */
    bool requested; /* were requested */
    const label_method *method;
    label_painter painter;
    int64_t *numbers;   /* [component_room] number of each component */
    halo_region *parts; /* [component_room] or NULL */
    int64_t component_room;
    halo_region *share; /* regions of a row of blocks, or NULL */
    label_count count;
};

/* True if paintings have the numbers 1 to n of regions that were measured. */
static inline bool label_has_numbers(const halo_label *label)
{
    return label->requested && (!label->naming.seeds || label->scan);
}

/* Local. On how many axes at once neighbours may differ, of 1 to 3 axes; a connectivity of 0 stands
 * for the fewest neighbours. HALO_ARGUMENT, with the remedy, for one that the axes do not have. */
halo_status label_find_order(int connectivity, int axes, int *order);

/* Local. HALO_ARGUMENT, with the remedy, for options that are not possible in the domain. */
halo_status label_check_options(const halo_label_options *options, const halo_domain *domain);

/* Collective. halo_label_run with values that `source` reads, because rows of `grey` are not
 * contiguous; NULL: they are. A label that reads values in this way measures no greys,
 * and is not transposed. */
halo_status label_run(halo_label *label, const halo_view *foreground, const halo_view *grey,
                      const label_value_source *source);

/* Sets whether pixels are given transposed. Local, the same on all ranks. */
void label_choose_transposed(halo_label *label, const halo_label_options *options);

/* Local. [ranks + 1] cuts of the first axis: planes of a volume, rows of an image. Owned by the
 * painting. */
const int64_t *label_painting_layers(const halo_label_painting *painting);

/* Which contacts are asked for. */
typedef struct {
    bool sides;   /* pairs of regions that share a side */
    bool corners; /* and pairs of regions that share a corner of pixels of one plane, with no faces
                   */
    /* Takes this pair of numbers, first < second? NULL: all. */
    bool (*takes)(const void *context, int64_t first, int64_t second);
    const void *context;
} label_contact_choice;

struct label_numbered;

/* Collective. The contacts of an image of numbers: *out [*count] is this rank's part of them, which
 * the caller frees with halo_memory_free. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status label_contacts_find(const struct label_numbered *image,
                                const label_contact_choice *choice, halo_contact **out,
                                int64_t *count);

/* Collective, after a run. As halo_label_contacts (kernels/label/measure/contacts.h), with any
 * numbering: numbers are then seeds plus 1. */
halo_status label_contacts_choose(halo_label *label, const label_contact_choice *choice,
                                  halo_contact **out, int64_t *count);

#endif
