#include "kernels/motion/options.h"

#include "kernels/motion/match_ops.h"

#include <limits.h>
#include <string.h>

const halo_isa_variant motion_match_variants[] = HALO_ISA_VARIANTS(motion_match_ops, AVX512);

enum { MAX_RADIUS = 1024 };

static const char *const master_names[] = {
#define MASTER_NAME(code, name, help) #name,
    HALO_MASTER_METHOD_LIST(MASTER_NAME)
#undef MASTER_NAME
};

enum { METHODS = sizeof master_names / sizeof master_names[0] };

halo_master_method motion_options_method(const halo_motion_options *options)
{
    const char *name = options->balancer != NULL ? options->balancer : "none";
    int method = 0;
    while (method < METHODS && strcmp(master_names[method], name) != 0) {
        method++;
    }
    return (halo_master_method)method;
}

bool motion_options_fine(const halo_motion_options *options)
{
    return options->flow == NULL || strcmp(options->flow, "fine") == 0;
}

static halo_status check_domain(const halo_domain *domain, int cell_bits)
{
    if (domain->axes != 2 || domain->periodic[0] || domain->periodic[1] ||
        (cell_bits != 8 && cell_bits != 16)) {
        return halo_fail(HALO_ARGUMENT,
                         "frames of %d axes with cells of %d bits; use two axes, not periodic, and "
                         "8 or 16 bits",
                         domain->axes, cell_bits);
    }
    const int64_t max = INT_MAX / 16;
    if (domain->n[0] < 1 || domain->n[1] < 1) {
        return halo_fail(HALO_ARGUMENT, "frames of %lld x %lld pixels; use one at least",
                         (long long)domain->n[1], (long long)domain->n[0]);
    }
    if (domain->n[0] > max / domain->n[1]) {
        return halo_fail(HALO_ARGUMENT,
                         "frames of %lld x %lld pixels; every rank holds them whole, use %lld "
                         "pixels at most",
                         (long long)domain->n[1], (long long)domain->n[0], (long long)max);
    }
    return HALO_OK;
}

halo_status motion_options_check(const halo_motion_options *o, const halo_domain *domain,
                                 int cell_bits)
{
    HALO_TRY(check_domain(domain, cell_bits));
    if (o->clusters < 0 || o->clusters > domain->n[0] * domain->n[1]) {
        return halo_fail(HALO_ARGUMENT,
                         "%d clusters of a picture of %lld pixels; use at most as many",
                         o->clusters, (long long)(domain->n[0] * domain->n[1]));
    }
    if (o->radius < 0 || o->radius > MAX_RADIUS || (o->still && o->radius > 0)) {
        return halo_fail(HALO_ARGUMENT, "a radius of %d pixels%s; use 0 to %d", o->radius,
                         o->still ? " for what is to stand still" : "", MAX_RADIUS);
    }
    if ((int)motion_options_method(o) == METHODS) {
        return halo_fail(HALO_ARGUMENT, "unknown balancer \"%s\"; use none, lb1 or lb2",
                         o->balancer);
    }
    if (!motion_options_fine(o) && strcmp(o->flow, "cluster") != 0) {
        return halo_fail(HALO_ARGUMENT, "unknown flow \"%s\"; use fine or cluster", o->flow);
    }
    const halo_isa_variant *variant;
    return halo_isa_pick(&variant, motion_match_variants, o->instructions);
}

halo_motion_options motion_options_resolve(const halo_motion_options *o, const halo_domain *domain)
{
    enum { RADIUS = 64, CLUSTERS = 64, CLUSTER_BEATS = 20 };
    int64_t pixels = domain->n[0] * domain->n[1];
    halo_motion_options all = *o;
    all.clusters = o->clusters > 0 ? o->clusters : pixels < CLUSTERS ? (int)pixels : CLUSTERS;
    all.radius = o->radius > 0 || o->still ? o->radius : RADIUS;
    all.weight = o->weight > 0 || o->place_only ? o->weight : 1;
    all.cluster_beats = o->cluster_beats > 0 ? o->cluster_beats : CLUSTER_BEATS;
    all.flow = motion_options_fine(o) ? "fine" : "cluster";
    all.balancer = master_names[motion_options_method(o)];
    all.engine = all.instructions = NULL;
    return all;
}
