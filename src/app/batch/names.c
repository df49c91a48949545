#define _GNU_SOURCE /* memrchr */
#include "app/batch/names.h"

#include "base/filename_pattern.h"
#include "base/names.h"
#include "base/standard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The part of a path that a place stands for: `length` characters, returned. */
typedef const char *part(const char *path, int64_t number, size_t *length);

enum { NUMBER_SIZE = 24 };

/* Length of the part of a path that names the file: without /PATH/IN/IT of FILE.h5:/PATH/IN/IT,
 * c=1 of FILE:c=1, and the slash at the end of a folder. */
static size_t length_of(const char *path)
{
    size_t length = halo_name_input(path);
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

/* The last text that was added to a component of a path. After literal text it may be anything;
 * after a folder it must not be ".."; after a name it must not be "." either. */
typedef enum { NOTHING, FOLDER, NAME } origin;

typedef struct {
    char *out; /* [BATCH_NAME_SIZE] */
    size_t used, begin;
    origin of; /* of what stands from `begin` on */
    bool fits, leaves;
} printed;

/* A component of the path has ended. */
static void end_component(printed *to)
{
    const char *text = to->out + to->begin;
    size_t length = to->used - to->begin;
    bool up = length == 2 && memcmp(text, "..", length) == 0;
    bool here = length == 1 && *text == '.';
    to->leaves = to->leaves || (up && to->of != NOTHING) || (here && to->of == NAME);
    to->of = NOTHING;
}

static void print(printed *to, const char *text, size_t length, origin of)
{
    to->fits = to->fits && to->used + length < BATCH_NAME_SIZE;
    for (size_t i = 0; to->fits && i < length; i++) {
        if (text[i] == '/') {
            end_component(to);
        }
        to->out[to->used++] = text[i];
        to->begin = text[i] == '/' ? to->used : to->begin;
        to->of = text[i] != '/' && of > to->of ? of : to->of;
    }
}

/* The place for the number of slices that a pattern names is left out: with it the output would
 * be a file for each plane. */
static void print_part(printed *to, const char *path, const char *text, size_t length, origin of)
{
    filename_pattern slices;
    bool numbered = halo_filename_parse(&slices, path) == HALO_OK && slices.numbered;
    const char *place = numbered ? path + slices.before : NULL;
    if (place == NULL || place < text || place >= text + length) {
        print(to, text, length, of);
        return;
    }
    size_t before = (size_t)(place - text), after = (size_t)(text + length - slices.after);
    bool any = before + after > 0;
    print(to, any ? text : "slices", any ? before : strlen("slices"), of);
    print(to, slices.after, after, of);
}

static halo_status check_printed(const printed *to, const char *text, const char *path)
{
    HALO_FAIL_IF(!to->fits, HALO_ARGUMENT,
                 "the name that \"%.100s\" gives for the image %.100s has more than %d characters; "
                 "choose a shorter one",
                 text, path, BATCH_NAME_SIZE - 1);
    bool inside = halo_name_means_inside(to->out) && !halo_name_means_inside(text);
    HALO_FAIL_IF(to->leaves || inside, HALO_ARGUMENT,
                 "the name that \"%.100s\" gives for the image %.100s, \"%.100s\", lies in another "
                 "folder; rename the image, or use {number}",
                 text, path, to->out);
    return HALO_OK;
}

/* A name that means standard output becomes a file of that name. */
static void name_here(printed *to, const char *text)
{
    static const char here[] = "./";
    size_t more = sizeof here - 1;
    if (to->fits && halo_is_standard(to->out) && !halo_is_standard(text)) {
        to->fits = to->used + more < BATCH_NAME_SIZE;
        memmove(to->out + more, to->out, to->fits ? to->used + 1 : 0);
        memcpy(to->out, here, to->fits ? more : 0);
    }
}

halo_status batch_name_print(const char *text, const char *path, int64_t number,
                             char out[BATCH_NAME_SIZE])
{
    printed to = {.out = out, .fits = true};
    for (const char *at = text; *at != '\0';) {
        int place = place_at(at);
        size_t length = 1;
        if (place < 0) {
            print(&to, at++, 1, NOTHING);
            continue;
        }
        const char *from = places[place].print(path, number, &length);
        /* A folder as it was given is where the output was asked for, if nothing is before it. */
        origin of = places[place].lies_in_path ? NAME : to.used > 0 ? FOLDER : NOTHING;
        print_part(&to, places[place].lies_in_path ? path : "", from, length, of);
        at += strlen(places[place].place);
    }
    end_component(&to);
    out[to.used] = '\0';
    name_here(&to, text);
    return check_printed(&to, text, path);
}
