#include "io/places/places.h"

#include "base/names.h"
#include "base/scan.h"
#include "base/standard.h"
#include "base/text.h"
#include "core/world/collect.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns how many numbers there are; 0: these are none, or more than `room`. */
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

bool halo_places_is_list(const char *name)
{
    return halo_is_standard(name) || halo_name_ends(name, ".csv");
}

halo_status halo_places_add(halo_places *places, const char *text, bool file)
{
    if (places->path != NULL || (file && places->count > 0)) {
        return halo_fail(HALO_ARGUMENT,
                         "places are given one by one or in one file: leave out "
                         "\"%.100s\" or the others",
                         text);
    }
    if (file) {
        places->path = text;
        return HALO_OK;
    }
    if (places->count == HALO_PLACES) {
        return halo_fail(HALO_ARGUMENT,
                         "more than %d places in the arguments; put them into a CSV file, x,y on "
                         "each line, and name that",
                         HALO_PLACES);
    }
    int64_t room = HALO_AXES * HALO_PLACES - places->number_count;
    int64_t numbers = scan_numbers(text, places->numbers + places->number_count, room);
    for (int axes = 0; axes <= HALO_AXES; axes++) {
        places->odd[axes] = numbers != axes ? text : places->odd[axes];
    }
    places->number_count += numbers;
    places->count++;
    return numbers > 0 ? HALO_OK : HALO_FORMAT;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Describes a line of a file, for messages. */
static const char *line_of(int axes)
{
    return axes == 1   ? "a vertex, a number from 1 on"
           : axes == 2 ? "a column and a row from 0 on, such as 10,20"
                       : "a column, a row and a plane from 0 on, such as 10,20,5";
}

/* The column comes first in a text, and last in a place. */
static bool scan_place(const char *text, int axes, int64_t *place)
{
    bool good = true;
    for (int axis = axes - 1; axis >= 0 && good; axis--) {
        good = (axis == axes - 1 || *text++ == ',') &&
               halo_scan_integer(&text, 0, INT32_MAX, &place[axis]);
    }
    return good && *text == '\0';
}

static halo_status read_lines(FILE *file, const char *path, int axes, halo_buffer *places)
{
    halo_text_lines lines = {.file = file, .name = path};
    bool more = true;
    halo_status status;
    while ((status = halo_text_next_line(&lines, &more)) == HALO_OK && more) {
        int64_t place[HALO_AXES];
        bool head = lines.number == 1 && isalpha((unsigned char)lines.line[0]);
        if (head || lines.line[strspn(lines.line, " \t")] == '\0') {
            continue;
        }
        status = scan_place(lines.line, axes, place)
                     ? halo_buffer_append(places, place, (size_t)axes * sizeof *place)
                     : halo_fail(HALO_FORMAT,
                                 "\"%.300s\", line %" PRId64 ": this is no place; each line has %s",
                                 path, lines.number, line_of(axes));
        if (status != HALO_OK) {
            break;
        }
    }
    halo_text_free(&lines);
    return status;
}

static halo_status read_file(const char *path, int axes, halo_buffer *places)
{
    FILE *file = fopen(halo_is_standard(path) ? HALO_STANDARD_INPUT : path, "re");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", path, strerror(errno));
    }
    size_t before = places->size;
    halo_status status = read_lines(file, path, axes, places);
    fclose(file);
    return status != HALO_OK || places->size > before
               ? status
               : halo_fail(HALO_FORMAT, "\"%.300s\" has no place; give each line %s", path,
                           line_of(axes));
}

halo_status halo_places_list(const halo_places *places, int axes, halo_buffer *out)
{
    if (places->path != NULL) {
        return read_file(places->path, axes, out);
    }
    for (int64_t i = 0; i < places->number_count; i++) {
        int64_t at = i / axes * axes + axes - 1 - i % axes; /* arguments have the column first */
        HALO_TRY(halo_buffer_append(out, &places->numbers[at], sizeof places->numbers[at]));
    }
    return HALO_OK;
}

/* ---- for all ranks --------------------------------------------------------------------------- */

static halo_status check_cells(const halo_domain *domain, const char *what, const int64_t *places,
                               int64_t count)
{
    const int axes = domain->axes;
    const int64_t *n = domain->n + axes - 2; /* rows and columns */
    for (int64_t i = 0; i < count; i++) {
        const int64_t *place = places + i * axes + axes - 2;
        bool inside = place[0] < n[0] && place[1] < n[1];
        HALO_FAIL_IF(axes == 2 && !inside, HALO_ARGUMENT,
                     "the %s %" PRId64 ",%" PRId64 " lies outside: columns are 0 to %" PRId64
                     " and rows 0 to %" PRId64,
                     what, place[1], place[0], n[1] - 1, n[0] - 1);
        HALO_FAIL_IF(axes == HALO_AXES && (!inside || place[-1] >= n[-1]), HALO_ARGUMENT,
                     "the %s %" PRId64 ",%" PRId64 ",%" PRId64
                     " lies outside: columns are 0 to %" PRId64 ", rows 0 to %" PRId64
                     " and planes 0 to %" PRId64,
                     what, place[1], place[0], place[-1], n[1] - 1, n[0] - 1, n[-1] - 1);
    }
    return HALO_OK;
}

static halo_status check_vertices(const halo_domain *domain, const char *what, int64_t *vertices,
                                  int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t number = vertices[i]--;
        HALO_FAIL_IF(number < 1 || number > domain->n[0], HALO_ARGUMENT,
                     "there is no vertex %" PRId64
                     " for a %s: vertices of the graph are 1 to %" PRId64,
                     number, what, domain->n[0]);
    }
    return HALO_OK;
}

halo_status halo_places_read(halo_world *world, const halo_places *places,
                             const halo_domain *domain, const char *what, int64_t **out,
                             int64_t *count)
{
    halo_buffer list = {0};
    bool root = halo_world_rank(world) == 0;
    halo_status status = halo_bcast_buffer(
        world, root ? halo_places_list(places, domain->axes, &list) : HALO_OK, &list);
    *out = (void *)list.data;
    *count = (int64_t)(list.size / sizeof **out) / domain->axes;
    HALO_IF_OK(status, (domain->axes == 1 ? check_vertices(domain, what, *out, *count)
                                          : check_cells(domain, what, *out, *count)));
    return status;
}
