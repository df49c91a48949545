#ifndef HALOBEAT_CLI_SYNTHETIC_OPTIONS_H
#define HALOBEAT_CLI_SYNTHETIC_OPTIONS_H

#include "app/common_options.h"
#include "app/decomposition_options.h"
#include "kernels/synthetic/synthetic.h"

/* What a user asked `halobeat synthetic` to do. Strings belong to argv. */

typedef struct {
    halo_synthetic_options synthetic;
    int64_t beats;
    cutting_arguments cutting; /* its decomposition and beats_per_exchange, which is never auto */
    common_arguments common;
} synthetic_arguments;

extern const app_syntax synthetic_syntax;

#endif
