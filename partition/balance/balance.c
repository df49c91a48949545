#include "partition/balance/balance.h"

#include "base/names.h"
#include "partition/balance/decision.h"
#include "partition/balance/options.h"

#include <stdio.h>
#include <string.h>

static const halo_balancer *const balancers[] = {
#define HALO_BALANCER_ENTRY(name, by) &halo_balancer_##name,
    HALO_BALANCER_LIST(HALO_BALANCER_ENTRY)
#undef HALO_BALANCER_ENTRY
};

enum { BALANCERS = sizeof balancers / sizeof balancers[0] };

const halo_balancer *halo_balancer_at(int i)
{
    return i >= 0 && i < BALANCERS ? balancers[i] : NULL;
}

halo_status halo_balancer_parse(const halo_balancer **out, const char **options, const char *text)
{
#define BALANCER_NAME(name, by) #name,
    static const char *const names[] = {HALO_BALANCER_LIST(BALANCER_NAME)};
#undef BALANCER_NAME
    enum { NAME_SIZE = 32 };
    char name[NAME_SIZE];
    int found;
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : NAME_SIZE, text);
    HALO_TRY(halo_names_find("balancer", names, BALANCERS, name, &found));
    *out = balancers[found];
    *options = colon != NULL ? colon + 1 : NULL;
    return HALO_OK;
}

static halo_status none_create(void **state, const char *options)
{
    return halo_balance_state_create(state, 0, "none", NULL, options);
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
    .destroy = halo_balance_state_destroy,
    .plan = none_plan,
};
