#define _POSIX_C_SOURCE 200809L
#include "app/image/frames.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/services/checkpoint.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* The choice of frames by the command line. */
typedef struct {
    int64_t first; /* -1: nothing */
    int64_t count; /* 0: nothing */
    int64_t begin; /* frames before that were read by an earlier run */
    const checkpoint_arguments *state;
    bool restores;       /* the first one is known */
    const char *command; /* for messages */
} asking;

/* How far behind a missing frame to look for others. */
enum { LOOK_AHEAD = 1000 };

const char *app_frames_name(const app_frames *frames, int64_t index, char out[FILENAME_SIZE])
{
    return frames->list != NULL ? frames->list[index]
                                : halo_filename_print(frames->pattern, frames->first + index, out);
}

static bool is_there(const app_frames *frames, int64_t index)
{
    char name[FILENAME_SIZE], file[FILENAME_SIZE];
    if (frames->parts > 0) {
        return frames->first + index < frames->parts;
    }
    const char *path = app_frames_name(frames, index, name);
    snprintf(file, sizeof file, "%.*s", (int)halo_name_input(path), path);
    return access(file, F_OK) == 0;
}

static halo_status find_first(app_frames *frames, const asking *requested)
{
    char name[FILENAME_SIZE], next[FILENAME_SIZE];
    if (requested->first >= 0) {
        frames->first = requested->first;
        return HALO_OK;
    }
    for (frames->first = 0; frames->first <= 1; frames->first++) {
        if (is_there(frames, 0)) {
            return HALO_OK;
        }
    }
    return halo_fail(HALO_FILE,
                     "there is neither \"%.1000s\" nor \"%.1000s\"; say with --first N where the "
                     "sequence begins",
                     halo_filename_print(frames->pattern, 0, name),
                     halo_filename_print(frames->pattern, 1, next));
}

/* A sequence ends where a frame is missing, unless there are others behind it. */
static halo_status check_end(const app_frames *frames)
{
    char name[FILENAME_SIZE], next[FILENAME_SIZE];
    for (int64_t i = frames->count + 1; i < frames->count + LOOK_AHEAD; i++) {
        HALO_FAIL_IF(is_there(frames, i), HALO_FILE,
                     "the sequence has a gap: \"%.1000s\" is missing, \"%.1000s\" is there; end "
                     "before it with --frames %" PRId64 ", or begin behind it with --first",
                     app_frames_name(frames, frames->count, name), app_frames_name(frames, i, next),
                     frames->count);
    }
    return HALO_OK;
}

static halo_status count_frames(app_frames *frames, const asking *requested)
{
    char name[FILENAME_SIZE];
    int64_t begin = requested->begin, i = begin;
    HALO_FAIL_IF(requested->count > 0 && requested->count <= begin, HALO_ARGUMENT,
                 "the checkpoint \"%s\" has been through %" PRId64
                 " pairs of frames, and --frames %" PRId64 " has fewer: give --frames %" PRId64
                 " or more",
                 requested->state->restore, begin, requested->count, begin + 1);
    while ((requested->count == 0 || i < requested->count) && is_there(frames, i)) {
        i++;
    }
    frames->count = i;
    HALO_FAIL_IF(i == begin || (requested->count > 0 && i < requested->count), HALO_FILE,
                 "frame \"%.1000s\" is missing%s", app_frames_name(frames, i, name),
                 requested->count > 0 ? "; leave out --frames to end before it" : "");
    return requested->count == 0 ? check_end(frames) : HALO_OK;
}

/* A checkpoint has the number that its sequence began with. */
static halo_status find_sequence(app_frames *frames, const asking *requested)
{
    if (!requested->restores) {
        HALO_TRY(find_first(frames, requested));
    } else if (requested->first >= 0 && requested->first != frames->first) {
        return halo_fail(HALO_ARGUMENT,
                         "--first %" PRId64 " is not where the sequence of the checkpoint began, "
                         "at frame %" PRId64 "; leave it out",
                         requested->first, frames->first);
    }
    return count_frames(frames, requested);
}

static halo_status check_count(const app_frames *frames, const asking *requested)
{
    char name[FILENAME_SIZE];
    /* A command that goes on by itself may find that it was done. */
    int64_t least = requested->state->resume && requested->begin > 0 ? 1 : 2;
    if (frames->count >= requested->begin + least) {
        return HALO_OK;
    }
    HALO_FAIL_IF(requested->state->restore != NULL, HALO_ARGUMENT,
                 "nothing is left to do: the checkpoint \"%s\" has been through all %" PRId64
                 " frames",
                 requested->state->restore, frames->count);
    return halo_fail(HALO_FILE, "\"%.1000s\" is the only frame; %s needs two",
                     app_frames_name(frames, 0, name), requested->command);
}

static halo_status find(app_frames *frames, const asking *requested)
{
    if (frames->list != NULL) {
        frames->first = 1;
    } else {
        HALO_TRY(find_sequence(frames, requested));
    }
    return check_count(frames, requested);
}

/* ---- frames that are parts of one file ------------------------------------------------------- */

static halo_status open_frame(app_run *run, app_frames *frames, int64_t index)
{
    app_image_options options = app_image_options_of_run(run);
    options.frames = true;
    if (frames->range.given) {
        options.range = frames->range;
    }
    return app_image_open(run->image, run, app_frames_name(frames, index, frames->name), &options);
}

/* Which parts of a file the number of the pattern counts, as in FILE:t=%d; HALO_IMAGE_CHOICES: it
 * counts files. */
static int counted_parts(const filename_pattern *pattern)
{
    static const char *const letters[] = {
#define LETTER(code, word, words, letter) letter,
        HALO_IMAGE_CHOICE_LIST(LETTER)
#undef LETTER
    };
    const char *text = pattern->text, *at = text + pattern->before;
    int kind = 0;
    if (pattern->before < halo_name_chosen(text) + 3 || at[-1] != '=') {
        return HALO_IMAGE_CHOICES;
    }
    while (kind < HALO_IMAGE_CHOICES && at[-2] != letters[kind][0]) {
        kind++;
    }
    return kind;
}

/* Collective. A file says how many parts it has. */
static halo_status count_parts(app_run *run, app_frames *frames, int64_t first)
{
    int kind = frames->list != NULL ? HALO_IMAGE_CHOICES : counted_parts(frames->pattern);
    if (kind == HALO_IMAGE_CHOICES) {
        return HALO_OK;
    }
    frames->first = app_restores(run) ? frames->first : first > 0 ? first : 0;
    halo_status status = open_frame(run, frames, 0);
    frames->parts = run->image->info.parts[kind].count;
    app_image_close(run->image);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status app_frames_find(app_run *run, app_frames *frames, const filename_pattern *pattern,
                            int64_t first, int64_t count)
{
    const app_inputs *inputs = &run->arguments->image;
    const asking requested = {.first = first,
                              .count = count,
                              .begin = run->first_beat,
                              .state = app_checkpoint_arguments(run),
                              .restores = app_restores(run),
                              .command = run->command->syntax->name};
    frames->list = inputs->count > 1 ? inputs->list : NULL;
    frames->pattern = pattern;
    frames->count = inputs->count;
    HALO_TRY(count_parts(run, frames, first));
    HALO_TRY(halo_agree(run->world, app_is_root(run) ? find(frames, &requested) : HALO_OK));
    int64_t found[] = {frames->first, frames->count};
    HALO_TRY(halo_bcast(run->world, found, sizeof found, 0));
    frames->first = found[0];
    frames->count = found[1];
    return HALO_OK;
}

halo_status app_frames_add(const app_frames *frames, app_files *files)
{
    char name[FILENAME_SIZE];
    for (int64_t i = 0; i < frames->count; i++) {
        HALO_TRY(app_files_add(files, APP_READ, app_frames_name(frames, i, name)));
    }
    return HALO_OK;
}

/* ---- the range of greys ---------------------------------------------------------------------- */

/* Collective. Adds the samples of the frame that is open, which is the first one or another. */
static halo_status add_samples(const app_run *run, bool first, halo_sample_extremes *all)
{
    halo_sample_extremes of;
    HALO_TRY(app_image_find_extremes(run->image, &of));
    all->type = first ? of.type : all->type;
    HALO_FAIL_IF(of.type != all->type, HALO_FORMAT,
                 "%s: samples of type %s, and those of the first frame have the type %s; say what "
                 "is black and white in all of them with --range LOW..HIGH",
                 run->image->path, halo_sample_types[of.type].name,
                 halo_sample_types[all->type].name);
    if (of.finite > 0) {
        all->min = all->finite > 0 ? halo_min(all->min, of.min) : of.min;
        all->max = all->finite > 0 ? halo_max(all->max, of.max) : of.max;
        all->finite += of.finite;
    }
    return HALO_OK;
}

/* A run that goes on has greys of the range that it began with. */
static halo_status check_saved(const app_run *run, const halo_sample_extremes *saved,
                               const halo_sample_extremes *all)
{
    if (!app_restores(run) || halo_sample_are_greys(all) ||
        (saved->finite > 0 && saved->min == all->min && saved->max == all->max)) {
        return HALO_OK;
    }
    const halo_sample_range range = halo_sample_range_of(all);
    char low[HALO_NUMBER_TEXT], high[HALO_NUMBER_TEXT];
    halo_number_print(&range.low, low);
    halo_number_print(&range.high, high);
    return halo_fail(
        HALO_ARGUMENT,
        "samples of the frames are from %s to %s, beyond the range of greys that the "
        "checkpoint's frames had; begin again, with all frames, or with --range LOW..HIGH",
        low, high);
}

/* Collective. The first frame is open, and its samples are no greys as they are. */
static halo_status find_range(app_run *run, app_frames *frames)
{
    const halo_sample_extremes saved = frames->samples;
    halo_sample_extremes *all = &frames->samples;
    for (int64_t i = run->first_beat; i < frames->count; i++) {
        bool first = i == run->first_beat;
        HALO_TRY(first ? HALO_OK : open_frame(run, frames, i));
        halo_status status = add_samples(run, first, all);
        app_image_close(run->image);
        HALO_TRY(status);
    }
    HALO_TRY(check_saved(run, &saved, all));
    if (!halo_sample_are_greys(all)) {
        frames->range = halo_sample_range_of(all);
    }
    return open_frame(run, frames, run->first_beat);
}

/* ---- reading --------------------------------------------------------------------------------- */

halo_status app_frames_open(app_run *run, app_frames *frames, int64_t index)
{
    bool first = index == run->first_beat;
    HALO_TRY(open_frame(run, frames, index));
    HALO_TRY(first && run->image->info.needs_range ? find_range(run, frames) : HALO_OK);
    frames->maximum = first ? run->image->maximum : frames->maximum;
    return HALO_OK;
}

halo_status app_frames_check(const app_run *run, const app_frames *frames, int64_t index, int bits)
{
    const app_image *now = run->image;
    const int64_t *is = now->domain.n, *was = run->domain.n;
    char out[FILENAME_SIZE];
    const char *name = app_frames_name(frames, index - 1, out);
    HALO_FAIL_IF(is[0] != was[0] || is[1] != was[1], HALO_FORMAT,
                 "\"%.1000s\" has %" PRId64 " x %" PRId64 " pixels and \"%.1000s\" %" PRId64
                 " x %" PRId64 "; frames must have the same size",
                 now->path, is[1], is[0], name, was[1], was[0]);
    HALO_FAIL_IF(now->cell_bits != bits, HALO_FORMAT,
                 "\"%.1000s\" has %d bits a pixel and \"%.1000s\" %d; frames must have the same",
                 now->path, now->cell_bits, name, bits);
    return HALO_REQUIRE(now->maximum == frames->maximum, HALO_FORMAT,
                        "white is %" PRId64 " in \"%.1000s\" and %" PRId64
                        " in the first frame; say what it is in all of them with --range 0..WHITE",
                        now->maximum, now->path, frames->maximum);
}
