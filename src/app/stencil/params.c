#define _GNU_SOURCE /* asprintf */
#include "app/stencil/params.h"

#include "app/options/values.h"
#include "app/stencil/stencil.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const app_type types[] = {[HALO_PARAM_INTEGER] = APP_INTEGER,
                                 [HALO_PARAM_REAL] = APP_REAL,
                                 [HALO_PARAM_CHOICE] = APP_CHOICE,
                                 [HALO_PARAM_TEXT] = APP_TEXT};

static int count_params(const halo_kernel *kernel)
{
    int count = 0;
    while (kernel->params != NULL && kernel->params[count].type != HALO_PARAM_END) {
        count++;
    }
    return count;
}

static app_option row_of(const halo_param *param)
{
    return (app_option){.name = param->name,
                        .type = types[param->type],
                        .offset = param->offset,
                        .standard = param->standard,
                        .min = param->min,
                        .max = param->max,
                        .choices = param->choices,
                        .value = param->value,
                        .help = param->help};
}

enum { NAME_BYTES = 60 };

halo_status stencil_check_texts(const halo_kernel *kernel)
{
    const char *name = kernel->name != NULL ? kernel->name : "";
    bool fits = *name != '\0' && strlen(name) <= NAME_BYTES;
    for (const char *c = name; fits && *c != '\0'; c++) {
        fits = !iscntrl((unsigned char)*c);
    }
    if (!fits) {
        return halo_fail(HALO_ARGUMENT,
                         "\"%.80s\" is no name for a kernel: it has 1 to %d bytes, none of them a "
                         "control character",
                         name, NAME_BYTES);
    }
    return kernel->help != NULL ? HALO_OK
                                : halo_fail(HALO_ARGUMENT,
                                            "kernel \"%s\" has no help (`help` in its table is "
                                            "NULL): say in some words what it computes",
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

/* A table of a shared object is somebody else's: what it says must not lead out of its structure.
 */
static halo_status check_param(const halo_kernel *kernel, const halo_param *param)
{
    enum { VALUE_BYTES = 8 }; /* of every type */
    if (!is_name(param->name)) {
        return halo_fail(HALO_ARGUMENT,
                         "\"%.80s\" is no name for an option of kernel \"%s\": it has 1 to %d "
                         "letters, digits, - and _, of which - is not the first",
                         param->name != NULL ? param->name : "", kernel->name, NAME_BYTES);
    }
    if (param->type < HALO_PARAM_END || param->type > HALO_PARAM_TEXT || param->help == NULL ||
        (param->type == HALO_PARAM_CHOICE && (param->choices == NULL || *param->choices == '\0')) ||
        kernel->params_bytes < VALUE_BYTES || param->offset > kernel->params_bytes - VALUE_BYTES) {
        return halo_fail(HALO_ARGUMENT,
                         "option \"%s\" of kernel \"%s\" is not well described: give it a type, "
                         "help, choices if it is one of these, and an offset within params_bytes, "
                         "which is %zu",
                         param->name, kernel->name, kernel->params_bytes);
    }
    return HALO_OK;
}

static halo_status check_twice(const halo_kernel *kernel, int which)
{
    for (int i = 0; i < which; i++) {
        if (strcmp(kernel->params[i].name, kernel->params[which].name) == 0) {
            return halo_fail(HALO_ARGUMENT,
                             "kernel \"%s\" has two options --%s; give one another name",
                             kernel->name, kernel->params[which].name);
        }
    }
    return HALO_OK;
}

halo_status stencil_params_rows(app_option **out, const halo_kernel *kernel, size_t offset)
{
    enum { HEADING_AND_END = 2 };
    int count = count_params(kernel);
    *out = NULL;
    for (int i = 0; i < count; i++) {
        HALO_TRY(check_param(kernel, &kernel->params[i]));
        HALO_TRY(check_twice(kernel, i));
    }
    if (count == 0) {
        return HALO_OK;
    }
    app_option *rows = calloc((size_t)count + HEADING_AND_END, sizeof *rows);
    if (rows == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
    }
    rows[0] = (app_option){.type = APP_SECTION, .help = "Options of the kernel:"};
    for (int i = 0; i < count; i++) {
        rows[i + 1] = row_of(&kernel->params[i]);
        rows[i + 1].offset += offset;
    }
    *out = rows;
    return HALO_OK;
}

/* ---- from text ------------------------------------------------------------------------------- */

static const halo_param *find(const halo_kernel *kernel, const char *name)
{
    for (int i = 0; i < count_params(kernel); i++) {
        if (strcmp(kernel->params[i].name, name) == 0) {
            return &kernel->params[i];
        }
    }
    return NULL;
}

static halo_status fail_unknown(const halo_kernel *kernel, const char *pair)
{
    char names[HALO_MESSAGE_SIZE / 2] = "";
    for (int i = 0; i < count_params(kernel); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 kernel->params[i].name);
    }
    return halo_fail(HALO_ARGUMENT,
                     "kernel \"%s\" has no option '%.100s'; it has %s, which --options takes as "
                     "NAME=VALUE with commas between them",
                     kernel->name, pair, names);
}

/* `pair` is changed. */
static halo_status parse_pair(const halo_kernel *kernel, char *pair, bool alone, void *values)
{
    char *equals = strchr(pair, '=');
    const halo_param *param = alone ? &kernel->params[0] : NULL;
    const char *value = pair;
    if (equals != NULL) {
        *equals = '\0';
        param = find(kernel, pair);
        value = equals + 1;
    }
    if (param == NULL) {
        return fail_unknown(kernel, pair);
    }
    const app_option row = row_of(param);
    return app_value_parse(&row, value, (char *)values + param->offset);
}

static halo_status parse(const halo_kernel *kernel, const char *text, stencil_params *params)
{
    int count = count_params(kernel);
    for (int i = 0; i < count; i++) {
        const halo_param *param = &kernel->params[i];
        const app_option row = row_of(param);
        if (param->standard != NULL) {
            HALO_TRY(
                app_value_parse(&row, param->standard, (char *)params->values + param->offset));
        }
    }
    char *rest = NULL;
    strcpy(params->room, text);
    for (char *pair = strtok_r(params->room, ",", &rest); pair != NULL;
         pair = strtok_r(NULL, ",", &rest)) {
        HALO_TRY(parse_pair(kernel, pair, count == 1, params->values));
    }
    return HALO_OK;
}

halo_status stencil_params_create(stencil_params *params, const halo_kernel *kernel,
                                  const char *text)
{
    text = text != NULL ? text : "";
    params->values = calloc(1, kernel->params_bytes);
    params->room = malloc(strlen(text) + 1);
    return params->values != NULL && params->room != NULL
               ? parse(kernel, text, params)
               : halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
}

void stencil_params_free(stencil_params *params)
{
    free(params->values);
    free(params->room);
    *params = (stencil_params){0};
}

/* ---- compared -------------------------------------------------------------------------------- */

static bool is_same(const halo_param *param, const void *a, const void *b)
{
    const char *x, *y;
    if (param->type == HALO_PARAM_INTEGER) {
        return *(const int64_t *)a == *(const int64_t *)b;
    }
    if (param->type == HALO_PARAM_REAL) {
        return *(const double *)a <= *(const double *)b && *(const double *)a >= *(const double *)b;
    }
    x = *(const char *const *)a;
    y = *(const char *const *)b;
    return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

halo_status stencil_params_compare(const halo_kernel *kernel, const char *saved, const char *asked,
                                   bool *same)
{
    stencil_params before = {0}, after = {0};
    saved = saved != NULL ? saved : "";
    size_t size = strlen(saved) + sizeof "," + strlen(asked);
    char *both = malloc(size);
    if (both == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
    }
    snprintf(both, size, "%s,%s", saved, asked);
    halo_status status = stencil_params_create(&before, kernel, saved);
    if (status == HALO_OK) {
        status = stencil_params_create(&after, kernel, both);
    }
    *same = status == HALO_OK;
    for (int i = 0; *same && i < count_params(kernel); i++) {
        size_t at = kernel->params[i].offset;
        *same = is_same(&kernel->params[i], (char *)before.values + at, (char *)after.values + at);
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
    if (stream == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
    }
    const char *before = "";
    halo_status status = HALO_OK;
    for (int i = 0; i < count_params(kernel); i++) {
        const halo_param *param = &kernel->params[i];
        const char *value = app_given_text(given, (const char *)values + param->offset);
        if (value != NULL) {
            fprintf(stream, "%s%s=%s", before, param->name, value);
            before = ",";
            status = strchr(value, ',') == NULL ? status
                                                : halo_fail(HALO_ARGUMENT,
                                                            "--%s takes a text without commas, not "
                                                            "\"%.200s\"",
                                                            param->name, value);
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
    int count = count_params(kernel);
    for (int i = 0; i < count; i++) {
        const halo_param *param = &kernel->params[i];
        bool alone = text != NULL && count == 1; /* its value may stand there without its name */
        if (param->start && (alone || names(text, param->name))) {
            return halo_fail(HALO_ARGUMENT,
                             "the kernel's option %s says how cells begin, and \"%s\" has them "
                             "already; leave out %s or --input",
                             param->name, input, param->name);
        }
    }
    return HALO_OK;
}

const char *stencil_params_edge_hint(const halo_kernel *kernel, const char *text)
{
    for (int i = 0; i < count_params(kernel); i++) {
        const halo_param *param = &kernel->params[i];
        if (param->edge_hint != NULL && !names(text, param->name)) {
            return param->edge_hint;
        }
    }
    return NULL;
}

halo_status stencil_params_follow(char **out, const halo_kernel *kernel, const char *text,
                                  const char *type)
{
    int count = count_params(kernel), i = 0;
    *out = NULL;
    while (i < count && !kernel->params[i].input_type) {
        i++;
    }
    const halo_param *param = &kernel->params[i];
    if (i == count || param->type != HALO_PARAM_CHOICE ||
        !app_list_has(param->choices, type, strlen(type)) || names(text, param->name) ||
        (param->standard != NULL && strcmp(param->standard, type) == 0) ||
        (text != NULL && count == 1)) { /* whose value may stand there without its name */
        return HALO_OK;
    }
    if (asprintf(out, "%s%s%s=%s", text != NULL ? text : "", text != NULL ? "," : "", param->name,
                 type) < 0) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: options of the kernel");
    }
    return HALO_OK;
}
