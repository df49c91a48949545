#include "io/image/axes.h"
#include "io/image/slices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A volume whose planes are files of two axes, each read by the reader of images. One is open at a
 * time. */

typedef struct {
    halo_slices slices;
    halo_image_reader *slice; /* that is open, or NULL */
    int64_t plane, next;      /* of it, and its next row */
    int64_t clear;            /* transparent pixels of the rows read last */
    void *passed;             /* a row that is read only to get to the next one, or NULL */
} stack_state;

/* ---- one slice ------------------------------------------------------------------------------- */

/* Say of a file that is no image why it was read. */
static halo_status explain(const halo_image_reader *reader, halo_status status)
{
    char message[HALO_MESSAGE_SIZE];
    const stack_state *state = reader->state;
    if (status != HALO_FORMAT || !state->slices.folder) {
        return status;
    }
    snprintf(message, sizeof message, "%s", halo_last_message());
    return halo_fail(status,
                     "%.100s is a directory, of which all files are taken for slices: %.300s; or "
                     "name those that are by a pattern in quotes, with --stack",
                     reader->path, message);
}

static void print_looks(const halo_image_info *info, char *text, size_t size)
{
    snprintf(text, size, "%" PRId64 " x %" PRId64 " %s of %d bits, %s", info->width, info->height,
             info->kind, info->bits, halo_sample_types[info->type].name);
}

static halo_status check_like_first(const halo_image_reader *reader, const halo_image_info *info)
{
    enum { LOOKS = 80 };
    const halo_image_info *first = &reader->info;
    const stack_state *state = reader->state;
    char is[LOOKS], was[LOOKS];
    if (info->width == first->width && info->height == first->height && info->type == first->type &&
        info->channels == first->channels && info->pixel_bits == first->pixel_bits &&
        info->cell_bits == first->cell_bits && info->maximum == first->maximum) {
        return HALO_OK;
    }
    print_looks(first, was, sizeof was);
    print_looks(info, is, sizeof is);
    return halo_fail(HALO_FORMAT,
                     "%.120s is %s, and %.120s is %s: slices of a stack have one size and type; "
                     "name only those that belong together",
                     state->slices.name[0], was, state->slices.name[state->plane], is);
}

static void print_nodata(const halo_image_nodata *nodata, char text[HALO_NUMBER_TEXT])
{
    if (nodata->count > 0) {
        halo_number_print(&nodata->value[0], text);
    } else {
        strcpy(text, "nothing");
    }
}

/* The rows of a slice would mark other pixels than those of the first one. */
static halo_status check_nodata(const halo_image_reader *reader, const halo_image_info *info)
{
    const halo_image_nodata *first = &reader->info.nodata, *now = &info->nodata;
    const stack_state *state = reader->state;
    char is[HALO_NUMBER_TEXT], was[HALO_NUMBER_TEXT];
    bool same = now->count == first->count && now->missing == first->missing;
    for (int i = 0; i < now->count && same; i++) {
        same = halo_number_equal(&now->value[i], &first->value[i]);
    }
    if (same) {
        return HALO_OK;
    }
    print_nodata(first, was);
    print_nodata(now, is);
    return halo_fail(HALO_FORMAT,
                     "%.120s says that %s stands for no data, and %.120s that %s does: give the "
                     "value for all slices by --nodata, or none",
                     state->slices.name[0], was, state->slices.name[state->plane], is);
}

static halo_status check_axes(const stack_state *state, const halo_image_info *info)
{
    return info->axes == 2
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%.200s: a volume of %" PRId64 " planes cannot be a slice; name it "
                           "alone, or save its planes as files of their own",
                           state->slices.name[state->plane], info->planes);
}

/* Slices have all parts that were chosen but planes, which they are. */
static halo_image_choices of_slices(const halo_image_reader *reader)
{
    halo_image_choices choices = reader->choices;
    choices.of[HALO_IMAGE_PLANE] = NULL;
    return choices;
}

static halo_status open_slice(halo_image_reader *reader, int64_t plane)
{
    stack_state *state = reader->state;
    /* A slice is read as the stack is wanted, but has two axes, and is one file. */
    halo_image_options options = reader->options;
    options.choices = of_slices(reader);
    options.slices = NULL;
    options.slice_count = 0;
    options.volumes = options.narrow = options.solid = options.lines = false;
    options.count_missing = false; /* the stack counts */
    halo_image_reader_close(&state->slice);
    state->plane = plane;
    state->next = 0;
    halo_status status = halo_image_reader_open(&state->slice, state->slices.name[plane], &options);
    HALO_TRY(explain(reader, status));
    return check_axes(state, halo_image_reader_info(state->slice));
}

/* After its last row nothing of it is wanted any more but that it is whole. */
static halo_status read_slice(halo_image_reader *reader, int64_t row, int64_t rows, void *out,
                              size_t pitch)
{
    stack_state *state = reader->state;
    int64_t before = state->slice->clear;
    HALO_TRY(halo_image_reader_rows(state->slice, row, rows, out, pitch));
    state->clear = state->slice->clear - before;
    state->next = row + rows;
    if (state->next < halo_image_reader_info(state->slice)->rows) {
        return HALO_OK;
    }
    HALO_TRY(halo_image_finish_inner(state->slice, reader->warning));
    halo_image_reader_close(&state->slice);
    return HALO_OK;
}

/* Rows that nobody asked for. */
static halo_status pass_rows(halo_image_reader *reader, int64_t row)
{
    stack_state *state = reader->state;
    size_t bytes = halo_image_row_bytes(&reader->info);
    if (state->passed == NULL) {
        HALO_TRY(halo_memory_create(&state->passed, bytes, "a row of a slice"));
    }
    while (state->next < row) {
        HALO_TRY(read_slice(reader, state->next, 1, state->passed, bytes));
    }
    return HALO_OK;
}

static halo_status go_to(halo_image_reader *reader, int64_t plane, int64_t row)
{
    stack_state *state = reader->state;
    bool there = state->slice != NULL && state->plane == plane;
    if (!there || (row < state->next && !halo_image_reader_info(state->slice)->random_access)) {
        HALO_TRY(open_slice(reader, plane));
        HALO_TRY(check_like_first(reader, halo_image_reader_info(state->slice)));
        HALO_TRY(check_nodata(reader, halo_image_reader_info(state->slice)));
    }
    return halo_image_reader_info(state->slice)->random_access ? HALO_OK : pass_rows(reader, row);
}

/* ---- the format ------------------------------------------------------------------------------ */

/* One plane of the volume is one slice. */
static halo_status choose_slice(halo_image_reader *reader, halo_slices *slices)
{
    int64_t plane;
    reader->used = (1U << HALO_IMAGE_CHOICES) - 1; /* the slices will say what they lack */
    if (reader->choices.of[HALO_IMAGE_PLANE] == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_image_find_index(reader, NULL, HALO_IMAGE_PLANE, slices->count, &plane));
    slices->name[0] = slices->name[plane];
    slices->first += plane;
    slices->count = 1;
    return HALO_OK;
}

static halo_status find_slices(halo_image_reader *reader, stack_state *state)
{
    const halo_image_options *options = &reader->options;
    if (options->raw.planes > 0) {
        return halo_fail(HALO_FORMAT,
                         "%s: a stack of slices, of which each is HEIGHTxWIDTH samples; leave out "
                         "the planes of --shape",
                         reader->path);
    }
    HALO_TRY(halo_slices_find(&state->slices, reader->path, options->slices, options->slice_count));
    HALO_TRY(choose_slice(reader, &state->slices));
    size_t length = strlen(state->slices.name[0]) + 1; /* for the time stamp */
    HALO_TRY(HALO_ALLOCATE(reader->data_path, length, "the name of a file"));
    memcpy(reader->data_path, state->slices.name[0], length);
    return HALO_OK;
}

/* Describe the stack by its first slice: all others must be like it. */
static halo_status describe(halo_image_reader *reader, const stack_state *state)
{
    halo_image_info *info = &reader->info;
    const halo_image_taken plane = info->parts[HALO_IMAGE_PLANE];
    *info = *halo_image_reader_info(state->slice);
    info->parts[HALO_IMAGE_PLANE] = plane;
    reader->samples = (halo_image_samples){.type = info->type, .channels = info->channels};
    reader->converted = true;
    bool colourful = info->colourful, alpha = info->alpha;
    int64_t held = info->held ? info->rows * (int64_t)halo_image_row_bytes(info) : 0;
    HALO_TRY(halo_image_set_size(reader, state->slices.count, info->height, info->width));
    info->colourful = colourful;
    info->alpha = alpha;
    info->random_access = true;
    info->held = false;
    info->layers = 0;
    info->buffer += held + (int64_t)state->slices.text.size;
    info->file_bytes = state->slices.bytes;
    info->slices = state->slices.count;
    info->first_slice = state->slices.first;
    return HALO_OK;
}

static halo_status open_stack(halo_image_reader *reader)
{
    stack_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a stack of slices"));
    reader->state = state;
    HALO_TRY(find_slices(reader, state));
    HALO_TRY(open_slice(reader, 0));
    return describe(reader, state);
}

static halo_status stack_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                              size_t pitch)
{
    int64_t height = reader->info.height;
    for (int64_t done = 0; done < rows;) {
        int64_t row = (first + done) % height, left = rows - done;
        int64_t now = left < height - row ? left : height - row;
        HALO_TRY(go_to(reader, (first + done) / height, row));
        HALO_TRY(read_slice(reader, row, now, (char *)out + (size_t)done * pitch, pitch));
        reader->clear += ((const stack_state *)reader->state)->clear;
        done += now;
    }
    return HALO_OK;
}

static void close_stack(halo_image_reader *reader)
{
    stack_state *state = reader->state;
    if (state != NULL) {
        halo_image_reader_close(&state->slice);
        halo_memory_free(state->passed);
        halo_slices_free(&state->slices);
    }
    free(state);
}

static halo_status list_files(halo_image_reader *reader, halo_name_take *take, void *context)
{
    const halo_image_options *options = &reader->options;
    const halo_image_options alone = {.follow_links = options->follow_links};
    halo_slices slices;
    halo_status status = HALO_OK;
    bool found =
        halo_slices_find(&slices, reader->path, options->slices, options->slice_count) == HALO_OK;
    for (int64_t i = 0; found && i < slices.count && status == HALO_OK; i++) {
        status = take(context, slices.name[i], false);
        if (status == HALO_OK) {
            status = halo_image_files(slices.name[i], &alone, take, context);
        }
    }
    halo_slices_free(&slices);
    return status;
}

const halo_image_format halo_image_stack = {.name = "stack",
                                            .claims = halo_slices_are_named,
                                            .open = open_stack,
                                            .rows = stack_rows,
                                            .close = close_stack,
                                            .files = list_files};
