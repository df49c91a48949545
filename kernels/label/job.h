#ifndef HALOBEAT_LABEL_JOB_H
#define HALOBEAT_LABEL_JOB_H

#include "core/vote.h"
#include "kernels/label/label.h"
#include "kernels/label/strip.h"

/* A component goes by a key that is the same on all ranks: its rank and the label of its first
 * run. Strips are in rank order and labels in raster order, so that the smallest key of a region
 * is that of its first pixel. */
static inline int64_t label_key(int rank, int64_t label)
{
    return (int64_t)rank << 32 | label;
}

static inline int label_key_rank(int64_t key)
{
    return (int)(key >> 32);
}

static inline int64_t label_key_label(int64_t key)
{
    return key & UINT32_MAX;
}

/* One labelling, as its methods see it. Internal to the label kernel. */
typedef struct {
    halo_world *world;
    halo_domain domain;
    int64_t *cuts; /* [ranks + 1] */
    bool diagonal;
    const char *vote_method;
    struct halo_balancing *balancing;
    halo_vote *vote;
    const halo_view *lit, *grey; /* of the current run */
    label_strip strip;
    /* The regions that components from strip.leads on belong to, which begin in other strips or
     * with another component of this one: [strip.class_count - strip.leads] */
    int64_t *keys;
    int64_t key_room;
    halo_label_report report;
} label_job;

/* Local. Copies `cuts`. HALO_MEMORY. */
halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const int64_t *cuts, const label_rows *rows, bool diagonal);

/* Collective, once all ranks have created theirs. `vote` as in halo_vote_create; it must outlive
 * the job. */
halo_status label_job_connect(label_job *job, const char *vote);

/* Local. Accepts a zeroed job. */
void label_job_free(label_job *job);

/* Local. Start a run. */
void label_job_begin(label_job *job, const halo_view *lit, const halo_view *grey);

/* Local. The lit pixels as the strip wants them. */
label_input label_job_input(const label_job *job);

/* Local. Has the strip no neighbours at all? */
bool label_job_is_alone(const label_job *job);

/* Collective. Finish the strip. `roots` are the roots of `count` components of the strip and `keys`
 * the keys of their regions; all other components lead their own. */
halo_status label_job_finish(label_job *job, const int32_t *roots, const int64_t *keys,
                             int64_t count);

/* Collective. The vote that ends a beat: how much changed, and whether all ranks are well. Returns
 * the agreed status. */
halo_status label_job_beat(label_job *job, int64_t changed, halo_status mine);

#endif
