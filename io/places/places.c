#include "io/places/places.h"

#include "base/scan.h"
#include "base/standard.h"
#include "base/text.h"

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
    int64_t room = 2 * HALO_PLACES - places->number_count;
    int64_t numbers = scan_numbers(text, places->numbers + places->number_count, room);
    places->odd = numbers != 2 ? text : places->odd;
    places->number_count += numbers;
    places->count++;
    return numbers > 0 ? HALO_OK : HALO_FORMAT;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool scan_place(const char *text, int axes, int64_t *place)
{
    bool good = halo_scan_integer(&text, 0, INT32_MAX, &place[axes - 1]);
    if (axes > 1) {
        good = good && *text++ == ',' && halo_scan_integer(&text, 0, INT32_MAX, &place[0]);
    }
    return good && *text == '\0';
}

static halo_status read_lines(FILE *file, const char *path, int axes, const char *line,
                              halo_buffer *places)
{
    halo_text_lines lines = {.file = file, .name = path};
    bool more = true;
    halo_status status;
    while ((status = halo_text_next_line(&lines, &more)) == HALO_OK && more) {
        int64_t place[2];
        bool head = lines.number == 1 && isalpha((unsigned char)lines.line[0]);
        if (head || lines.line[strspn(lines.line, " \t")] == '\0') {
            continue;
        }
        status = scan_place(lines.line, axes, place)
                     ? halo_buffer_append(places, place, (size_t)axes * sizeof *place)
                     : halo_fail(HALO_FORMAT,
                                 "\"%.300s\", line %" PRId64 ": this is no place; each line has %s",
                                 path, lines.number, line);
        if (status != HALO_OK) {
            break;
        }
    }
    halo_text_free(&lines);
    return status;
}

static halo_status read_file(const char *path, int axes, const char *line, halo_buffer *places)
{
    FILE *file = fopen(halo_is_standard(path) ? HALO_STANDARD_INPUT : path, "re");
    if (file == NULL) {
        return halo_fail(HALO_FILE, "\"%.300s\" cannot be read: %s", path, strerror(errno));
    }
    size_t before = places->size;
    halo_status status = read_lines(file, path, axes, line, places);
    fclose(file);
    return status != HALO_OK || places->size > before
               ? status
               : halo_fail(HALO_FORMAT, "\"%.300s\" has no place; give each line %s", path, line);
}

halo_status halo_places_list(const halo_places *places, int axes, const char *line,
                             halo_buffer *out)
{
    if (places->path != NULL) {
        return read_file(places->path, axes, line, out);
    }
    for (int64_t i = 0; i < places->number_count; i++) {
        int64_t at = axes == 1 ? i : i ^ 1; /* arguments have the column before the row */
        HALO_TRY(halo_buffer_append(out, &places->numbers[at], sizeof places->numbers[at]));
    }
    return HALO_OK;
}
