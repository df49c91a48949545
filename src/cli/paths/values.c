#include "app/options/values.h"
#include "base/names.h"
#include "base/standard.h"
#include "cli/paths/job.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* "X,Y", or vertices, "V" or "V,W,...". Returns how many numbers there are; 0: it is
 * neither, or there are more than `room`. */
static int64_t scan_numbers(const char *text, int64_t *numbers, int64_t room)
{
    int64_t count = 0;
    do {
        if (count == room || !halo_scan_integer(&text, 0, INT32_MAX, &numbers[count])) {
            return 0;
        }
        count++;
    } while (*text++ == ',');
    return text[-1] == '\0' ? count : 0;
}

halo_status paths_refuse_place(const char *option, const char *text)
{
    return halo_fail(HALO_ARGUMENT,
                     "%s takes a column and a row from 0 on, such as 10,20 (of a graph, vertices "
                     "from 1 on, such as 17), or the name of a file%s, not \"%.100s\"",
                     option,
                     strcmp(option, "--from") == 0 ? ", such as FILE.csv or FILE.png"
                                                   : " that ends in .csv",
                     text);
}

static halo_status parse_places(const char *text, paths_places *places, bool pictures)
{
    bool file = halo_is_standard(text) || halo_name_ends(text, ".csv") ||
                (pictures && app_is_file_name(text));
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    bool mixed = places->path != NULL || (file && places->count > 0);
    if (mixed) {
        return halo_fail(HALO_ARGUMENT,
                         "places are given one by one or in one file: leave out "
                         "\"%.100s\" or the others",
                         text);
    }
    if (file) {
        places->path = text;
        return HALO_OK;
    }
    if (places->count == PATHS_MAX_PLACES) {
        return halo_fail(HALO_ARGUMENT,
                         "more than %d places in the arguments; put them into a CSV file, x,y on "
                         "each line, and name that",
                         PATHS_MAX_PLACES);
    }
    int64_t room = 2 * PATHS_MAX_PLACES - places->number_count;
    int64_t numbers = scan_numbers(text, places->numbers + places->number_count, room);
    if (numbers == 0) {
        return paths_refuse_place(pictures ? "--from" : "--to", text);
    }
    places->odd = numbers != 2 ? text : places->odd;
    places->number_count += numbers;
    places->count++;
    return HALO_OK;
}

halo_status paths_parse_from(const char *text, void *into)
{
    return parse_places(text, into, true);
}

halo_status paths_parse_to(const char *text, void *into)
{
    return parse_places(text, into, false);
}

/* ---- costs ----------------------------------------------------------------------------------- */

halo_status paths_parse_barrier(const char *text, void *into)
{
    paths_barriers *barriers = into;
    if (strcmp(text, "nan") == 0) { /* as it always is */
        return HALO_OK;
    }
    if (strcmp(text, "negative") == 0) {
        barriers->negative = true;
        return HALO_OK;
    }
    double value;
    const char *end = text;
    if (!halo_scan_number(&end, -DBL_MAX, DBL_MAX, &value) || *end != '\0') {
        return halo_fail(HALO_ARGUMENT, "--barrier takes a number, nan or negative, not \"%.100s\"",
                         text);
    }
    if (barriers->count == PATHS_MAX_BARRIERS) {
        return halo_fail(HALO_ARGUMENT, "--barrier takes %d values at most; make them one value",
                         PATHS_MAX_BARRIERS);
    }
    barriers->values[barriers->count++] = value;
    return HALO_OK;
}

/* "SIDE" or "X,Y" */
halo_status paths_parse_cell_size(const char *text, void *into)
{
    static const double least = 1e-9, most = 1e9;
    paths_cell_size *size = into;
    bool good = halo_scan_number(&text, least, most, &size->along_x);
    size->along_y = size->along_x;
    if (good && *text == ',') {
        text++;
        good = halo_scan_number(&text, least, most, &size->along_y);
    }
    return good && *text == '\0' ? HALO_OK : HALO_ARGUMENT;
}
