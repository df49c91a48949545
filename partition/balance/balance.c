#include "partition/balance/balance.h"

#include "partition/balance/decision.h"
#include "partition/balance/options.h"

#include <string.h>

static const halo_balancer *const balancers[] = {
#define HALO_BALANCER_ENTRY(name) &halo_balancer_##name,
    HALO_BALANCER_LIST(HALO_BALANCER_ENTRY)
#undef HALO_BALANCER_ENTRY
};

enum { BALANCERS = sizeof balancers / sizeof balancers[0] };

const halo_balancer *halo_balancer_at(int i)
{
    return i >= 0 && i < BALANCERS ? balancers[i] : NULL;
}

const halo_balancer *halo_balancer_find(const char *name)
{
    for (int i = 0; i < BALANCERS; i++) {
        if (strcmp(balancers[i]->name, name) == 0) {
            return balancers[i];
        }
    }
    return NULL;
}

static halo_status none_create(void **state, const char *options)
{
    *state = NULL;
    return halo_balance_options_read("none", options, &(halo_balance_option){.name = NULL});
}

static void none_destroy(void **state)
{
    (void)state;
}

static halo_status none_plan(void *state, const halo_balance_input *input, int64_t *planned,
                             halo_decision *decision)
{
    (void)state;
    HALO_TRY(halo_balance_check(input));
    *decision = (halo_decision){0};
    halo_decision_keep(decision, HALO_REASON_NEVER, input, planned);
    return HALO_OK;
}

const halo_balancer halo_balancer_none = {
    .name = "none",
    .help = "boundaries stay where they are",
    .create = none_create,
    .destroy = none_destroy,
    .plan = none_plan,
};
