#define _POSIX_C_SOURCE 200809L
#include "app/services/checkpoint.h"
#include "base/names.h"
#include "cli/motion/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* How far behind a missing frame to look for others. */
enum { LOOK_AHEAD = 1000 };

const char *motion_frame_name(const motion_frames *frames, int64_t index, char out[FILENAME_SIZE])
{
    return frames->list != NULL ? frames->list[index]
                                : halo_filename_print(frames->pattern, frames->first + index, out);
}

static bool is_there(const motion_frames *frames, int64_t index)
{
    char name[FILENAME_SIZE], file[FILENAME_SIZE];
    const char *path = motion_frame_name(frames, index, name);
    snprintf(file, sizeof file, "%.*s", (int)halo_name_input(path), path);
    return access(file, F_OK) == 0;
}

static halo_status find_first(motion_frames *frames, const motion_options *asked)
{
    char name[FILENAME_SIZE], next[FILENAME_SIZE];
    if (asked->first >= 0) {
        frames->first = asked->first;
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
static halo_status check_end(const motion_frames *frames)
{
    char name[FILENAME_SIZE], next[FILENAME_SIZE];
    for (int64_t i = frames->count + 1; i < frames->count + LOOK_AHEAD; i++) {
        if (is_there(frames, i)) {
            return halo_fail(
                HALO_FILE,
                "the sequence has a gap: \"%.1000s\" is missing, \"%.1000s\" is there; "
                "end before it with --frames %" PRId64 ", or begin behind it with --first",
                motion_frame_name(frames, frames->count, name), motion_frame_name(frames, i, next),
                frames->count);
        }
    }
    return HALO_OK;
}

static halo_status count_frames(motion_frames *frames, const motion_options *asked, int64_t begin)
{
    char name[FILENAME_SIZE];
    int64_t i = begin;
    if (asked->count > 0 && asked->count <= begin) {
        return halo_fail(HALO_ARGUMENT,
                         "the checkpoint \"%s\" has been through %" PRId64 " pairs of frames, and "
                         "--frames %" PRId64 " has fewer: give --frames %" PRId64 " or more",
                         asked->all.state.restore, begin, asked->count, begin + 1);
    }
    while ((asked->count == 0 || i < asked->count) && is_there(frames, i)) {
        i++;
    }
    frames->count = i;
    if (i == begin || (asked->count > 0 && i < asked->count)) {
        return halo_fail(HALO_FILE, "frame \"%.1000s\" is missing%s",
                         motion_frame_name(frames, i, name),
                         asked->count > 0 ? "; leave out --frames to end before it" : "");
    }
    return asked->count == 0 ? check_end(frames) : HALO_OK;
}

/* A checkpoint has the number that its sequence began with. */
static halo_status find_sequence(motion_frames *frames, const motion_options *asked, int64_t begin,
                                 const json_t *saved)
{
    frames->first = json_integer_value(saved);
    if (saved == NULL) {
        HALO_TRY(find_first(frames, asked));
    } else if (asked->first >= 0 && asked->first != frames->first) {
        return halo_fail(HALO_ARGUMENT,
                         "--first %" PRId64 " is not where the sequence of the checkpoint began, "
                         "at frame %" PRId64 "; leave it out",
                         asked->first, frames->first);
    }
    return count_frames(frames, asked, begin);
}

static halo_status check_count(const motion_frames *frames, const motion_options *asked,
                               int64_t begin)
{
    char name[FILENAME_SIZE];
    /* A command that goes on by itself may find that it was done. */
    int64_t least = asked->all.state.resume && begin > 0 ? 1 : 2;
    if (frames->count >= begin + least) {
        return HALO_OK;
    }
    if (asked->all.state.restore != NULL) {
        return halo_fail(
            HALO_ARGUMENT,
            "nothing is left to do: the checkpoint \"%s\" has been through all %" PRId64 " frames",
            asked->all.state.restore, frames->count);
    }
    return halo_fail(HALO_FILE, "\"%.1000s\" is the only frame; motion needs two",
                     motion_frame_name(frames, 0, name));
}

static halo_status find(motion_frames *frames, const motion_options *asked, int64_t begin,
                        const json_t *saved)
{
    if (frames->list != NULL) {
        frames->first = 1;
        frames->count = asked->all.image.count;
    } else {
        HALO_TRY(find_sequence(frames, asked, begin, saved));
    }
    return check_count(frames, asked, begin);
}

/* Only rank 0 needs to see the files. */
halo_status motion_find_frames(app_run *run)
{
    const motion_options *asked = run->options;
    motion_frames *frames = &((motion_job *)run->job)->frames;
    bool looks = halo_world_rank(run->world) == 0;
    frames->list = asked->all.image.count > 1 ? asked->all.image.list : NULL;
    frames->pattern = &asked->pattern;
    HALO_TRY(halo_agree(run->world, looks ? find(frames, asked, run->first_beat,
                                                 json_object_get(app_restored(run), "first_frame"))
                                          : HALO_OK));
    int64_t found[] = {frames->first, frames->count};
    HALO_TRY(halo_bcast(run->world, found, sizeof found, 0));
    frames->first = found[0];
    frames->count = found[1];
    return HALO_OK;
}
