#ifndef HALOBEAT_LABEL_JOB_H
#define HALOBEAT_LABEL_JOB_H

#include "kernels/label/label.h"
#include "kernels/label/merge/line.h"
#include "kernels/label/rows/strip.h"

/* The state of a labelling for its methods. Internal to the label kernel. */
typedef struct label_job {
    halo_world *world;
    halo_domain domain;
    halo_partition partition; /* one part per rank */
    /* Planes, rows and columns. An image of two axes is one plane. */
    int64_t n[HALO_AXES];
    bool periodic[HALO_AXES];
    label_line lines[HALO_AXES]; /* this rank's lines along each axis */
    int order;                   /* of neighbours, see label_input */
    bool transposed;             /* pixels are: fields have the axes row_axis and column_axis, */
    int row_axis, column_axis;   /* as in label_input */
    halo_label_near near;        /* further conditions on neighbours */
    const char *vote;
    const char *exchange, *corner_way, *packing; /* for methods that exchange halos */
    halo_async_options async;                    /* for a method without rounds */
    halo_async_report async_report;              /* its report */
    struct halo_balancing *balancing;
    int64_t later;                      /* bytes that painting will allocate */
    const halo_view *foreground, *grey; /* of the current run */
    const label_value_source *source;   /* of the current run; or NULL: see label_input */
    label_strip strip;
    /* Keys of the regions of components from strip.representatives on, which begin in other strips
     * or with another component of this one: [strip.class_count - strip.representatives] */
    int64_t *keys;
    int64_t key_room;
    void *merging; /* [merge_room] bytes: the buffers of label_merge, kept for the next run */
    size_t merge_room;
    halo_loop *loop;
    halo_beat_report *report; /* the loop's report */
} label_job;

/* Local. Copies `partition`, which is valid; `near` is HALO_LABEL_NONE at first. HALO_ARGUMENT for
 * blocks with sides that are too long, HALO_MEMORY. */
halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const label_row_ops *ops, int order);

/* Local. Sets the partition for labelling, which is copied. After HALO_MEMORY only another cut or
 * freeing may follow. */
halo_status label_job_cut(label_job *job, const halo_partition *partition);

/* Collective, after all ranks have created their jobs. Errors as of halo_loop_create. */
halo_status label_job_connect(label_job *job);

/* Local. Accepts a zeroed job. */
void label_job_free(label_job *job);

/* Local. Begins a run. */
void label_job_begin(label_job *job, const halo_view *foreground, const halo_view *grey,
                     const label_value_source *source);

/* Local. The foreground pixels as input of the strip. */
label_input label_job_input(const label_job *job);

/* Local. True if the strip has no neighbours. */
bool label_job_is_alone(const label_job *job);

/* Local. The domain's axis for planes (0), rows (1) or columns (2); in two axes, planes are the
 * axis that the domain does not use. */
static inline int label_job_axis(const halo_domain *domain, int axis)
{
    return (axis + domain->axes) % HALO_AXES;
}

/* Local, the same on all ranks. True if components of different ranks are joined along an axis
 * (planes, rows, columns). A strip joins its own ends if it covers this and all later axes. */
bool label_job_joins(const label_job *job, int axis);

/* Local, the same on all ranks. True if blocks are side by side, so that raster order alternates
 * between them in every row, or in every plane. */
static inline bool label_job_interleaves(const label_job *job)
{
    return job->lines[2].count > 1 || (job->lines[1].count > 1 && job->n[0] > 1);
}

/* Local. HALO_ARGUMENT, with a remedy, if pixels along borders do not fit 32-bit numbers. */
halo_status label_job_check_sides(const label_job *job);

/* Local, the same on all ranks. True if the image is so large that memory is checked before
 * labelling; smaller images are labelled in less time than that takes. */
bool label_job_is_large(const label_job *job);

/* Memory that a rank has allocated but not touched. */
typedef struct {
    int64_t before; /* bytes held (halo_memory_held) before */
    int64_t later;  /* bytes that it will allocate */
    bool counts;    /* this includes the tables of runs */
} label_room;

/* Collective. For large images: HALO_MEMORY, with `what`, unless every host has memory for that. */
halo_status label_job_ask(const label_job *job, const label_room *room, const char *what);

/* Local. The rank that owns a pixel, or a key. */
int label_job_owner(const label_job *job, int64_t pixel);

/* Collective over the ranks of two groups of a line that meet in a round (label_line_round). Counts
 * in the report what it sends. */
halo_status label_job_sendrecv(label_job *job, const label_line *line, const label_round *round,
                               const halo_message *out, const halo_message *in);

/* Collective. Finishes the strip. `roots` are the roots of the `count` components of the strip
 * whose regions begin with another component, here or elsewhere, and `keys` the keys of these
 * regions. HALO_MEMORY. */
halo_status label_job_finish(label_job *job, const int32_t *roots, const int64_t *keys,
                             int64_t count);

#endif
