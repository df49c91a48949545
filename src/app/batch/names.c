#include "app/batch/names.h"

#include "base/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The part of a path that a place stands for: `length` characters, returned. */
typedef const char *part(const char *path, int64_t number, size_t *length);

enum { NUMBER_SIZE = 24 };

/* Of FILE.h5:/PATH/IN/IT, that of the file. */
static const char *base_of(const char *path)
{
    const char *base = path + halo_name_file(path);
    while (base > path && base[-1] != '/') {
        base--;
    }
    return base;
}

static const char *name_part(const char *path, int64_t number, size_t *length)
{
    const char *base = base_of(path), *end = path + halo_name_file(path), *dot = end;
    (void)number;
    while (dot > base && *dot != '.') {
        dot--;
    }
    *length = (size_t)((dot > base ? dot : end) - base);
    return base;
}

static const char *folder_part(const char *path, int64_t number, size_t *length)
{
    const char *base = base_of(path);
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
} places[] = {{"{name}", name_part}, {"{dir}", folder_part}, {"{number}", number_part}};

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

halo_status batch_name_print(const char *text, const char *path, int64_t number,
                             char out[BATCH_NAME_SIZE])
{
    size_t used = 0;
    for (const char *at = text; *at != '\0';) {
        int place = place_at(at);
        size_t length = 1;
        const char *from = place < 0 ? at : places[place].print(path, number, &length);
        if (used + length >= BATCH_NAME_SIZE) {
            return halo_fail(HALO_ARGUMENT,
                             "the name that \"%.100s\" gives for the image %.100s has more than %d "
                             "characters; choose a shorter one",
                             text, path, BATCH_NAME_SIZE - 1);
        }
        memcpy(out + used, from, length);
        used += length;
        at += place < 0 ? 1 : strlen(places[place].place);
    }
    out[used] = '\0';
    return HALO_OK;
}
