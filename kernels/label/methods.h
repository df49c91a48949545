#ifndef HALOBEAT_LABEL_METHODS_H
#define HALOBEAT_LABEL_METHODS_H

#include "core/vote.h"
#include "kernels/label/label.h"
#include "kernels/label/strip.h"

/* One labelling, as its methods see it. Internal to the label kernel. */
typedef struct {
    halo_world *world;
    halo_domain domain;
    int64_t *cuts; /* [ranks + 1] */
    bool diagonal;
    const char *vote_method;
    halo_vote *vote;
    const halo_view *lit, *grey; /* of the current run */
    label_strip strip;
    int64_t
        *keys; /* [strip.class_count - strip.leads] the regions that components from `leads` on
                * belong to, see merge.h: they begin in other strips, or with another one here */
    int64_t key_room;
    halo_label_report report;
} label_job;

/* Local. Copies `cuts`. HALO_MEMORY. */
halo_status label_job_create(label_job *job, halo_world *world, const halo_domain *domain,
                             const int64_t *cuts, const label_rows *rows, bool diagonal);

/* Collective, once all ranks have created theirs. `vote` as in halo_vote_create. */
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

/* A method finishes job->strip and finds job->keys. Collective. */
typedef struct {
    const char *name;
    bool merges; /* regions are known only with their numbers, which is the last beat */
    halo_status (*run)(label_job *job);
} label_method;

/* Local. The method of that name (NULL means the first), or NULL. */
const label_method *label_method_find(const char *name);

#endif
