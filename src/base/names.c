#include "base/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PATH_BYTES = 4096 };

bool halo_name_ends_by(const char *name, size_t length, const char *ending, size_t count)
{
    return length > count && strncasecmp(name + length - count, ending, count) == 0;
}

/* "/a/b": no name is empty. */
static bool is_path_inside(const char *path)
{
    size_t length = strlen(path);
    return path[0] == '/' && path[length - 1] != '/' && strstr(path, "//") == NULL;
}

/* The colon of the first FILE.h5:/ from `from` on, or NULL. Arrays in .npz files are only read. */
static const char *find_inside(const char *path, const char *from, bool reads)
{
    static const char *const endings[] = {".h5", ".hdf5", ".npz"};
    const int count = HALO_NAMES_COUNT(endings) - (reads ? 0 : 1);
    for (const char *at = strstr(from, ":/"); at != NULL; at = strstr(at + 1, ":/")) {
        for (int i = 0; i < count; i++) {
            if (halo_name_ends_by(path, (size_t)(at - path), endings[i], strlen(endings[i]))) {
                return at;
            }
        }
    }
    return NULL;
}

/* KEY=VALUE[,KEY=VALUE...] */
static bool is_choice(const char *text)
{
    for (;;) {
        size_t key = strspn(text, "abcdefghijklmnopqrstuvwxyz");
        if (key == 0 || text[key] != '=') {
            return false;
        }
        text += key + 1;
        size_t value = strcspn(text, ",:/");
        text += value;
        if (value == 0 || (*text != ',' && *text != '\0')) {
            return false;
        }
        if (*text == '\0') {
            return true;
        }
        text++;
    }
}

/* ---- OME-Zarr -------------------------------------------------------------------------------- */

static bool has_store(const char *path, size_t length)
{
    static const char ending[] = ".zarr";
    for (size_t end = 1; end <= length; end++) {
        if ((end == length || path[end] == '/') &&
            halo_name_ends_by(path, end, ending, sizeof ending - 1)) {
            return true;
        }
    }
    return false;
}

/* As halo_name_layer, of the first `length` characters. */
static size_t find_layer(const char *path, size_t length)
{
    static const char group[] = "/labels/";
    const size_t bytes = sizeof group - 1;
    size_t name = length;
    while (name > 0 && path[name - 1] != '/') {
        name--;
    }
    bool named = name < length && memchr(path + name, '.', length - name) == NULL;
    if (!named || name <= bytes || strncmp(path + name - bytes, group, bytes) != 0) {
        return 0;
    }
    return has_store(path, name - bytes) ? name - bytes : 0;
}

/* The characters before a choice behind the name of an image or layer; all if there is none. */
static size_t name_store(const char *path)
{
    static const char ending[] = ".ome.zarr";
    const char *colon = strrchr(path, ':');
    if (colon == NULL || !is_choice(colon + 1)) {
        return strlen(path);
    }
    size_t length = (size_t)(colon - path);
    bool is =
        halo_name_ends_by(path, length, ending, sizeof ending - 1) || find_layer(path, length) > 0;
    return is ? length : strlen(path);
}

size_t halo_name_layer(const char *path)
{
    return find_layer(path, name_store(path));
}

/* ---------------------------------------------------------------------------------------------- */

static size_t name_file(const char *path, bool reads)
{
    const char *at = find_inside(path, path, reads);
    while (at != NULL && !is_path_inside(at + 1)) {
        at = find_inside(path, at + 1, reads);
    }
    return at != NULL ? (size_t)(at - path) : reads ? strlen(path) : name_store(path);
}

size_t halo_name_file(const char *path)
{
    return name_file(path, false);
}

bool halo_name_means_inside(const char *path)
{
    return find_inside(path, path, false) != NULL;
}

size_t halo_name_there(const char *path, struct stat *about)
{
    char name[PATH_BYTES];
    if (stat(path, about) == 0) {
        return strlen(path);
    }
    for (const char *at = strstr(path, ":/"); at != NULL; at = strstr(at + 1, ":/")) {
        size_t length = (size_t)(at - path);
        if (length > 0 && length < sizeof name) {
            memcpy(name, path, length);
            name[length] = '\0';
            if (stat(name, about) == 0 && S_ISREG(about->st_mode)) {
                return length;
            }
        }
    }
    return 0;
}

size_t halo_name_chosen(const char *path)
{
    struct stat about;
    const char *colon = strrchr(path, ':');
    bool chosen = colon != NULL && colon > path && is_choice(colon + 1) && stat(path, &about) != 0;
    return chosen ? (size_t)(colon - path) : strlen(path);
}

size_t halo_name_input(const char *path)
{
    char name[PATH_BYTES];
    size_t length = halo_name_chosen(path);
    if (path[length] == '\0' || length >= sizeof name) {
        return name_file(path, true);
    }
    memcpy(name, path, length);
    name[length] = '\0';
    return name_file(name, true);
}

bool halo_name_ends(const char *name, const char *ending)
{
    return halo_name_ends_by(name, halo_name_file(name), ending, strlen(ending));
}

void halo_names_list(const char *const *names, int count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, names[i]);
    }
}

halo_status halo_names_find(const char *what, const char *const *names, int count, const char *name,
                            int *index)
{
    for (*index = 0; *index < count; ++*index) {
        if (name == NULL || strcmp(names[*index], name) == 0) {
            return HALO_OK;
        }
    }
    char all[HALO_MESSAGE_SIZE / 2];
    halo_names_list(names, count, all, sizeof all);
    return halo_fail(HALO_ARGUMENT, "unknown %s \"%.40s\"; use %s", what, name, all);
}
