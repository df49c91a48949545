#define _POSIX_C_SOURCE 200809L
#include "io/image/slices.h"

#include "base/filename_pattern.h"
#include "base/names.h"
#include "base/standard.h"
#include "base/wildcards.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- order ----------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Both begin with digits; moves behind them. */
static int compare_numbers(const char **a, const char **b)
{
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t digits = strspn(*a, "0123456789"), others = strspn(*b, "0123456789");
    int order = digits != others ? (digits < others ? -1 : 1) : strncmp(*a, *b, digits);
    *a += digits;
    *b += others;
    return order;
}

int halo_natural_order(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x != '\0' && *y != '\0') {
        int order = is_digit(*x) && is_digit(*y) ? compare_numbers(&x, &y)
                                                 : (unsigned char)*x++ - (unsigned char)*y++;
        if (order != 0) {
            return order;
        }
    }
    int order = (unsigned char)*x - (unsigned char)*y;
    return order != 0 ? order : strcmp(a, b); /* 01 is not 1 */
}

static int compare_names(const void *x, const void *y)
{
    return halo_natural_order(*(const char *const *)x, *(const char *const *)y);
}

/* ---- lists of names -------------------------------------------------------------------------- */

static halo_status add_name(halo_buffer *text, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    bool slash = length > 0 && folder[length - 1] != '/';
    HALO_TRY(halo_buffer_append(text, folder, length));
    HALO_TRY(halo_buffer_append(text, "/", slash ? 1 : 0));
    return halo_buffer_append(text, name, strlen(name) + 1);
}

/* Pointers to the names in the text. */
static halo_status point(halo_slices *slices)
{
    const char *at = (const char *)slices->text.data;
    for (size_t i = 0; i < slices->text.size; i++) {
        slices->count += at[i] == '\0';
    }
    HALO_TRY(HALO_ALLOCATE(slices->name, slices->count + 1, "names of slices"));
    for (int64_t i = 0; i < slices->count; i++, at += strlen(at) + 1) {
        slices->name[i] = at;
    }
    return HALO_OK;
}

static halo_status sort_names(halo_slices *slices)
{
    HALO_TRY(point(slices));
    qsort(slices->name, (size_t)slices->count, sizeof *slices->name, compare_names);
    return HALO_OK;
}

/* ---- folders --------------------------------------------------------------------------------- */

static halo_status open_folder(DIR **out, const char *path)
{
    *out = opendir(path);
    return *out != NULL ? HALO_OK
                        : halo_fail(HALO_FILE, "the folder \"%s\" cannot be listed: %s", path,
                                    strerror(errno));
}

/* Each name in the folder goes to `take` but hidden ones. */
static halo_status list_folder(const char *folder, void *context,
                               halo_status (*take)(void *context, const char *name))
{
    DIR *listed;
    halo_status status = HALO_OK;
    HALO_TRY(open_folder(&listed, folder));
    errno = 0;
    for (const struct dirent *entry; status == HALO_OK && (entry = readdir(listed)) != NULL;) {
        status = entry->d_name[0] != '.' ? take(context, entry->d_name) : HALO_OK;
        errno = 0;
    }
    if (status == HALO_OK && errno != 0) {
        status =
            halo_fail(HALO_FILE, "the folder \"%s\" cannot be listed: %s", folder, strerror(errno));
    }
    closedir(listed);
    return status;
}

typedef struct {
    halo_slices *slices;
    const char *folder;
} folder_list;

static halo_status take_file(void *context, const char *name)
{
    const folder_list *list = context;
    halo_buffer *text = &list->slices->text;
    size_t before = text->size;
    struct stat there;
    HALO_TRY(add_name(text, list->folder, name));
    if (stat((const char *)text->data + before, &there) == 0 && S_ISDIR(there.st_mode)) {
        text->size = before;
    }
    return HALO_OK;
}

static halo_status find_in_folder(halo_slices *slices, const char *path)
{
    slices->folder = true;
    HALO_TRY(list_folder(path, &(folder_list){slices, path}, take_file));
    HALO_TRY(sort_names(slices));
    return slices->count > 0 ? HALO_OK
                             : halo_fail(HALO_FILE,
                                         "%s: a directory without files; name an image, or a "
                                         "folder of slices",
                                         path);
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct {
    const filename_pattern *pattern; /* of the name in the folder */
    halo_buffer numbers;             /* of int64_t */
} number_list;

static halo_status take_number(void *context, const char *name)
{
    number_list *list = context;
    int64_t number = halo_filename_match(list->pattern, name);
    return number < 0 ? HALO_OK : halo_buffer_append(&list->numbers, &number, sizeof number);
}

static int compare_integers(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* In order, `numbers` [count]. */
static halo_status check_gaps(const filename_pattern *pattern, const int64_t *numbers,
                              int64_t count)
{
    char missing[FILENAME_SIZE], next[FILENAME_SIZE];
    if (count == 0) {
        return halo_fail(HALO_FILE,
                         "no file is called \"%.300s\" with a number for its %%; name slices that "
                         "are there, from any number on",
                         pattern->text);
    }
    for (int64_t i = 1; i < count; i++) {
        if (numbers[i] != numbers[0] + i) {
            return halo_fail(HALO_FILE,
                             "%.150s is missing, and there is a %.150s; a stack has no gaps: add "
                             "the slice, or rename those behind it",
                             halo_filename_print(pattern, numbers[0] + i, missing),
                             halo_filename_print(pattern, numbers[i], next));
        }
    }
    return HALO_OK;
}

static halo_status add_numbered(halo_slices *slices, const filename_pattern *whole,
                                halo_buffer *found)
{
    int64_t *numbers = (int64_t *)(void *)found->data;
    int64_t count = (int64_t)(found->size / sizeof *numbers);
    char name[FILENAME_SIZE];
    if (count > 0) {
        qsort(numbers, (size_t)count, sizeof *numbers, compare_integers);
    }
    HALO_TRY(check_gaps(whole, numbers, count));
    slices->first = numbers[0];
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(add_name(&slices->text, "", halo_filename_print(whole, numbers[i], name)));
    }
    return point(slices);
}

static halo_status find_numbered(halo_slices *slices, const char *path)
{
    filename_pattern whole, name;
    const char *slash = strrchr(path, '/');
    char folder[FILENAME_SIZE] = ".";
    HALO_TRY(halo_filename_parse(&whole, path));
    HALO_TRY(halo_filename_parse(&name, slash != NULL ? slash + 1 : path));
    if (!name.numbered || strlen(path) >= FILENAME_SIZE / 2) {
        return halo_fail(HALO_ARGUMENT,
                         "\"%.300s\": slices are numbered in the names of files, not in those of "
                         "folders, and names are shorter than %d characters",
                         path, FILENAME_SIZE / 2);
    }
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
    }
    number_list list = {.pattern = &name};
    halo_status status = list_folder(folder, &list, take_number);
    if (status == HALO_OK) {
        status = add_numbered(slices, &whole, &list.numbers);
    }
    halo_buffer_free(&list.numbers);
    return status;
}

/* ---- several names --------------------------------------------------------------------------- */

static halo_status add_matches(halo_buffer *text, const char *pattern)
{
    halo_slices found = {.count = 0};
    halo_status status = halo_wildcards_expand(&found.text, pattern);
    if (status == HALO_OK) {
        status = sort_names(&found);
    }
    for (int64_t i = 0; status == HALO_OK && i < found.count; i++) {
        status = add_name(text, "", found.name[i]);
    }
    halo_slices_free(&found);
    return status;
}

/* The files of a folder, or of a pattern with a number, one after the other. */
static halo_status add_slices(halo_slices *slices, const char *name)
{
    halo_slices found;
    halo_status status = halo_slices_find(&found, name, NULL, 0);
    const char *chosen = name + halo_name_chosen(name);
    slices->folder = slices->folder || found.folder;
    for (int64_t i = 0; status == HALO_OK && i < found.count; i++) {
        status = halo_buffer_append(&slices->text, found.name[i], strlen(found.name[i]));
        if (status == HALO_OK) {
            status = halo_buffer_append(&slices->text, chosen, strlen(chosen) + 1);
        }
    }
    halo_slices_free(&found);
    return status;
}

static halo_status add_names(halo_slices *slices, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(halo_wildcards_are_in(names[i])   ? add_matches(&slices->text, names[i])
                 : halo_slices_are_named(names[i]) ? add_slices(slices, names[i])
                                                   : add_name(&slices->text, "", names[i]));
    }
    return point(slices);
}

/* ---------------------------------------------------------------------------------------------- */

/* The text behind a name chooses a part of the file; it is cut off first. */
static int stat_file(const char *name, struct stat *there)
{
    char file[FILENAME_SIZE];
    size_t length = halo_name_chosen(name);
    snprintf(file, sizeof file, "%.*s", (int)length, name);
    return stat(name[length] == '\0' ? name : file, there);
}

/* A pipe would be waited for, and is read only once. */
static halo_status add_sizes(halo_slices *slices)
{
    for (int64_t i = 0; i < slices->count; i++) {
        struct stat there;
        const char *name = slices->name[i];
        if (halo_is_standard(name)) {
            return halo_fail(HALO_ARGUMENT,
                             "standard input cannot be a slice of a stack; save it as a file");
        }
        if (stat_file(name, &there) != 0) {
            return halo_fail(HALO_FILE, "%.300s: cannot be read: %s", name, strerror(errno));
        }
        if (!S_ISREG(there.st_mode)) {
            return halo_fail(HALO_FILE, "%.300s: is no ordinary file, as slices are", name);
        }
        slices->bytes += there.st_size;
    }
    return HALO_OK;
}

/* Arrays that are a folder of files. */
static bool is_array(const char *folder)
{
    static const char *const metadata[] = {".zarray", ".zgroup", "zarr.json"};
    char name[FILENAME_SIZE + 16];
    for (size_t i = 0; i < sizeof metadata / sizeof *metadata; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, metadata[i]);
        if (access(name, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

bool halo_slices_are_named(const char *text)
{
    filename_pattern pattern;
    char path[FILENAME_SIZE];
    snprintf(path, sizeof path, "%.*s", (int)halo_name_chosen(text), text);
    if (access(path, F_OK) == 0) {
        return is_folder(path) && !is_array(path);
    }
    return halo_filename_parse(&pattern, path) != HALO_OK || pattern.numbered;
}

halo_status halo_slices_find(halo_slices *out, const char *text, const char *const *names,
                             int64_t count)
{
    char path[FILENAME_SIZE];
    *out = (halo_slices){.count = 0};
    snprintf(path, sizeof path, "%.*s", (int)halo_name_chosen(text), text);
    HALO_TRY(count > 0         ? add_names(out, names, count)
             : is_folder(path) ? find_in_folder(out, path)
                               : find_numbered(out, path));
    return add_sizes(out);
}

/* Is it the axis of planes that the number belongs to? */
static bool is_plane(const char *path)
{
    static const char *const words[] = {"z", "slice", "plane", "section"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name), digits = length;
    while (digits > 0 && is_digit(name[digits - 1])) {
        digits--;
    }
    size_t end = digits;
    while (end > 0 && strchr("-_ =", name[end - 1]) != NULL) {
        end--;
    }
    for (size_t i = 0; digits < length && i < sizeof words / sizeof *words; i++) {
        size_t word = strlen(words[i]);
        bool ends = end >= word && strncasecmp(name + end - word, words[i], word) == 0;
        if (ends && (end == word || !isalpha((unsigned char)name[end - word - 1]))) {
            return true;
        }
    }
    return false;
}

bool halo_slices_are_planes(const halo_slices *slices)
{
    for (int64_t i = 0; i < slices->count; i++) {
        if (!is_plane(slices->name[i])) {
            return false;
        }
    }
    return true;
}

void halo_slices_free(halo_slices *slices)
{
    halo_buffer_free(&slices->text);
    free(slices->name);
    *slices = (halo_slices){.count = 0};
}
