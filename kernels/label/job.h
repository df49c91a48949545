#ifndef HALOBEAT_LABEL_JOB_H
#define HALOBEAT_LABEL_JOB_H

#include "kernels/label/label.h"
#include "kernels/label/line.h"
#include "kernels/label/strip.h"

/* One labelling, as its methods see it. Internal to the label kernel. */
typedef struct label_job {
    halo_world *world;
    halo_domain domain;
    halo_partition partition; /* one part per rank */
    /* Axes of volumes: planes, rows and columns. An image of two axes is one plane. */
    int64_t n[HALO_AXES];
    bool periodic[HALO_AXES];
    label_line lines[HALO_AXES]; /* ours along each */
    int order;                   /* of neighbours, see label_input */
    halo_label_near near;        /* what else neighbours need to belong together */
    const char *vote;
    const char *exchange, *corner_way, *packing; /* of methods that exchange halos */
    halo_async_options async;                    /* of a method without rounds, */
    halo_async_report async_report;              /* and what it took */
    struct halo_balancing *balancing;
    int64_t later;                      /* bytes that painting takes */
    const halo_view *foreground, *grey; /* of the current run */
    label_strip strip;
    /* The regions that components from strip.representatives on belong to, which begin in other
     * strips or with another component of this one: [strip.class_count - strip.representatives] */
    int64_t *keys;
    int64_t key_room;
    halo_loop *loop;
    halo_beat_report *report; /* the loop's */
} label_job;

/* Local. Copies `partition`, which is valid. `near` is ALIKE afterwards. HALO_ARGUMENT for sides
 * that are too long for blocks, HALO_MEMORY. */
halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const label_row_ops *ops, int order);

/* Local. Label by this partition from now on; it is copied. HALO_MEMORY, after which nothing but
 * cutting again or freeing may follow. */
halo_status label_job_cut(label_job *job, const halo_partition *partition);

/* Collective, once all ranks have created theirs. Errors as in halo_loop_create. */
halo_status label_job_connect(label_job *job);

/* Local. Accepts a zeroed job. */
void label_job_free(label_job *job);

/* Local. Start a run. */
void label_job_begin(label_job *job, const halo_view *foreground, const halo_view *grey);

/* Local. The foreground pixels as the strip wants them. */
label_input label_job_input(const label_job *job);

/* Local. Has the strip no neighbours at all? */
bool label_job_is_alone(const label_job *job);

/* Local. The domain's axis that is planes (0), rows (1) or columns (2); of two axes, planes are the
 * one that the domain does not use. */
static inline int label_job_axis(const halo_domain *domain, int axis)
{
    return (axis + domain->axes) % HALO_AXES;
}

/* Local, the same on all ranks. Are components of different ranks joined along an axis (planes,
 * rows, columns)? A strip joins its own ends where it and all later axes are whole. */
bool label_job_joins(const label_job *job, int axis);

/* Local, the same on all ranks. Do blocks lie side by side, so that raster order goes from one to
 * the other in every row, or in every plane? */
static inline bool label_job_interleaves(const label_job *job)
{
    return job->lines[2].count > 1 || (job->lines[1].count > 1 && job->n[0] > 1);
}

/* Local. Pixels along borders have 32-bit numbers. HALO_ARGUMENT, and what to do, where that is too
 * little. */
halo_status label_job_check_sides(const label_job *job);

/* Local, the same on all ranks. Is the image so large that what labelling it takes is asked for?
 * Smaller ones are labelled in less time than that. */
bool label_job_is_large(const label_job *job);

/* What a rank has set aside, but not touched. */
typedef struct {
    int64_t before; /* bytes that it held (halo_memory_held) when it began to */
    int64_t later;  /* bytes that it will set aside */
    bool counts;    /* the tables of runs are among it */
} label_room;

/* Collective. Of large images: has every host memory for that? HALO_MEMORY naming `what`. */
halo_status label_job_ask(const label_job *job, const label_room *room, const char *what);

/* Local. Who owns a pixel, or a key: whose strip or block it lies in. */
int label_job_owner(const label_job *job, int64_t pixel);

/* Collective over the ranks of two groups of a line, which have different parts in a round: see
 * label_line_round. What is sent is counted in the report. */
halo_status label_job_sendrecv(label_job *job, const label_line *line, const label_round *round,
                               const halo_message *out, const halo_message *in);

/* Collective. Finish the strip. `roots` are the roots of `count` components of the strip and `keys`
 * the keys of their regions; all others represent their own. */
halo_status label_job_finish(label_job *job, const int32_t *roots, const int64_t *keys,
                             int64_t count);

#endif
