#include "partition/balance/options.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 200 /* characters of options */ };

static halo_status read_options(void *state, const char *balancer, const halo_option *options,
                                const char *text)
{
    char owner[LONGEST], pairs[LONGEST + 1];
    HALO_TRY(halo_options_set_defaults(options, state));
    if (text == NULL || text[0] == '\0') {
        return HALO_OK;
    }
    if (strlen(text) > LONGEST) {
        return halo_fail(HALO_ARGUMENT, "balancer %s: options of %zu characters; at most %d",
                         balancer, strlen(text), LONGEST);
    }
    snprintf(owner, sizeof owner, "balancer %s", balancer);
    strcpy(pairs, text); /* values are numbers: none of them points into it */
    return halo_options_read(options, state, owner, pairs);
}

halo_status halo_balance_state_create(void **state, size_t bytes, const char *balancer,
                                      const halo_option *options, const char *text)
{
    unsigned char *made;
    *state = NULL;
    HALO_TRY(HALO_ALLOCATE(made, bytes, "balancer %s", balancer));
    halo_status status = read_options(made, balancer, options, text);
    if (status != HALO_OK) {
        free(made);
        return status;
    }
    *state = made;
    return HALO_OK;
}

void halo_balance_state_destroy(void **state)
{
    free(*state);
    *state = NULL;
}
