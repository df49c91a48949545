#include "kernels/motion/options.h"

#include "base/names.h"
#include "kernels/motion/match_ops.h"

#include <limits.h>

const halo_isa_variant motion_match_variants[] = HALO_ISA_VARIANTS(motion_match_ops, AVX512);

enum { MAX_RADIUS = 1024 };

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
    if (o->radius < 0 || o->radius > MAX_RADIUS || (o->zero_radius && o->radius > 0)) {
        return halo_fail(HALO_ARGUMENT, "a radius of %d pixels%s; use 0 to %d", o->radius,
                         o->zero_radius ? " for what is to stand still" : "", MAX_RADIUS);
    }
    return HALO_OK;
}

static const char *const flows[] = {HALO_MOTION_FLOW_LIST(HALO_NAME)};

halo_status motion_options_choose(motion_choices *out, const halo_motion_options *o)
{
    int flow;
    HALO_TRY(halo_share_method_find(&out->method, o->balancer));
    HALO_TRY(halo_names_find("flow", flows, HALO_NAMES_COUNT(flows), o->flow, &flow));
    out->fine = flow == 0;
    return halo_isa_pick(&out->variant, motion_match_variants, o->instructions);
}

halo_motion_options motion_options_resolve(const halo_motion_options *o, const halo_domain *domain,
                                           const motion_choices *chosen)
{
    enum { RADIUS = 64, CLUSTERS = 64, CLUSTER_BEATS = 20 };
    int64_t pixels = domain->n[0] * domain->n[1];
    halo_motion_options all = *o;
    all.clusters = o->clusters > 0 ? o->clusters : pixels < CLUSTERS ? (int)pixels : CLUSTERS;
    all.radius = o->radius > 0 || o->zero_radius ? o->radius : RADIUS;
    all.weight = o->weight > 0 || o->place_only ? o->weight : 1;
    all.cluster_beats = o->cluster_beats > 0 ? o->cluster_beats : CLUSTER_BEATS;
    all.flow = flows[chosen->fine ? 0 : 1];
    all.balancer = halo_share_method_name(chosen->method);
    all.engine = all.instructions = NULL;
    return all;
}
