#ifndef HALOBEAT_LABEL_METHODS_H
#define HALOBEAT_LABEL_METHODS_H

#include "kernels/label/job.h"

/* The methods of labelling; internal to the label kernel. A method finishes job->strip and sets
 * job->keys. Collective. */
typedef struct {
    const char *name;
    bool merges; /* regions are known only with their numbers, after the last beat */
    int fields;  /* number of 64-bit fields while it runs */
    halo_status (*run)(label_job *job);
} label_method;

/* Local. Finds a method by name; NULL means the first. HALO_ARGUMENT. */
halo_status label_method_find(const label_method **out, const char *name);

#endif
