#ifndef HALOBEAT_LABEL_METHODS_H
#define HALOBEAT_LABEL_METHODS_H

#include "kernels/label/job.h"

/* The ways to label; internal to the label kernel. A method finishes job->strip and finds
 * job->keys. Collective. */
typedef struct {
    const char *name;
    bool merges; /* regions are known only with their numbers, which is the last beat */
    int fields;  /* of 64 bits a pixel, while it runs */
    halo_status (*run)(label_job *job);
} label_method;

/* Local. The method of that name; NULL means the first. HALO_ARGUMENT. */
halo_status label_method_find(const label_method **out, const char *name);

#endif
