#include "partition/balance/options.h"

#include "base/memory.h"
#include "base/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "m, alpha", for a message. */
static void list_names(const halo_balance_option *options, char names[128])
{
    size_t used = 0;
    names[0] = '\0';
    for (; options->name != NULL && used < 128; options++) {
        int written =
            snprintf(names + used, 128 - used, "%s%s", used > 0 ? ", " : "", options->name);
        used += written > 0 ? (size_t)written : 0;
    }
}

static const halo_balance_option *find(const halo_balance_option *options, const char *text,
                                       size_t length)
{
    for (; options->name != NULL; options++) {
        if (strlen(options->name) == length && strncmp(options->name, text, length) == 0) {
            return options;
        }
    }
    return NULL;
}

static void set_value(void *state, const halo_balance_option *option, double value)
{
    memcpy((char *)state + option->offset, &value, sizeof value);
}

static halo_status read_one(void *state, const char *balancer, const char *text, int length,
                            const halo_balance_option *options)
{
    const char *equals = memchr(text, '=', (size_t)length);
    size_t name = equals != NULL ? (size_t)(equals - text) : (size_t)length;
    const halo_balance_option *option = find(options, text, name);
    if (option == NULL) {
        char names[128];
        list_names(options, names);
        return halo_fail(HALO_ARGUMENT, "balancer %s has no option '%.*s'; it has %s", balancer,
                         (int)name, text, names[0] != '\0' ? names : "none");
    }
    const char *number = equals != NULL ? equals + 1 : "";
    double value;
    if (!halo_scan_number(&number, option->min, option->max, &value) || number != text + length ||
        (option->whole && value != floor(value))) {
        return halo_fail(HALO_ARGUMENT,
                         "balancer %s: '%.*s' is not %s=N with N a %snumber from %g to %g",
                         balancer, length, text, option->name, option->whole ? "whole " : "",
                         option->min, option->max);
    }
    set_value(state, option, value);
    return HALO_OK;
}

static halo_status read_all(void *state, const char *balancer, const char *text,
                            const halo_balance_option *options)
{
    if (text == NULL || text[0] == '\0') {
        return HALO_OK;
    }
    if (strlen(text) > 200) {
        return halo_fail(HALO_ARGUMENT, "balancer %s: options of %zu characters; at most 200",
                         balancer, strlen(text));
    }
    for (const char *next = text; next != NULL;) {
        const char *comma = strchr(next, ',');
        size_t length = comma != NULL ? (size_t)(comma - next) : strlen(next);
        HALO_TRY(read_one(state, balancer, next, (int)length, options));
        next = comma != NULL ? comma + 1 : NULL;
    }
    return HALO_OK;
}

halo_status halo_balance_state_create(void **state, size_t bytes, const char *balancer,
                                      const halo_balance_option *options, const char *text)
{
    unsigned char *made;
    *state = NULL;
    HALO_TRY(HALO_ALLOCATE(made, bytes, "balancer %s", balancer));
    for (const halo_balance_option *option = options; option->name != NULL; option++) {
        set_value(made, option, option->standard);
    }
    halo_status status = read_all(made, balancer, text, options);
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
