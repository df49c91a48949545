#include "io/image/axes.h"

#include "base/memory.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* Parse the choices behind a file's name, x.tif:c=1,t=0, and check that the file has them. */

const halo_image_choice_word halo_image_choice_words[] = {
#define KIND_ENTRY(code, word, words, letter) {word, words, letter},
    HALO_IMAGE_CHOICE_LIST(KIND_ENTRY)
#undef KIND_ENTRY
};

static int find_kind(const char *key)
{
    for (int i = 0; i < HALO_IMAGE_CHOICES; i++) {
        if (strcmp(key, halo_image_choice_words[i].word) == 0 ||
            strcmp(key, halo_image_choice_words[i].letter) == 0) {
            return i;
        }
    }
    return -1;
}

/* Splits KEY=VALUE,..., of which halo_name_chosen has seen the form. */
static halo_status parse(halo_image_reader *reader)
{
    unsigned given = 0;
    for (char *at = reader->choice_text; at != NULL;) {
        char *next = strchr(at, ','), *value = strchr(at, '=');
        if (next != NULL) {
            *next++ = '\0';
        }
        *value++ = '\0';
        bool level = strcmp(at, "l") == 0 || strcmp(at, "level") == 0;
        int kind = level ? HALO_IMAGE_CHOICES : find_kind(at);
        if (kind < 0) {
            return halo_fail(HALO_ARGUMENT,
                             "%s: there is no \"%.40s\" to choose behind the name of a file; it is "
                             "c (channel), t (time), z (plane), p (page), s (series) or l (level)",
                             reader->path, at);
        }
        if ((given >> kind & 1) != 0) {
            return halo_fail(HALO_ARGUMENT,
                             "%s: two of \"%s=\" stand behind the name of the file; give one",
                             reader->path, at);
        }
        given |= 1U << kind;
        *(level ? &reader->level : &reader->choices.of[kind]) = value;
        at = next;
    }
    return HALO_OK;
}

halo_status halo_image_take_choices(halo_image_reader *reader, const char *path)
{
    bool stack = reader->options.slice_count > 0; /* whose slices choose for themselves */
    size_t length = strlen(path), name = stack ? length : halo_name_chosen(path);
    HALO_TRY(HALO_ALLOCATE(reader->path, name + 1, "the name of a file"));
    memcpy(reader->path, path, name);
    reader->choices = reader->options.choices;
    if (name == length) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE(reader->choice_text, length - name, "the name of a file"));
    memcpy(reader->choice_text, path + name + 1, length - name);
    return parse(reader);
}

void halo_image_name_colours(halo_image_axes *axes, int channels)
{
    static const char *const names[] = {"red", "green", "blue", "alpha"};
    static const char *const greys[] = {"grey", "alpha"};
    for (int i = 0; i < channels && i < 4; i++) {
        halo_image_add_name(axes, HALO_IMAGE_CHANNEL, channels == 2 ? greys[i] : names[i]);
    }
}

static halo_status pick_colour(halo_image_reader *reader)
{
    halo_image_axes axes = {.count = 0};
    int64_t index;
    int channels = reader->samples.channels;
    halo_image_name_colours(&axes, channels);
    HALO_TRY(halo_image_find_index(reader, &axes, HALO_IMAGE_CHANNEL, channels, &index));
    halo_image_note_part(reader, &axes, HALO_IMAGE_CHANNEL, index, channels);
    reader->pick = (int)index;
    return HALO_OK;
}

/* From here on, pixels have the one sample that was chosen. */
static void use_pick(halo_image_reader *reader)
{
    halo_image_samples *samples = &reader->samples;
    halo_image_info *info = &reader->info;
    reader->stored = samples->channels;
    samples->channels = info->channels = 1;
    samples->alpha = HALO_ALPHA_NONE;
    info->colourful = false;
    snprintf(info->kind, sizeof info->kind, "%s", halo_image_kind(samples));
}

halo_status halo_image_check_choices(halo_image_reader *reader)
{
    const char *const *of = reader->choices.of;
    bool unused = of[HALO_IMAGE_CHANNEL] != NULL && (reader->used >> HALO_IMAGE_CHANNEL & 1) == 0;
    if (unused && !reader->converted && reader->samples.channels > 1) {
        HALO_TRY(pick_colour(reader));
    }
    for (int i = 0; i < HALO_IMAGE_CHOICES; i++) {
        int64_t index;
        if (of[i] != NULL && (reader->used >> i & 1) == 0) {
            HALO_TRY(halo_image_find_index(reader, NULL, (halo_image_choice)i, 1, &index));
        }
    }
    HALO_FAIL_IF(reader->level != NULL && !reader->level_used, HALO_ARGUMENT,
                 "%s: level %.40s was chosen, and only images of OME-Zarr, by the names of their "
                 "groups, have levels; leave it out",
                 reader->path, reader->level);
    if (reader->pick >= 0 && reader->samples.channels > 1) {
        use_pick(reader);
    }
    return HALO_OK;
}
