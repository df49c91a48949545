#define _GNU_SOURCE /* asprintf */
#include "app/stencil/params.h"

#include "app/stencil/stencil.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 60 };

halo_status stencil_check_texts(const halo_kernel *kernel)
{
    const char *name = kernel->name != NULL ? kernel->name : "";
    bool fits = *name != '\0' && strlen(name) <= NAME_BYTES;
    for (const char *c = name; fits && *c != '\0'; c++) {
        fits = !iscntrl((unsigned char)*c);
    }
    HALO_FAIL_IF(
        !fits, HALO_ARGUMENT,
        "\"%.80s\" is no name for a kernel: it has 1 to %d bytes, none of them a control character",
        name, NAME_BYTES);
    return HALO_REQUIRE(kernel->help != NULL, HALO_ARGUMENT,
                        "kernel \"%s\" has no help (`help` in its table is NULL): say in some "
                        "words what it computes",
                        name);
}

/* Names of options are words of command lines, and of texts like NAME=VALUE,NAME=VALUE. */
static bool is_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t length = name != NULL ? strlen(name) : 0;
    return length > 0 && length <= NAME_BYTES && strspn(name, letters) == length && *name != '-';
}

/* A kernel's own options have types whose values one text can hold, and its flags. */
static bool is_described(const halo_kernel *kernel, const halo_option *row)
{
    const unsigned flags = HALO_OPTION_OPTIONAL | HALO_OPTION_START | HALO_OPTION_INPUT_TYPE;
    bool chosen = row->type == HALO_OPTION_CHOICE || row->type == HALO_OPTION_INDEX;
    bool number = row->type >= HALO_OPTION_INTEGER && row->type <= HALO_OPTION_SHARE;
    bool optional = (row->flags & HALO_OPTION_OPTIONAL) != 0;
    return row->type > HALO_OPTION_SECTION && row->type <= HALO_OPTION_TEXT && row->help != NULL &&
           (!chosen || (row->choices != NULL && *row->choices != '\0')) &&
           (row->flags & ~flags) == 0 && (!optional || (number && row->standard == NULL)) &&
           kernel->options_bytes >= halo_option_bytes(row) &&
           row->offset <= kernel->options_bytes - halo_option_bytes(row);
}

/* A table of a shared object is somebody else's: what it says must not lead out of its structure.
 */
static halo_status check_row(const halo_kernel *kernel, const halo_option *row)
{
    HALO_FAIL_IF(!is_name(row->name), HALO_ARGUMENT,
                 "\"%.80s\" is no name for an option of kernel \"%s\": it has 1 to %d letters, "
                 "digits, - and _, of which - is not the first",
                 row->name != NULL ? row->name : "", kernel->name, NAME_BYTES);
    HALO_FAIL_IF(!is_described(kernel, row), HALO_ARGUMENT,
                 "option \"%s\" of kernel \"%s\" is not well described: give it a type up to "
                 "HALO_OPTION_TEXT, help, choices if it is one of these, flags of kernels only, "
                 "and an offset within options_bytes, which is %zu",
                 row->name, kernel->name, kernel->options_bytes);
    return HALO_OK;
}

static halo_status check_twice(const halo_kernel *kernel, const halo_option *row)
{
    return HALO_REQUIRE(halo_options_find(kernel->options, row->name, strlen(row->name)) == row,
                        HALO_ARGUMENT, "kernel \"%s\" has two options --%s; give one another name",
                        kernel->name, row->name);
}

halo_status stencil_params_rows(halo_option **out, const halo_kernel *kernel, size_t offset)
{
    enum { HEADING_AND_END = 2 };
    int count = halo_options_count(kernel->options);
    *out = NULL;
    for (int i = 0; i < count; i++) {
        HALO_TRY(check_row(kernel, &kernel->options[i]));
        HALO_TRY(check_twice(kernel, &kernel->options[i]));
    }
    if (count == 0) {
        return HALO_OK;
    }
    halo_option *rows;
    HALO_TRY(HALO_ALLOCATE(rows, count + HEADING_AND_END, "options of the kernel"));
    rows[0] = (halo_option){.type = HALO_OPTION_SECTION, .help = "Options of the kernel:"};
    for (int i = 0; i < count; i++) {
        rows[i + 1] = kernel->options[i];
        rows[i + 1].offset += offset;
    }
    *out = rows;
    return HALO_OK;
}

/* ---- from text ------------------------------------------------------------------------------- */

static halo_status parse(const halo_kernel *kernel, const char *text, stencil_params *params)
{
    char owner[2 * NAME_BYTES];
    HALO_TRY(halo_options_set_defaults(kernel->options, params->values));
    if (*text == '\0') {
        return HALO_OK;
    }
    snprintf(owner, sizeof owner, "kernel \"%s\"", kernel->name);
    strcpy(params->room, text);
    return halo_options_read(kernel->options, params->values, owner, params->room);
}

halo_status stencil_params_create(stencil_params *params, const halo_kernel *kernel,
                                  const char *text)
{
    text = text != NULL ? text : "";
    char *values;
    HALO_TRY(HALO_ALLOCATE(values, kernel->options_bytes, "options of the kernel"));
    params->values = values;
    HALO_TRY(HALO_ALLOCATE(params->room, strlen(text) + 1, "options of the kernel"));
    return parse(kernel, text, params);
}

void stencil_params_free(stencil_params *params)
{
    free(params->values);
    free(params->room);
    *params = (stencil_params){0};
}

/* ---- compared -------------------------------------------------------------------------------- */

halo_status stencil_params_compare(const halo_kernel *kernel, const char *saved,
                                   const char *requested, bool *same)
{
    stencil_params before = {0}, after = {0};
    saved = saved != NULL ? saved : "";
    size_t size = strlen(saved) + sizeof "," + strlen(requested);
    char *both;
    HALO_TRY(HALO_ALLOCATE(both, size, "options of the kernel"));
    snprintf(both, size, "%s%s%s", saved, *saved != '\0' ? "," : "", requested);
    halo_status status = stencil_params_create(&before, kernel, saved);
    HALO_IF_OK(status, stencil_params_create(&after, kernel, both));
    *same = status == HALO_OK;
    for (int i = 0; *same && i < halo_options_count(kernel->options); i++) {
        const halo_option *row = &kernel->options[i];
        *same = halo_option_is_same(row, (char *)before.values + row->offset,
                                    (char *)after.values + row->offset);
    }
    stencil_params_free(&before);
    stencil_params_free(&after);
    free(both);
    return status;
}

/* ---- to text --------------------------------------------------------------------------------- */

halo_status stencil_params_text(char **out, const halo_kernel *kernel, const app_options *given,
                                const void *values)
{
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    FILE *stream = open_memstream(&text, &size);
    HALO_FAIL_IF(stream == NULL, HALO_MEMORY, "out of memory: options of the kernel");
    const char *before = "";
    halo_status status = HALO_OK;
    for (int i = 0; i < halo_options_count(kernel->options); i++) {
        const halo_option *row = &kernel->options[i];
        const char *value = app_given_text(given, (const char *)values + row->offset);
        if (value != NULL) {
            fprintf(stream, "%s%s=%s", before, row->name, value);
            before = ",";
            status = strchr(value, ',') == NULL ? status
                                                : halo_fail(HALO_ARGUMENT,
                                                            "--%s takes a text without commas, not "
                                                            "\"%.200s\"",
                                                            row->name, value);
        }
    }
    if (fclose(stream) != 0 || status != HALO_OK || *before == '\0') {
        free(text);
        return status;
    }
    *out = text;
    return HALO_OK;
}

/* ---- beside an input ------------------------------------------------------------------------- */

static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);
    while (text != NULL && (strncmp(text, name, length) != 0 || text[length] != '=')) {
        text = strchr(text, ',');
        text = text != NULL ? text + 1 : NULL;
    }
    return text != NULL;
}

halo_status stencil_params_check_start(const halo_kernel *kernel, const char *text,
                                       const char *input)
{
    int count = halo_options_count(kernel->options);
    for (int i = 0; i < count; i++) {
        const halo_option *row = &kernel->options[i];
        bool alone = text != NULL && count == 1; /* its value may stand there without its name */
        HALO_FAIL_IF((row->flags & HALO_OPTION_START) != 0 && (alone || names(text, row->name)),
                     HALO_ARGUMENT,
                     "the kernel's option %s says how cells begin, and \"%s\" has them already; "
                     "leave out %s or --input",
                     row->name, input, row->name);
    }
    return HALO_OK;
}

const char *stencil_params_edge_hint(const halo_kernel *kernel, const char *text)
{
    for (int i = 0; i < halo_options_count(kernel->options); i++) {
        const halo_option *row = &kernel->options[i];
        if (row->edge_hint != NULL && !names(text, row->name)) {
            return row->edge_hint;
        }
    }
    return NULL;
}

halo_status stencil_params_follow(char **out, const halo_kernel *kernel, const char *text,
                                  const char *type)
{
    int count = halo_options_count(kernel->options), i = 0;
    *out = NULL;
    while (i < count && (kernel->options[i].flags & HALO_OPTION_INPUT_TYPE) == 0) {
        i++;
    }
    if (i == count) { /* of a kernel without options there is no row to look at */
        return HALO_OK;
    }
    const halo_option *row = &kernel->options[i];
    if (row->type != HALO_OPTION_CHOICE || !halo_list_has(row->choices, type, strlen(type)) ||
        names(text, row->name) || (row->standard != NULL && strcmp(row->standard, type) == 0) ||
        (text != NULL && count == 1)) { /* whose value may stand there without its name */
        return HALO_OK;
    }
    if (asprintf(out, "%s%s%s=%s", text != NULL ? text : "", text != NULL ? "," : "", row->name,
                 type) < 0) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
    }
    return HALO_OK;
}
