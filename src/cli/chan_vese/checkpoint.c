#include "cli/chan_vese/checkpoint.h"

#include "core/world/collect.h"
#include "kernels/chan_vese/chan_vese.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernel_name[] = "chan-vese";

enum { BITS_A_BYTE = 8, TRACE_TEXT = 17, HEX = 16 };

static size_t row_bytes(int64_t width)
{
    return (size_t)(width + BITS_A_BYTE - 1) / BITS_A_BYTE;
}

/* ---- opening -----------------------------------------------------------------------------------
 */

static bool read_state(chan_vese_checkpoint *saved, const halo_checkpoint *info, const json_t *json)
{
    const json_t *still = json_object_get(json, "still"), *trace = json_object_get(json, "trace");
    saved->beat = info->beat;
    saved->image = json_incref(json_object_get(json, "image"));
    saved->still = json_integer_value(still);
    saved->trace = json_is_string(trace) ? strtoull(json_string_value(trace), NULL, HEX) : 0;
    int64_t width = json_integer_value(json_object_get(saved->image, "width"));
    int64_t height = json_integer_value(json_object_get(saved->image, "height"));
    return json_is_integer(still) && saved->still >= 0 && json_is_string(trace) && width > 0 &&
           info->rows == height && info->row_bytes == row_bytes(width) &&
           saved->beat <= INT64_MAX / 4;
}

static halo_status check_kernel(const halo_checkpoint *info, const char *path)
{
    return strcmp(info->kernel, kernel_name) == 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%s\" is a checkpoint of `halobeat %s`, and cannot be restored by "
                           "`halobeat chan-vese`",
                           path, info->kernel);
}

halo_status chan_vese_checkpoint_open(chan_vese_checkpoint *saved, halo_world *world,
                                      app_options *given, const char *path)
{
    *saved = (chan_vese_checkpoint){0};
    if (path == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_checkpoint_open(&saved->reader, world, path));
    const halo_checkpoint *info = halo_checkpoint_info(saved->reader);
    HALO_TRY(check_kernel(info, path));
    saved->json = json_loads(info->options, 0, NULL);
    bool good = read_state(saved, info, saved->json);
    HALO_TRY(halo_agree(world, good ? HALO_OK
                                    : halo_fail(HALO_FORMAT,
                                                "\"%s\" is a checkpoint of another version of "
                                                "`halobeat chan-vese`: %.200s",
                                                path, info->options)));
    return app_options_restore(given, saved->json, path);
}

void chan_vese_checkpoint_close(chan_vese_checkpoint *saved)
{
    halo_checkpoint_close(&saved->reader);
    json_decref(saved->image);
    json_decref(saved->json);
    saved->image = saved->json = NULL;
}

/* ---- rows --------------------------------------------------------------------------------------
 */

/* Bits behind the last pixel stay 0, whatever the file has there. */
static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    const halo_view *view = context;
    int64_t width = view->owned.n[1];
    size_t bytes = row_bytes(width);
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = halo_row(view, first - view->owned.lo[0] + i);
        memcpy(row, (const char *)data + (size_t)i * pitch, bytes);
        if (width % BITS_A_BYTE != 0) {
            row[bytes - 1] &= (unsigned char)((1 << width % BITS_A_BYTE) - 1);
        }
    }
    return HALO_OK;
}

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const halo_view *view = context;
    size_t bytes = row_bytes(view->owned.n[1]);
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, halo_row(view, first - view->owned.lo[0] + i),
               bytes);
    }
    return HALO_OK;
}

halo_status chan_vese_checkpoint_restore(chan_vese_checkpoint *saved, halo_world *world,
                                         halo_beat *beat, halo_clock *clock)
{
    halo_view view = *halo_beat_view(beat, 0);
    halo_stretch stretch = halo_clock_begin(world);
    halo_status status = halo_checkpoint_read(saved->reader, halo_beat_cuts(beat), take, &view);
    halo_clock_end(clock, HALO_PHASE_DECODE, stretch, world);
    return status;
}

static char *make_text(const chan_vese_checkpoint *what, const app_options *given)
{
    char trace[TRACE_TEXT];
    snprintf(trace, sizeof trace, "%016" PRIx64, what->trace);
    json_t *json = json_object();
    json_t *state = json_pack("{s:I, s:s, s:O}", "still", (json_int_t)what->still, "trace", trace,
                              "image", what->image);
    bool good =
        json != NULL && app_options_save(given, json) && json_object_update(json, state) == 0;
    char *text = good ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(state);
    json_decref(json);
    return text;
}

halo_status chan_vese_checkpoint_write(const chan_vese_checkpoint *what, halo_world *world,
                                       const app_options *given, const char *path,
                                       const halo_beat *beat, halo_clock *clock)
{
    halo_view view = *halo_beat_view(beat, 0);
    const int64_t *cuts = halo_beat_cuts(beat);
    char *text = make_text(what, given);
    halo_status status =
        text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text");
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        halo_checkpoint checkpoint = {.kernel = kernel_name,
                                      .options = text,
                                      .beat = what->beat,
                                      .rows = cuts[halo_world_ranks(world)],
                                      .row_bytes = row_bytes(view.owned.n[1])};
        halo_rows rows = {.fill = fill, .context = &view};
        halo_stretch stretch = halo_clock_begin(world);
        status = halo_checkpoint_write(world, path, &checkpoint, cuts, &rows);
        halo_clock_end(clock, HALO_PHASE_ENCODE, stretch, world);
    }
    free(text);
    return status;
}
