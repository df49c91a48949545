#define _POSIX_C_SOURCE 200809L
#include "app/stencil/checkpoint.h"

#include "app/stencil/cells.h"
#include "app/stencil/lines.h"
#include "core/world/collect.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checkpoints of commands have the command's name. */
static const char prefix[] = "run ";

enum { NAME_SIZE = 256, HEX = 16 };

halo_status run_checkpoint_check_options(const char *options)
{
    json_t *text = json_string(options);
    bool good = text != NULL;
    json_decref(text);
    return good ? HALO_OK
                : halo_fail(HALO_ARGUMENT, "--options takes text in UTF-8, as checkpoints do");
}

/* ---- writing -----------------------------------------------------------------------------------
 */

static json_t *json_of_bytes(const unsigned char *bytes, size_t count)
{
    static const char digits[HEX + 1] = "0123456789abcdef";
    char *text = malloc(2 * count + 1);
    for (size_t i = 0; text != NULL && i < count; i++) {
        text[2 * i] = digits[bytes[i] / HEX];
        text[2 * i + 1] = digits[bytes[i] % HEX];
    }
    json_t *json = text != NULL ? json_stringn(text, 2 * count) : NULL;
    free(text);
    return json;
}

static char *make_text(const run_checkpoint *what, int fields)
{
    json_t *size = json_array(), *periodic = json_array(), *bits = json_array();
    for (int a = 0; a < what->domain.axes; a++) {
        json_array_append_new(size, json_integer(what->domain.n[a]));
        json_array_append_new(periodic, json_boolean(what->domain.periodic[a]));
    }
    for (int f = 0; f < fields; f++) {
        json_array_append_new(bits, json_integer(what->cell_bits[f]));
    }
    json_t *json = json_pack("{s:o, s:o, s:o, s:s?, s:o}", "size", size, "periodic", periodic,
                             "cell_bits", bits, "options", what->options, "state",
                             json_of_bytes(what->saved, what->saved_bytes));
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

static halo_status write_lines(run_lines *lines, const char *path, const char *text)
{
    int64_t beat = halo_beat_reported(lines->beat).beats;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%s", prefix, lines->kernel->name);
    halo_checkpoint checkpoint = {.kernel = name,
                                  .options = text,
                                  .beat = beat,
                                  .rows = lines->cuts[halo_world_ranks(lines->world)],
                                  .row_bytes = lines->line_bytes};
    halo_rows rows = {.fill = run_lines_fill, .context = lines};
    return halo_checkpoint_write(lines->world, path, &checkpoint, lines->cuts, &rows);
}

halo_status run_checkpoint_write(halo_world *world, const char *path, const halo_kernel *kernel,
                                 const halo_domain *domain, const char *options,
                                 const halo_beat *beat, halo_clock *clock)
{
    run_checkpoint what = {
        .domain = *domain, .options = (char *)options, .saved_bytes = kernel->saved_bytes};
    run_lines lines = {0};
    const void *state = halo_beat_state(beat);
    memcpy(what.cell_bits, kernel->cell_bits, sizeof what.cell_bits);
    if (state != NULL && what.saved_bytes > 0) {
        memcpy(what.saved, state, what.saved_bytes);
    }
    /* A state that is not the same everywhere is the kernel's fault, and no reason to wait for each
     * other without end. */
    halo_status status = halo_bcast(world, what.saved, sizeof what.saved, 0);
    char *text = status == HALO_OK ? make_text(&what, run_cells_fields(kernel)) : NULL;
    HALO_TRY_OR(done, status);
    status = text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text");
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done,
                run_lines_begin(&lines, world, kernel, domain, beat, 0, run_cells_fields(kernel)));
    HALO_TRY_OR(done, run_lines_collect(&lines, clock));
    halo_stretch stretch = halo_clock_begin(world);
    status = write_lines(&lines, path, text);
    halo_clock_end(clock, HALO_PHASE_ENCODE, stretch, world);
done:
    run_lines_end(&lines);
    free(text);
    return status;
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Of `count` bytes, which is half the text's length. */
static bool read_bytes(const char *text, size_t count, unsigned char *out)
{
    for (size_t i = 0; i < count; i++) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = (unsigned char)(high * HEX + low);
    }
    return true;
}

static bool read_domain(run_checkpoint *what, const json_t *size, const json_t *periodic)
{
    size_t axes = json_array_size(size);
    if (axes < 1 || axes > HALO_AXES || json_array_size(periodic) != axes) {
        return false;
    }
    what->domain = (halo_domain){.axes = (int)axes, .n = {1, 1, 1}};
    for (size_t a = 0; a < axes; a++) {
        what->domain.n[a] = json_integer_value(json_array_get(size, a));
        what->domain.periodic[a] = json_is_true(json_array_get(periodic, a));
        if (what->domain.n[a] < 1 || what->domain.n[a] > INT32_MAX) {
            return false;
        }
    }
    return true;
}

static bool read_options(run_checkpoint *what, const json_t *options)
{
    if (json_is_string(options)) {
        what->options = strdup(json_string_value(options));
    }
    return json_is_null(options) || what->options != NULL;
}

static bool read_state(run_checkpoint *what, const json_t *state)
{
    what->saved_bytes = json_string_length(state) / 2;
    return json_is_string(state) && json_string_length(state) % 2 == 0 &&
           what->saved_bytes <= HALO_KERNEL_SAVED &&
           read_bytes(json_string_value(state), what->saved_bytes, what->saved);
}

/* Does the table agree with what is said, and that with the rows? */
static bool fits(const run_checkpoint *what, const json_t *bits, const halo_checkpoint *info,
                 const halo_kernel *kernel)
{
    int fields = run_cells_fields(kernel);
    int64_t lines = what->domain.n[0] * (what->domain.axes == HALO_AXES ? what->domain.n[1] : 1);
    size_t line_bytes = 0;
    bool good = json_array_size(bits) == (size_t)fields;
    for (int f = 0; good && f < fields; f++) {
        good = json_integer_value(json_array_get(bits, (size_t)f)) == kernel->cell_bits[f];
        line_bytes += run_lines_bytes(kernel, f, &what->domain);
    }
    return good && info->rows == lines && info->row_bytes == line_bytes &&
           what->saved_bytes == kernel->saved_bytes &&
           (kernel->axes == 0 || kernel->axes == what->domain.axes);
}

halo_status run_checkpoint_read(run_checkpoint *what, const char *path, const halo_checkpoint *info,
                                const halo_kernel *kernel)
{
    *what = (run_checkpoint){0};
    if (strncmp(info->kernel, prefix, strlen(prefix)) != 0 ||
        strcmp(info->kernel + strlen(prefix), kernel->name) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint of `halobeat %s`, and cannot be restored with "
                         "kernel \"%s\"",
                         path, info->kernel, kernel->name);
    }
    json_t *json = json_loads(info->options, 0, NULL);
    bool good =
        read_domain(what, json_object_get(json, "size"), json_object_get(json, "periodic")) &&
        read_options(what, json_object_get(json, "options")) &&
        read_state(what, json_object_get(json, "state")) &&
        fits(what, json_object_get(json, "cell_bits"), info, kernel);
    memcpy(what->cell_bits, kernel->cell_bits, sizeof what->cell_bits);
    json_decref(json);
    return good ? HALO_OK
                : halo_fail(HALO_FORMAT,
                            "\"%s\" is a checkpoint of another version of kernel \"%s\", with "
                            "other cells or another state: %.200s",
                            path, kernel->name, info->options);
}

void run_checkpoint_free(run_checkpoint *what)
{
    free(what->options);
    what->options = NULL;
}

halo_status run_checkpoint_restore(const run_checkpoint *what, halo_checkpoint_reader *reader,
                                   halo_world *world, const halo_kernel *kernel, halo_beat *beat,
                                   halo_clock *clock)
{
    run_lines lines;
    void *state = halo_beat_state(beat);
    halo_status status =
        run_lines_begin(&lines, world, kernel, &what->domain, beat, 0, run_cells_fields(kernel));
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(world);
        status = halo_checkpoint_read(reader, lines.cuts, run_lines_take, &lines);
        halo_clock_end(clock, HALO_PHASE_DECODE, stretch, world);
    }
    if (status == HALO_OK) {
        status = run_lines_spread(&lines, clock);
    }
    if (status == HALO_OK && what->saved_bytes > 0 && state != NULL) {
        memcpy(state, what->saved, what->saved_bytes);
    }
    run_lines_end(&lines);
    return status;
}
