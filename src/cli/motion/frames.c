#define _POSIX_C_SOURCE 200809L
#include "cli/motion/frames.h"

#include "core/world/collect.h"

#include <inttypes.h>
#include <unistd.h>

/* How far behind a missing frame to look for others. */
enum { LOOK_AHEAD = 1000 };

const char *motion_frames_name(const motion_frames *frames, int64_t index, char out[NUMBERED_SIZE])
{
    return frames->list != NULL ? frames->list[index]
                                : numbered_print(&frames->name, frames->first + index, out);
}

const char *motion_frames_file(const motion_frames *frames, const numbered_name *file,
                               int64_t index, char out[NUMBERED_SIZE])
{
    return file->text != NULL ? numbered_print(file, frames->first + index, out) : NULL;
}

static bool is_there(const motion_frames *frames, int64_t index)
{
    char name[NUMBERED_SIZE];
    return access(motion_frames_name(frames, index, name), F_OK) == 0;
}

static halo_status find_first(motion_frames *frames, const motion_arguments *arguments)
{
    char name[NUMBERED_SIZE], next[NUMBERED_SIZE];
    if (arguments->first >= 0) {
        frames->first = arguments->first;
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
                     numbered_print(&frames->name, 0, name),
                     numbered_print(&frames->name, 1, next));
}

/* A sequence ends where a frame is missing, unless there are others behind it. */
static halo_status check_end(const motion_frames *frames)
{
    char name[NUMBERED_SIZE], next[NUMBERED_SIZE];
    for (int64_t i = frames->count + 1; i < frames->count + LOOK_AHEAD; i++) {
        if (is_there(frames, i)) {
            return halo_fail(
                HALO_FILE,
                "the sequence has a gap: \"%.1000s\" is missing, \"%.1000s\" is there; "
                "end before it with --frames %" PRId64 ", or begin behind it with --first",
                motion_frames_name(frames, frames->count, name),
                motion_frames_name(frames, i, next), frames->count);
        }
    }
    return HALO_OK;
}

static halo_status count_frames(motion_frames *frames, const motion_arguments *arguments,
                                int64_t begin)
{
    char name[NUMBERED_SIZE];
    int64_t i = begin;
    while ((arguments->count == 0 || i < arguments->count) && is_there(frames, i)) {
        i++;
    }
    frames->count = i;
    if (i == begin || (arguments->count > 0 && i < arguments->count)) {
        return halo_fail(HALO_FILE, "frame \"%.1000s\" is missing%s",
                         motion_frames_name(frames, i, name),
                         arguments->count > 0 ? "; leave out --frames to end before it" : "");
    }
    return arguments->count == 0 ? check_end(frames) : HALO_OK;
}

static halo_status find_sequence(motion_frames *frames, const motion_arguments *arguments,
                                 int64_t begin, int64_t first)
{
    HALO_TRY(numbered_parse(&frames->name, arguments->frames.names[0]));
    frames->first = first;
    if (first < 0) {
        HALO_TRY(find_first(frames, arguments));
    } else if (arguments->first >= 0 && arguments->first != first) {
        return halo_fail(HALO_ARGUMENT,
                         "--first %" PRId64
                         " is not where the sequence of the checkpoint began, at "
                         "frame %" PRId64 "; leave it out",
                         arguments->first, first);
    }
    return count_frames(frames, arguments, begin);
}

static halo_status check_count(const motion_frames *frames, const motion_arguments *arguments,
                               int64_t begin)
{
    char name[NUMBERED_SIZE];
    if (frames->count >= begin + 2) {
        return HALO_OK;
    }
    if (arguments->saving.restore != NULL) {
        return halo_fail(
            HALO_ARGUMENT,
            "nothing is left to do: the checkpoint \"%s\" has been through all %" PRId64 " frames",
            arguments->saving.restore, frames->count);
    }
    return halo_fail(HALO_FILE, "\"%.1000s\" is the only frame; motion needs two",
                     motion_frames_name(frames, 0, name));
}

static halo_status find(motion_frames *frames, const motion_arguments *arguments, int64_t begin,
                        int64_t first)
{
    if (frames->list != NULL) {
        frames->first = 1;
        frames->count = arguments->frames.count;
    } else {
        HALO_TRY(find_sequence(frames, arguments, begin, first));
    }
    return check_count(frames, arguments, begin);
}

/* Only rank 0 needs to see the files. */
halo_status motion_frames_find(motion_frames *frames, halo_world *world,
                               const motion_arguments *arguments, int64_t begin, int64_t first)
{
    *frames = (motion_frames){.list = arguments->frames.count > 1 ? arguments->frames.names : NULL};
    bool looks = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(world, looks ? find(frames, arguments, begin, first) : HALO_OK));
    int64_t found[] = {frames->first, frames->count};
    HALO_TRY(halo_bcast(world, found, sizeof found, 0));
    frames->first = found[0];
    frames->count = found[1];
    return frames->list != NULL ? HALO_OK
                                : numbered_parse(&frames->name, arguments->frames.names[0]);
}
