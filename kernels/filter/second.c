#include "kernels/filter/second.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

halo_status filter_parse_other(const char *text, void *into)
{
    filter_other *other = into;
    const char *at = text;
    bool number = halo_scan_exact(&at, -HUGE_VAL, HUGE_VAL, &other->number) && *at == '\0';
    other->name = number ? NULL : text;
    return *text != '\0' && (!number || isfinite(other->number.value)) ? HALO_OK : HALO_ARGUMENT;
}

halo_status filter_parse_image(const char *text, void *into)
{
    ((filter_other *)into)->name = text;
    return *text != '\0' ? HALO_OK : HALO_ARGUMENT;
}

static void print_shape(int axes, const int64_t n[HALO_AXES], char *text, size_t size)
{
    const int64_t *last = n + HALO_AXES - axes;
    if (axes == HALO_AXES) {
        snprintf(text, size, "%" PRId64 " planes of %" PRId64 " x %" PRId64 " pixels", n[0], n[2],
                 n[1]);
    } else if (axes == 2) {
        snprintf(text, size, "%" PRId64 " x %" PRId64 " pixels", last[1], last[0]);
    } else {
        snprintf(text, size, "%" PRId64 " elements", last[0]);
    }
}

halo_status filter_second_check(const filter_step *step)
{
    enum { SHAPE = 100 };
    const filter_second *second = &step->second;
    char own[SHAPE], wanted[SHAPE];
    if (second->row == NULL ||
        (second->axes == step->axes && memcmp(second->n, step->n, sizeof step->n) == 0)) {
        return HALO_OK;
    }
    print_shape(second->axes, second->n, own, sizeof own);
    print_shape(step->axes, step->n, wanted, sizeof wanted);
    return filter_refuse(step, "%.200s has %s, and the image %s; use one of the same shape",
                         second->name, own, wanted);
}

halo_status filter_second_check_known(const filter_step *step)
{
    return step->second.name == NULL || step->second.row != NULL
               ? HALO_OK
               : filter_refuse(step,
                               "there is no image \"%.200s\" here; files are read by "
                               "halobeat filter and --filter, and calls on arrays are given "
                               "the arrays",
                               step->second.name);
}
