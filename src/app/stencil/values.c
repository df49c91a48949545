#include "app/stencil/values.h"

#include <string.h>

/* Names of axes, the last one first. */
static const char axis_names[] = "xyz";

error_t run_parse_size(const arguments_parse *parse, const char *text)
{
    run_arguments *into = parse->into;
    const char *end = text;
    int axes = 0;
    bool good = true;
    while (good && axes < HALO_AXES) {
        good = halo_scan_integer(&end, 1, INT32_MAX, &into->size[axes++]);
        if (*end != 'x') {
            break;
        }
        good = good && axes < HALO_AXES;
        end++;
    }
    into->axes = axes;
    for (int a = axes; a < HALO_AXES; a++) {
        into->size[a] = 1;
    }
    return good && *end == '\0'
               ? 0
               : arguments_complain(parse,
                                    "--size takes cells along 1 to 3 axes, each from 1 to "
                                    "2147483647, such as 1000x800 or 64x64x64, not \"%s\"",
                                    text);
}

/* Bit a: the axis called axis_names[a]; -1 for text that makes no sense. */
static int scan_periodic(const char *text)
{
    if (strcmp(text, "none") == 0) {
        return 0;
    }
    int axes = 0;
    for (;; text++) {
        const char *name = *text != '\0' ? strchr(axis_names, *text) : NULL;
        int axis = name != NULL ? 1 << (name - axis_names) : 0;
        if (axis == 0 || (axes & axis) != 0) {
            return -1;
        }
        axes |= axis;
        text++;
        if (*text != ',') {
            return *text == '\0' ? axes : -1;
        }
    }
}

error_t run_parse_periodic(const arguments_parse *parse, const char *text)
{
    run_arguments *into = parse->into;
    into->periodic = text;
    return strcmp(text, "all") == 0 || scan_periodic(text) >= 0
               ? 0
               : arguments_complain(parse,
                                    "--periodic takes none, all, or axes of x, y and z, such as "
                                    "x or y,x, not \"%s\"",
                                    text);
}

halo_status run_set_periodic(const char *text, halo_domain *domain)
{
    bool all = text != NULL && strcmp(text, "all") == 0;
    int named = text == NULL || all ? 0 : scan_periodic(text);
    for (int name = 0; name < HALO_AXES; name++) {
        int axis = domain->axes - 1 - name;
        bool periodic = (named >> name & 1) != 0;
        if (periodic && axis < 0) {
            return halo_fail(HALO_ARGUMENT,
                             "--periodic %s: there is no axis %c; a grid of %d %s has %s", text,
                             axis_names[name], domain->axes, domain->axes == 1 ? "axis" : "axes",
                             domain->axes == 1 ? "x" : "y and x");
        }
        if (axis >= 0) {
            domain->periodic[axis] = periodic || all;
        }
    }
    return HALO_OK;
}

error_t run_parse_output(const arguments_parse *parse, const char *path)
{
    static const char *const endings[] = {
#define OUTPUT_ENTRY(code, ending) ending,
        RUN_OUTPUT_LIST(OUTPUT_ENTRY)
#undef OUTPUT_ENTRY
    };
    run_arguments *into = parse->into;
    into->output = path;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (arguments_ends_with(path, endings[i])) {
            into->output_kind = (run_output_kind)i;
            return 0;
        }
    }
    return arguments_complain(parse, "-o takes a name ending in .npy or .png, not \"%s\"", path);
}
