#include "app/options/values.h"

#include "app/paths/planes.h"
#include "base/filename_pattern.h"
#include "base/names.h"
#include "base/standard.h"
#include "io/array/array_write.h"

#include <stdio.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------ */

int app_scan_sizes(const char **text, int64_t max, int count, int64_t *out)
{
    int found = 0;
    while (found < count && halo_scan_integer(text, 1, max, &out[found])) {
        found++;
        if (**text != 'x') {
            return found;
        }
        ++*text;
    }
    return 0;
}

halo_status app_parse_pattern(const char *text, void *into)
{
    return halo_filename_parse(into, text);
}

const char *app_behind_name(const char *text, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ':')) {
        return NULL;
    }
    return text + length + (text[length] == ':');
}

static const char axis_names[] = "xyz";

int app_scan_axes(const char *text)
{
    int axes = 0;
    do {
        const char *name = *text != '\0' ? strchr(axis_names, *text) : NULL;
        int axis = name != NULL ? 1 << (name - axis_names) : 0;
        if (axis == 0 || (axes & axis) != 0) {
            return -1;
        }
        axes |= axis;
        text++;
    } while (*text++ == ',');
    return text[-1] == '\0' ? axes : -1;
}

void app_print_periodic(const halo_domain *domain, const char *between, char text[APP_AXES_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int axis = 0; axis < domain->axes; axis++) {
        if (domain->periodic[axis]) {
            used += (size_t)snprintf(text + used, APP_AXES_TEXT - used, "%s%c",
                                     used > 0 ? between : "", axis_names[domain->axes - 1 - axis]);
        }
    }
}

bool app_is_file_name(const char *text)
{
    return halo_is_standard(text) ||
           (strpbrk(text, "./") != NULL && strspn(text, "+-.,0123456789eE ") < strlen(text));
}

/* A layer in the folder of an image has no ending of its own. */
static bool has_ending(const char *path, const char *endings)
{
    const char *ending = NULL;
    path = halo_name_layer(path) > 0 ? "x.ome.zarr" : path;
    for (size_t n; (n = halo_list_next(endings, &ending)) > 0;) {
        if (halo_name_ends_by(path, halo_name_file(path), ending, n)) {
            return true;
        }
    }
    return endings == NULL;
}

/* ---- values of rows -------------------------------------------------------------------------- */

void app_option_name(const halo_option *row, char name[APP_OPTION_NAME])
{
    bool argument = (row->flags & APP_ARGUMENT) != 0;
    snprintf(name, APP_OPTION_NAME, "%s%s", argument ? "" : "--", row->name);
}

/* Standard output in the first of an option's formats: "-" has no ending that says which. */
static halo_status take_standard(const halo_option *row, void *field)
{
    static const char *const names[] = {"-.csv", "-.flo", "-.gif", "-.json", "-.mha",
                                        "-.npy", "-.pgm", "-.png", "-.raw",  "-.rle",
                                        "-.svg", "-.tif", "-.txt"};
    const char *ending = NULL;
    size_t length = halo_list_next(row->choices, &ending);
    if ((row->flags & APP_STREAM) != 0 && length == 0) {
        return HALO_OK;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (length > 0 && strncmp(names[i] + 1, ending, length) == 0 &&
            names[i][1 + length] == '\0') {
            return halo_option_take(row, names[i], field);
        }
    }
    return HALO_ARGUMENT;
}

/* Standard output as an array format that is several files, such as "-.mhd". */
static bool is_several_on_standard_output(const char *text)
{
    return halo_is_standard(text) && halo_array_is_several(text);
}

/* Frames for standard output, in formats that no other files of the command have. */
static bool are_frames(const halo_option *row, const char *text)
{
    return (row->flags & APP_FRAMES) != 0 &&
           (strcmp(text, "-.ppm") == 0 || strcmp(text, "-.y4m") == 0);
}

/* The file of an output: its ending says the format. */
static halo_status take_output(const halo_option *row, const char *text, void *field)
{
    bool standard = strcmp(text, "-") == 0;
    bool folder = (row->flags & APP_NUMBERED) != 0 && app_planes_in_folder(text);
    bool array = has_ending(text, row->choices);
    if (are_frames(row, text)) {
        return halo_option_take(row, text, field);
    }
    if (is_several_on_standard_output(text) || (!standard && !folder && !array) ||
        (row->choices != NULL && array && halo_array_check_name(text) != HALO_OK)) {
        return HALO_ARGUMENT;
    }
    HALO_TRY(halo_option_take(row, text, field));
    return standard ? take_standard(row, field) : HALO_OK;
}

static halo_status refuse_output(const halo_option *row, const char *name, const char *text)
{
    halo_option with_folder = *row;
    char taken[HALO_OPTION_TAKEN], numbered[HALO_OPTION_TAKEN + sizeof ", or FOLDER/"];
    halo_option_taken(row, taken);
    snprintf(numbered, sizeof numbered, "%s%s", taken,
             (row->flags & APP_NUMBERED) != 0 && row->takes == NULL ? ", or FOLDER/" : "");
    with_folder.takes = numbered;
    return halo_option_refuse(&with_folder, name, text);
}

static halo_status refuse(const halo_option *row, const char *text)
{
    char name[APP_OPTION_NAME];
    app_option_name(row, name);
    if (row->type != HALO_OPTION_OUTPUT) {
        return halo_option_refuse(row, name, text);
    }
    HALO_FAIL_IF(is_several_on_standard_output(text), HALO_ARGUMENT,
                 "%s %.200s: this format is several files, and standard output is one; use -.npy, "
                 "-.tif or -.mha",
                 name, text);
    return halo_array_check_name(text) != HALO_OK ? HALO_ARGUMENT : refuse_output(row, name, text);
}

halo_status app_value_parse(const halo_option *row, const char *text, void *field)
{
    bool output = row->type == HALO_OPTION_OUTPUT;
    halo_status status =
        output ? take_output(row, text, field) : halo_option_take(row, text, field);
    return status != HALO_ARGUMENT ? status : refuse(row, text);
}
