#define _GNU_SOURCE /* memrchr */
#include "app/batch/names.h"

#include "base/filename_pattern.h"
#include "base/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The part of a path that a place stands for: `length` characters, returned. */
typedef const char *part(const char *path, int64_t number, size_t *length);

enum { NUMBER_SIZE = 24 };

/* Of FILE.h5:/PATH/IN/IT, that of the file; of a folder, without the slash at its end. */
static size_t length_of(const char *path)
{
    size_t length = halo_name_file(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return length;
}

static const char *base_of(const char *path, size_t length)
{
    const char *slash = memrchr(path, '/', length);
    return slash != NULL && slash + 1 < path + length ? slash + 1 : path;
}

static const char *name_part(const char *path, int64_t number, size_t *length)
{
    size_t whole = length_of(path);
    const char *base = base_of(path, whole), *end = path + whole;
    const char *dot = memrchr(base, '.', (size_t)(end - base));
    (void)number;
    *length = (size_t)((dot != NULL && dot > base ? dot : end) - base);
    return base;
}

static const char *folder_part(const char *path, int64_t number, size_t *length)
{
    const char *base = base_of(path, length_of(path));
    (void)number;
    if (base == path) {
        *length = 1;
        return ".";
    }
    *length = base - path > 1 ? (size_t)(base - path) - 1 : 1; /* of the root, its slash */
    return path;
}

static const char *number_part(const char *path, int64_t number, size_t *length)
{
    static _Thread_local char text[NUMBER_SIZE];
    (void)path;
    *length = (size_t)snprintf(text, sizeof text, "%06" PRId64, number + 1);
    return text;
}

static const struct {
    const char *place;
    part *print;
    bool lies_in_path;
} places[] = {
    {"{name}", name_part, true}, {"{dir}", folder_part, false}, {"{number}", number_part, false}};

enum { PLACES = sizeof places / sizeof places[0] };

/* The place that begins there, or -1. */
static int place_at(const char *text)
{
    for (int i = 0; *text == '{' && i < PLACES; i++) {
        if (strncmp(text, places[i].place, strlen(places[i].place)) == 0) {
            return i;
        }
    }
    return -1;
}

bool batch_name_varies(const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        if (place_at(text) >= 0) {
            return true;
        }
    }
    return false;
}

halo_status batch_name_check(const char *text)
{
    for (const char *at = strchr(text, '{'); at != NULL; at = strchr(at + 1, '{')) {
        size_t inside = strcspn(at, "}");
        if (at[inside] == '}' && place_at(at) < 0) {
            return halo_fail(HALO_ARGUMENT,
                             "\"%.300s\": there is no %.*s in names of outputs; use {name}, {dir} "
                             "or {number}",
                             text, (int)inside + 1, at);
        }
    }
    return HALO_OK;
}

typedef struct {
    char *out; /* [BATCH_NAME_SIZE] */
    size_t used;
    bool fits;
} printed;

static void print(printed *to, const char *text, size_t length)
{
    to->fits = to->fits && to->used + length < BATCH_NAME_SIZE;
    if (to->fits) {
        memcpy(to->out + to->used, text, length);
        to->used += length;
    }
}

/* Of slices that are named by a pattern the place for their number is left out: with it the output
 * would be a file a plane. */
static void print_part(printed *to, const char *path, const char *text, size_t length)
{
    filename_pattern slices;
    bool numbered = filename_pattern_parse(&slices, path) == HALO_OK && slices.numbered;
    const char *place = numbered ? path + slices.before : NULL;
    if (place == NULL || place < text || place >= text + length) {
        print(to, text, length);
        return;
    }
    size_t before = (size_t)(place - text), after = (size_t)(text + length - slices.after);
    print(to, before + after > 0 ? text : "slices", before + after > 0 ? before : strlen("slices"));
    print(to, slices.after, after);
}

halo_status batch_name_print(const char *text, const char *path, int64_t number,
                             char out[BATCH_NAME_SIZE])
{
    printed to = {.out = out, .fits = true};
    for (const char *at = text; *at != '\0';) {
        int place = place_at(at);
        size_t length = 1;
        if (place < 0) {
            print(&to, at++, 1);
            continue;
        }
        const char *from = places[place].print(path, number, &length);
        print_part(&to, places[place].lies_in_path ? path : "", from, length);
        at += strlen(places[place].place);
    }
    if (!to.fits) {
        return halo_fail(HALO_ARGUMENT,
                         "the name that \"%.100s\" gives for the image %.100s has more than %d "
                         "characters; choose a shorter one",
                         text, path, BATCH_NAME_SIZE - 1);
    }
    out[to.used] = '\0';
    return HALO_OK;
}
