#include "kernels/label/threshold/threshold_choice.h"

#include "base/scan.h"

#include <math.h>
#include <string.h>

/* Thresholds from text. */

bool threshold_take_bound(const char **text, threshold_bound *bound)
{
    enum { PERCENT = 100 };
    if (!halo_scan_exact(text, -HUGE_VAL, HUGE_VAL, &bound->number) ||
        !isfinite(bound->number.value)) {
        return false;
    }
    bound->percent = **text == '%';
    *text += bound->percent;
    return !bound->percent || (bound->number.value >= 0 && bound->number.value <= PERCENT);
}

/* Two values with `between` between them: the first ends where that begins, since a number may end
 * in a point. */
static bool take_two(const char *text, const char *between, threshold_kind kind,
                     threshold_choice *threshold)
{
    enum { NUMBER = 64 };
    char low[NUMBER];
    const char *found = strstr(text, between), *at = low;
    size_t length = found != NULL ? (size_t)(found - text) : NUMBER;
    if (length >= NUMBER) {
        return false;
    }
    memcpy(low, text, length);
    low[length] = '\0';
    threshold->kind = kind;
    text = found + strlen(between);
    return threshold_take_bound(&at, &threshold->low) && *at == '\0' &&
           threshold_take_bound(&text, &threshold->high) && *text == '\0';
}

halo_status threshold_parse(const char *text, void *into)
{
    threshold_choice *threshold = into;
    *threshold = (threshold_choice){.kind = THRESHOLD_OTSU};
    if (strcmp(text, "nonzero") == 0) {
        threshold->kind = THRESHOLD_NONZERO;
        return HALO_OK;
    }
    if (strcmp(text, "otsu") == 0 || take_two(text, "..", THRESHOLD_RANGE, threshold)) {
        return HALO_OK;
    }
    bool good = threshold_take_bound(&text, &threshold->low) && *text == '\0';
    threshold->kind = threshold->low.percent ? THRESHOLD_PERCENT : THRESHOLD_VALUE;
    return good ? HALO_OK : HALO_ARGUMENT;
}

halo_status threshold_parse_regions(const char *text, void *into)
{
    enum { MAX_RADIUS = 10000 };
    static const char name[] = "local:";
    threshold_choice *threshold = into;
    halo_local_threshold *local = &threshold->local;
    if (strncmp(text, name, strlen(name)) != 0) {
        return take_two(text, ",", THRESHOLD_HYSTERESIS, threshold) ? HALO_OK
                                                                    : threshold_parse(text, into);
    }
    *threshold = (threshold_choice){.kind = THRESHOLD_LOCAL};
    text += strlen(name);
    bool good = halo_scan_integer(&text, 1, MAX_RADIUS, &local->radius);
    if (good && *text == ':') {
        text++;
        good =
            halo_scan_number(&text, -HUGE_VAL, HUGE_VAL, &local->offset) && isfinite(local->offset);
    }
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}

const char *threshold_source(const threshold_choice *choice)
{
    static const char *const sources[] = {[THRESHOLD_OTSU] = "otsu",
                                          [THRESHOLD_NONZERO] = "nonzero",
                                          [THRESHOLD_VALUE] = "value",
                                          [THRESHOLD_PERCENT] = "percent",
                                          [THRESHOLD_RANGE] = "range",
                                          [THRESHOLD_LOCAL] = "local",
                                          [THRESHOLD_HYSTERESIS] = "hysteresis"};
    return sources[choice->kind];
}
