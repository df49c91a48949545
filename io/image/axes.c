#include "io/image/axes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Which part of a file with more axes than an image or a volume has is read. */

enum { LEAST_CHANNELS = 2, MOST_COLOURS = 4, TEXT_BYTES = 300, INDEX_DIGITS = 18 };

/* ---- text that grows ------------------------------------------------------------------------- */

/* Appends to `text` [size] what fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    va_list values;
    size_t used = strlen(text);
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

void halo_image_add_note(halo_image_reader *reader, const char *format, ...)
{
    char *note = reader->info.note;
    va_list values;
    append(note, HALO_IMAGE_NOTE, "%s", note[0] != '\0' ? "; " : "");
    size_t used = strlen(note);
    va_start(values, format);
    vsnprintf(note + used, HALO_IMAGE_NOTE - used, format, values);
    va_end(values);
}

/* ---- axes and names -------------------------------------------------------------------------- */

bool halo_image_add_axis(halo_image_axes *axes, halo_axis_kind kind, int64_t size)
{
    if (axes->count >= HALO_IMAGE_MAX_AXES) {
        return false;
    }
    axes->axis[axes->count++] = (halo_image_axis){kind, size};
    return true;
}

void halo_image_add_name(halo_image_axes *axes, halo_image_choice kind, const char *name)
{
    char *names = axes->names[kind];
    size_t used = strlen(names), length = strcspn(name, "\n");
    length = length < HALO_IMAGE_NAME ? length : HALO_IMAGE_NAME - 1;
    if (used + length + 2 <= HALO_IMAGE_NAMES_BYTES) {
        memcpy(names + used, name, length);
        memcpy(names + used + length, "\n", 2);
    }
}

/* Name `index` of `names`: its length is returned, 0 if it has none. */
static size_t name_at(const char *names, int64_t index, const char **name)
{
    *name = names;
    for (int64_t i = 0; i < index && **name != '\0'; i++) {
        *name += strcspn(*name, "\n");
        *name += **name == '\n';
    }
    return strcspn(*name, "\n");
}

static int64_t find_name(const char *names, int64_t count, const char *wanted)
{
    const char *name = names;
    for (int64_t i = 0; i < count && *name != '\0'; i++) {
        size_t length = strcspn(name, "\n");
        if (length == strlen(wanted) && length > 0 && strncasecmp(name, wanted, length) == 0) {
            return i;
        }
        name += length + (name[length] == '\n');
    }
    return -1;
}

void halo_image_print_count(const halo_image_axes *axes, halo_image_choice kind, int64_t count,
                            char *text, size_t size)
{
    enum { SHOWN = 6 };
    const char *names = axes != NULL ? axes->names[kind] : "", *name;
    bool named = name_at(names, 0, &name) > 0;
    append(text, size, "%" PRId64 " %s", count,
           count == 1 ? halo_image_choice_words[kind].word : halo_image_choice_words[kind].words);
    for (int64_t i = 0; named && i < count && i < SHOWN; i++) {
        int length = (int)name_at(names, i, &name);
        append(text, size, "%s%.*s", i == 0 ? " (" : ", ", length < 24 ? length : 24, name);
    }
    append(text, size, "%s", !named ? "" : count > SHOWN ? ", ...)" : ")");
}

/* ---- what was chosen ------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= INDEX_DIGITS && text[digits] == '\0';
}

halo_status halo_image_find_index(const halo_image_reader *reader, const halo_image_axes *axes,
                                  halo_image_choice kind, int64_t size, int64_t *index)
{
    const char *text = reader->choices.of[kind];
    long long number = -1;
    if (is_number(text) && sscanf(text, "%lld", &number) == 1 && number < size) {
        *index = number;
        return HALO_OK;
    }
    *index = axes != NULL ? find_name(axes->names[kind], size, text) : -1;
    if (*index >= 0) {
        return HALO_OK;
    }
    char has[TEXT_BYTES] = "", last[40] = "";
    halo_image_print_count(axes, kind, size, has, sizeof has);
    snprintf(last, sizeof last, size > 1 ? "to %" PRId64 : "%" PRId64, size - 1);
    return halo_fail(HALO_ARGUMENT,
                     "%s: has %s, and no %s is \"%.40s\"; they are numbered from 0%s%s",
                     reader->path, has, halo_image_choice_words[kind].word, text,
                     size > 1 ? " " : "", size > 1 ? last : "");
}

void halo_image_note_part(halo_image_reader *reader, const halo_image_axes *axes,
                          halo_image_choice kind, int64_t index, int64_t count)
{
    halo_image_taken *taken = &reader->info.parts[kind];
    const char *name = "";
    size_t length = axes != NULL ? name_at(axes->names[kind], index, &name) : 0;
    *taken = (halo_image_taken){.index = index, .count = count};
    length = length < sizeof taken->name ? length : sizeof taken->name - 1;
    memcpy(taken->name, name, length);
    reader->used |= 1U << kind;
}

/* ---- arrays without names for their axes ----------------------------------------------------- */

static void print_sizes(const int64_t *sizes, int count, char *text, size_t size)
{
    for (int i = 0; i < count; i++) {
        append(text, size, "%s%" PRId64, i > 0 ? " x " : "", sizes[i]);
    }
}

/* The last axis of 2 to 4 samples may be channels: *kind is then what it is. */
static halo_status judge_last(halo_image_reader *reader, halo_sample_type type, int count,
                              const int64_t *sizes, halo_axis_kind *kind)
{
    const halo_image_options *options = &reader->options;
    int64_t last = sizes[count - 1];
    char text[TEXT_BYTES] = "";
    bool small = count >= 3 && last >= LEAST_CHANNELS && last <= MOST_COLOURS;
    bool coloured = last >= 3 && (type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16);
    *kind = HALO_AXIS_SPACE;
    bool chosen = small && reader->choices.of[HALO_IMAGE_CHANNEL] != NULL;
    if (!small || chosen || options->solid) {
        *kind = chosen ? HALO_AXIS_CHANNEL : HALO_AXIS_SPACE;
        return HALO_OK;
    }
    print_sizes(sizes, count, text, sizeof text);
    if (coloured) {
        *kind = options->narrow ? HALO_AXIS_SPACE : HALO_AXIS_COLOUR;
        halo_image_add_note(reader,
                            options->narrow ? "%s samples taken for a volume"
                                            : "of %s samples the last axis is the colour",
                            text);
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s: an array of %s samples of %s can be an image of %" PRId64
                     " channels, or a volume that is %" PRId64
                     " columns wide; choose a channel with --channel N, or as %s:c=N, or say "
                     "--volume",
                     reader->path, text, halo_sample_types[type].name, last, last, reader->path);
}

/* If there are more than three axes, drop those of size 1: channels, which come last, before
 * times, which come first. */
static void drop_ones(int count, const int64_t *sizes, bool samples, bool *dropped)
{
    int left = count - samples;
    for (int i = 0; left > 3 && i < count; i++) {
        int axis = i == 0 ? count - 1 : i - 1;
        dropped[axis] = sizes[axis] == 1;
        left -= dropped[axis];
    }
}

halo_status halo_image_array_axes(halo_image_reader *reader, halo_sample_type type, int count,
                                  const int64_t *sizes, halo_image_axes *axes)
{
    halo_axis_kind last;
    bool dropped[HALO_IMAGE_MAX_AXES] = {false};
    int left = 0;
    if (count < 1 || count > HALO_IMAGE_MAX_AXES) {
        return halo_fail(HALO_FORMAT, "%s: an array of %d axes; 2 to %d can be read", reader->path,
                         count, HALO_IMAGE_MAX_AXES);
    }
    HALO_TRY(judge_last(reader, type, count, sizes, &last));
    drop_ones(count, sizes, last != HALO_AXIS_SPACE, dropped);
    for (int i = 0; i < count; i++) {
        left += !dropped[i];
    }
    left -= last != HALO_AXIS_SPACE;
    for (int i = 0; i < count; i++) {
        bool samples = i == count - 1 && last != HALO_AXIS_SPACE;
        halo_axis_kind kind = samples      ? last
                              : dropped[i] ? HALO_AXIS_UNKNOWN
                              : left-- > 3 ? HALO_AXIS_UNKNOWN
                                           : HALO_AXIS_SPACE;
        (void)halo_image_add_axis(axes, kind, sizes[i]); /* there is room, as was seen */
    }
    bool grey = type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
    if (last == HALO_AXIS_CHANNEL && grey && sizes[count - 1] > 2) { /* else they were colours */
        halo_image_name_colours(axes, (int)sizes[count - 1]);
    }
    return HALO_OK;
}

halo_status halo_image_named_axes(halo_image_reader *reader, halo_sample_type type, int count,
                                  const int64_t *sizes, const halo_axis_kind *kinds,
                                  halo_image_axes *axes)
{
    int spaces = 0;
    bool grey = type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
    if (count < 1 || count > HALO_IMAGE_MAX_AXES) {
        return halo_image_array_axes(reader, type, count, sizes, axes);
    }
    for (int i = 0; i < count; i++) {
        spaces += kinds[i] == HALO_AXIS_SERIES;
    }
    for (int i = 0; i < count; i++) {
        halo_axis_kind kind = kinds[i];
        if (kind == HALO_AXIS_SERIES) {
            kind = spaces-- <= 3 ? HALO_AXIS_SPACE : HALO_AXIS_UNKNOWN;
        }
        bool last = i == count - 1 && kind == HALO_AXIS_CHANNEL;
        bool coloured = last && grey && (sizes[i] == 3 || sizes[i] == MOST_COLOURS) &&
                        reader->choices.of[HALO_IMAGE_CHANNEL] == NULL && !reader->options.narrow;
        (void)halo_image_add_axis(axes, coloured ? HALO_AXIS_COLOUR : kind, sizes[i]);
    }
    return HALO_OK;
}

/* ---- the part -------------------------------------------------------------------------------- */

/* By which option each axis is chosen: kind, or -1 for axes of space and of colours. */
typedef struct {
    int by[HALO_IMAGE_MAX_AXES];
} axis_options;

static bool has_kind(const halo_image_axes *axes, halo_axis_kind kind)
{
    for (int i = 0; i < axes->count; i++) {
        if (axes->axis[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* An option for an axis without a name: one that was given, otherwise `suggested`. */
static int option_of_unknown(const halo_image_reader *reader, const halo_image_axes *axes,
                             unsigned *taken)
{
    static const halo_image_choice order[] = {HALO_IMAGE_TIME, HALO_IMAGE_CHANNEL, HALO_IMAGE_PAGE,
                                              HALO_IMAGE_SERIES};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 4; i++) {
            bool given = reader->choices.of[order[i]] != NULL;
            if ((pass > 0 || given) && (*taken >> order[i] & 1) == 0 &&
                !has_kind(axes, (halo_axis_kind)order[i])) {
                *taken |= 1U << order[i];
                return (int)order[i];
            }
        }
    }
    return HALO_IMAGE_PAGE;
}

static axis_options find_options(const halo_image_reader *reader, const halo_image_axes *axes)
{
    axis_options options = {{0}};
    unsigned taken = 0;
    for (int i = 0; i < axes->count; i++) {
        const halo_image_axis *axis = &axes->axis[i];
        options.by[i] = axis->kind < HALO_AXIS_SPACE ? (int)axis->kind : -1;
        if (axis->kind == HALO_AXIS_UNKNOWN && axis->size > 1) {
            options.by[i] = option_of_unknown(reader, axes, &taken);
        }
    }
    return options;
}

/* Says along which axes nothing was chosen, and how to. */
static halo_status fail_missing(const halo_image_reader *reader, const halo_image_axes *axes,
                                const axis_options *options, const bool *missing)
{
    char has[TEXT_BYTES] = "", names[TEXT_BYTES] = "", letters[TEXT_BYTES] = "";
    int count = 0;
    for (int i = 0; i < axes->count; i++) {
        int kind = options->by[i];
        if (!missing[i]) {
            continue;
        }
        append(has, sizeof has, "%s", count > 0 ? " and " : "");
        if (axes->axis[i].kind == HALO_AXIS_UNKNOWN) {
            append(has, sizeof has, "%" PRId64 " images along the unnamed axis %d",
                   axes->axis[i].size, i + 1);
        } else {
            halo_image_print_count(axes, (halo_image_choice)kind, axes->axis[i].size, has,
                                   sizeof has);
        }
        append(names, sizeof names, "%s--%s", count > 0 ? " and " : "",
               halo_image_choice_words[kind].word);
        append(letters, sizeof letters, "%s%s=0", count > 0 ? "," : "",
               halo_image_choice_words[kind].letter);
        count++;
    }
    return halo_fail(HALO_FORMAT, "%s: has %s; choose with %s, or as %s:%s", reader->path, has,
                     names, reader->path, letters);
}

static halo_status choose_index(halo_image_reader *reader, const halo_image_axes *axes, int i,
                                int option, halo_image_part *part, bool *missing)
{
    const halo_image_axis *axis = &axes->axis[i];
    halo_image_choice kind = (halo_image_choice)option;
    *missing = reader->choices.of[kind] == NULL && axis->size > 1;
    if (*missing || reader->choices.of[kind] == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_image_find_index(reader, axes, kind, axis->size, &part->at[i]));
    halo_image_note_part(reader, axes, kind, part->at[i], axis->size);
    return HALO_OK;
}

/* Volumes of which a plane is chosen become images. */
static halo_status choose_plane(halo_image_reader *reader, const halo_image_axes *axes,
                                halo_image_part *part)
{
    int planes = part->space[0];
    if (planes < 0 || reader->choices.of[HALO_IMAGE_PLANE] == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_image_find_index(reader, NULL, HALO_IMAGE_PLANE, axes->axis[planes].size,
                                   &part->at[planes]));
    halo_image_note_part(reader, NULL, HALO_IMAGE_PLANE, part->at[planes], axes->axis[planes].size);
    part->space[0] = -1;
    return HALO_OK;
}

/* The axes of space, of which the last ones are rows and columns. */
static halo_status find_space(const halo_image_reader *reader, const halo_image_axes *axes,
                              halo_image_part *part)
{
    int found = 0;
    for (int i = axes->count - 1; i >= 0; i--) {
        if (axes->axis[i].kind != HALO_AXIS_SPACE) {
            continue;
        }
        if (found == 3) {
            return halo_fail(HALO_FORMAT,
                             "%s: has more than three axes of space; save one volume of it",
                             reader->path);
        }
        part->space[2 - found++] = i;
    }
    return HALO_OK;
}

halo_status halo_image_choose_part(halo_image_reader *reader, const halo_image_axes *axes,
                                   halo_image_part *part)
{
    bool missing[HALO_IMAGE_MAX_AXES] = {false}, any = false;
    const axis_options options = find_options(reader, axes);
    *part = (halo_image_part){.space = {-1, -1, -1}, .samples = -1};
    HALO_TRY(find_space(reader, axes, part));
    for (int i = 0; i < axes->count; i++) {
        if (options.by[i] >= 0) {
            HALO_TRY(choose_index(reader, axes, i, options.by[i], part, &missing[i]));
        }
        any = any || missing[i];
    }
    if (any) {
        return fail_missing(reader, axes, &options, missing);
    }
    HALO_TRY(choose_plane(reader, axes, part));
    int last = axes->count - 1;
    bool samples = last > part->space[2] && axes->axis[last].size > 1;
    if (samples && axes->axis[last].size > UINT16_MAX) {
        return halo_fail(HALO_FORMAT,
                         "%s: pixels have %" PRId64 " samples; at most %d can be read, of which "
                         "one is chosen",
                         reader->path, axes->axis[last].size, UINT16_MAX);
    }
    part->samples = samples ? last : -1;
    reader->pick = samples && axes->axis[last].kind != HALO_AXIS_COLOUR ? (int)part->at[last] : -1;
    return HALO_OK;
}

void halo_image_set_array(halo_image_reader *reader, halo_sample_type type,
                          const halo_image_axes *axes, const halo_image_part *part)
{
    int64_t channels = part->samples >= 0 ? axes->axis[part->samples].size : 1;
    bool booleans = type == HALO_SAMPLE_BIT && channels > 1;
    halo_image_set_samples(reader, booleans ? HALO_SAMPLE_U8 : type, (int)channels);
}

int64_t halo_image_part_size(const halo_image_axes *axes, const halo_image_part *part, int which,
                             int64_t none)
{
    return part->space[which] >= 0 ? axes->axis[part->space[which]].size : none;
}

/* ---- samples one after the other ------------------------------------------------------------- */

bool halo_image_find_strides(const halo_image_axes *axes, size_t bytes, bool by_columns,
                             int64_t *strides)
{
    const int64_t most = (int64_t)1 << 60;
    int64_t stride = (int64_t)bytes;
    for (int n = 0; n < axes->count; n++) {
        int i = by_columns ? n : axes->count - 1 - n;
        strides[i] = stride;
        if (axes->axis[i].size < 1 || axes->axis[i].size > most / stride) {
            return false;
        }
        stride *= axes->axis[i].size;
    }
    return true;
}

static halo_status check_order(const halo_image_reader *reader, const halo_image_axes *axes,
                               const halo_image_part *part)
{
    bool between = false;
    for (int i = part->space[2] + 1; i < axes->count; i++) {
        between = between || (i != part->samples && axes->axis[i].size > 1);
    }
    return !between ? HALO_OK
                    : halo_fail(HALO_FORMAT,
                                "%s: several axes are faster than the columns; save the array with "
                                "the columns as the last axis",
                                reader->path);
}

halo_status halo_image_fail_sizes(const halo_image_reader *reader)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the header claims more samples than there can be, or none along an axis; "
                     "copy or make the file again",
                     reader->path);
}

halo_status halo_image_lay_out(halo_image_reader *reader, const halo_image_axes *axes,
                               const halo_image_part *part, size_t bytes, int64_t offset)
{
    int64_t strides[HALO_IMAGE_MAX_AXES];
    halo_image_layout *layout = &reader->layout;
    int planes = part->space[0], rows = part->space[1], columns = part->space[2];
    HALO_TRY(check_order(reader, axes, part));
    HALO_TRY(halo_image_set_size(reader, halo_image_part_size(axes, part, 0, 0),
                                 halo_image_part_size(axes, part, 1, 1), axes->axis[columns].size));
    if (!halo_image_find_strides(axes, bytes, false, strides)) {
        return halo_image_fail_sizes(reader);
    }
    layout->offset = offset;
    for (int i = 0; i < axes->count; i++) {
        layout->offset += i != part->samples ? part->at[i] * strides[i] : 0;
    }
    layout->row_samples = reader->info.width * reader->samples.channels;
    layout->row_stride = rows >= 0 ? strides[rows] : 0;
    layout->plane_stride = planes >= 0 ? strides[planes] : 0;
    return HALO_OK;
}
