#include "cli/filter/frames/frames.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "io/image/bits.h"
#include "io/image/luma.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdlib.h>

/* One frame: each plane is an image by itself. */

/* The steps for planes of one size. */
typedef struct {
    filter_chain *chain;
    app_image_seconds *seconds; /* of the steps */
    halo_partition strips;
    halo_sample_type type;
    int64_t height, width; /* 0: none yet */
} plane_steps;

struct frames_filter {
    const frames_run *frames;
    halo_world *alone;
    plane_steps steps[HALO_FRAME_PLANES];
    char *row;        /* [3 * width] of any type */
    int64_t row_room; /* bytes */
};

/* A plane on its way through the steps. */
typedef struct {
    frames_filter *filter;
    const halo_frame *in;
    halo_frame *out;
    int plane;
    int64_t number; /* of the frame, from 0 */
} passing;

/* ---- creating -------------------------------------------------------------------------------- */

static halo_status add_steps(const frames_run *frames, plane_steps *steps)
{
    const filter_options *options = frames->run->options;
    const app_image_options how = app_image_options_of_files(frames->run);
    HALO_TRY(HALO_ALLOCATE(steps->chain, 1, "filters of frames"));
    for (int i = 0; i < options->steps; i++) {
        HALO_TRY(halo_filter_chain_add(steps->chain, options->step[i]));
    }
    return app_image_seconds_open(&steps->seconds, steps->chain, &how, 2);
}

halo_status frames_filter_create(frames_filter **out, const frames_run *frames)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "filters of frames"));
    (*out)->frames = frames;
    for (int i = 0; i < HALO_FRAME_PLANES; i++) {
        HALO_TRY(add_steps(frames, &(*out)->steps[i]));
    }
    return halo_world_create_alone(&(*out)->alone, NULL);
}

void frames_filter_destroy(frames_filter **filter)
{
    for (int i = 0; *filter != NULL && i < HALO_FRAME_PLANES; i++) {
        halo_filter_chain_destroy(&(*filter)->steps[i].chain);
        app_image_seconds_close(&(*filter)->steps[i].seconds);
        halo_partition_free(&(*filter)->steps[i].strips);
    }
    if (*filter != NULL) {
        halo_world_destroy(&(*filter)->alone);
        free((*filter)->row);
        free(*filter);
    }
    *filter = NULL;
}

/* Frames of one size are the rule: what was found for one holds for the next. */
static halo_status resolve(plane_steps *steps, const halo_frame_layout *layout, int plane)
{
    const halo_frame_plane *of = &layout->plane[plane];
    const int64_t n[HALO_AXES] = {1, of->height, of->width};
    if (steps->height == of->height && steps->width == of->width && steps->type == layout->type) {
        return HALO_OK;
    }
    steps->height = 0;
    HALO_TRY(halo_filter_chain_resolve(steps->chain, layout->type, 2, n));
    const halo_domain domain = halo_filter_run_domain(steps->chain);
    halo_partition_free(&steps->strips);
    HALO_TRY(halo_partition_thick_strips(&steps->strips, &domain, 1, 1));
    steps->type = layout->type;
    steps->height = of->height;
    steps->width = of->width;
    return HALO_OK;
}

/* ---- rows that are read ---------------------------------------------------------------------- */

static void mix_greys(halo_sample_type type, int64_t width, const void *colours, void *out)
{
    const uint8_t *byte = colours;
    const uint16_t *word = colours;
    for (int64_t x = 0; x < width; x++) {
        if (type == HALO_SAMPLE_U8) {
            ((uint8_t *)out)[x] = (uint8_t)halo_luma(byte[x], byte[width + x], byte[2 * width + x]);
        } else {
            ((uint16_t *)out)[x] =
                (uint16_t)halo_luma(word[x], word[width + x], word[2 * width + x]);
        }
    }
}

/* Red, green and blue become grey before they are filtered, as in other commands. */
static bool makes_greys(const frames_run *frames, const halo_frame_layout *in)
{
    return frames->colours == FRAMES_IN_GREYS && in->planes > 1 &&
           halo_frames_format_of(frames->in) == HALO_FRAMES_PNM;
}

static halo_status read_row(void *context, int64_t z, int64_t y, void *out)
{
    passing *p = context;
    const halo_frame_layout *layout = &p->in->layout;
    (void)z;
    if (!makes_greys(p->filter->frames, layout)) {
        halo_frame_get_row(p->in, p->plane, y, out);
        return HALO_OK;
    }
    int64_t width = layout->plane[0].width;
    size_t row = filter_row_bytes(layout->type, width);
    for (int i = 0; i < HALO_FRAME_PLANES; i++) {
        halo_frame_get_row(p->in, i, y, p->filter->row + (size_t)i * row);
    }
    mix_greys(layout->type, width, p->filter->row, out);
    return HALO_OK;
}

/* ---- rows that are made ---------------------------------------------------------------------- */

/* Bits are black and white, and 0 and 1 in raw frames. */
static const void *widen_bits(const passing *p, const uint64_t *bits, int64_t width)
{
    const halo_frame_layout *layout = &p->out->layout;
    bool raw = p->filter->frames->out.format == HALO_FRAMES_RAW;
    int64_t one = raw ? 1 : halo_frame_maximum(layout);
    unsigned char *bytes = (unsigned char *)p->filter->row;
    halo_bits_unpack(width, bits, layout->type == HALO_SAMPLE_U8 ? (unsigned char)one : 1, bytes);
    if (layout->type == HALO_SAMPLE_U8) {
        return bytes;
    }
    uint16_t *words = (uint16_t *)(void *)p->filter->row;
    for (int64_t x = width - 1; x >= 0; x--) { /* over the bytes that they are made of */
        words[x] = (uint16_t)(bytes[x] != 0 ? one : 0);
    }
    return words;
}

static halo_status check_maximum(const passing *p, const void *row, int64_t width)
{
    const halo_frame_layout *layout = &p->out->layout;
    int64_t most = halo_frame_maximum(layout), largest = 0;
    if (layout->maximum == 0 || most == halo_sample_types[layout->type].key_max) {
        return HALO_OK;
    }
    for (int64_t x = 0; x < width; x++) {
        int64_t value =
            layout->type == HALO_SAMPLE_U8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
        largest = halo_max(largest, value);
    }
    return HALO_REQUIRE(largest <= most, HALO_ARGUMENT,
                        "frame %" PRId64 ": a result is %" PRId64 ", above the maximum %" PRId64
                        " of its samples; use -o -.raw, which has none",
                        p->number + 1, largest, most);
}

static halo_status put_row(const passing *p, int64_t y, const void *made, halo_sample_type type)
{
    int64_t width = p->out->layout.plane[p->plane].width;
    const void *row = type == HALO_SAMPLE_BIT ? widen_bits(p, made, width) : made;
    HALO_TRY(check_maximum(p, row, width));
    int planes = p->out->layout.planes > p->in->layout.planes ? HALO_FRAME_PLANES : 1;
    for (int i = 0; i < planes; i++) { /* greys as colours: three times */
        halo_frame_put_row(p->out, p->plane + i, y, row);
    }
    return HALO_OK;
}

static halo_status make_rows(const passing *p, filter_run *run, filter_made *made)
{
    const plane_steps *steps = &p->filter->steps[p->plane];
    halo_sample_type type = halo_filter_chain_type(steps->chain);
    int64_t tile = halo_filter_run_tile(run);
    HALO_TRY(halo_filter_made_create(made, type, steps->width, tile));
    for (int64_t y = 0; y < steps->height; y += tile) {
        int64_t count = halo_min(tile, steps->height - y);
        HALO_TRY(halo_filter_run_make(run, count, made->row));
        for (int64_t i = 0; i < count; i++) {
            HALO_TRY(put_row(p, y + i, made->row[i], type));
        }
    }
    return HALO_OK;
}

static halo_status pass_plane(passing *p)
{
    const plane_steps *steps = &p->filter->steps[p->plane];
    const filter_image image = {.rows = {.row = read_row, .context = p}};
    const filter_pipeline_options how = {
        .instructions = p->filter->frames->run->arguments->common.instructions};
    filter_run *run = NULL;
    filter_made made = {0};
    halo_status status =
        halo_filter_run_create(&run, p->filter->alone, steps->chain, &steps->strips, &image, &how);
    HALO_IF_OK(status, make_rows(p, run, &made));
    halo_filter_run_destroy(&run);
    halo_filter_made_free(&made);
    return status;
}

/* ---- a frame --------------------------------------------------------------------------------- */

static halo_status check_type(const frames_run *frames, halo_sample_type type,
                              const halo_frame_layout *in)
{
    bool bits = type == HALO_SAMPLE_BIT, raw = frames->out.format == HALO_FRAMES_RAW;
    bool grey = bits || type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
    HALO_FAIL_IF(
        !raw && !grey, HALO_ARGUMENT,
        "samples of these frames are uint8 or uint16, and the steps make %s; give the last "
        "step dtype=, or use -o -.raw",
        halo_sample_types[type].name);
    bool keeps = bits || type == in->type || frames->out.header[0] == '\0';
    return HALO_REQUIRE(raw || keeps, HALO_ARGUMENT,
                        "the stream's header says that samples are %s, and the steps make %s; give "
                        "the last step dtype=%s",
                        halo_sample_types[in->type].name, halo_sample_types[type].name,
                        halo_sample_types[in->type].name);
}

/* The planes that are made: the first one of those of a frame that becomes grey, and those of red,
 * green and blue. */
static halo_frame_layout find_sizes(const frames_run *frames, const halo_frame_layout *in)
{
    halo_frame_layout sizes = *in;
    bool grey = frames->colours == FRAMES_IN_GREYS;
    bool coloured = frames->colours == FRAMES_IN_COLOURS && in->planes == 1;
    sizes.planes = grey ? 1 : coloured ? HALO_FRAME_PLANES : in->planes;
    for (int i = 1; i < sizes.planes && coloured; i++) {
        sizes.plane[i] = sizes.plane[0];
    }
    return sizes;
}

static halo_status lay_out(const frames_run *frames, const halo_frame *in, halo_sample_type type,
                           halo_frame *out)
{
    halo_frames_format format = frames->out.format;
    halo_frame_layout sizes = find_sizes(frames, &in->layout);
    bool bits = type == HALO_SAMPLE_BIT;
    bool wide = bits && format == HALO_FRAMES_Y4M && frames->out.header[0] != '\0';
    halo_sample_type stored = wide ? in->layout.type : bits ? HALO_SAMPLE_U8 : type;
    HALO_TRY(check_type(frames, type, &in->layout));
    bool mono = format == HALO_FRAMES_Y4M && frames->out.header[0] == '\0';
    HALO_FAIL_IF(mono && sizes.planes > 1, HALO_ARGUMENT,
                 "the colours of PPM are none of YUV4MPEG2; use -o -.ppm, --grey, or let ffmpeg "
                 "convert them");
    sizes.maximum =
        (type == in->layout.type || wide) && format != HALO_FRAMES_RAW ? in->layout.maximum : 0;
    const halo_frame_layout layout = halo_frame_layout_of(format, stored, &sizes);
    HALO_TRY(halo_frame_lay(out, &layout));
    memcpy(out->line, in->line, sizeof out->line);
    return HALO_OK;
}

static halo_status make_room(frames_filter *filter, const halo_frame_layout *in)
{
    int64_t bytes = HALO_FRAME_PLANES * in->plane[0].width * (int64_t)sizeof(uint16_t);
    if (bytes <= filter->row_room) {
        return HALO_OK;
    }
    free(filter->row);
    filter->row_room = 0;
    HALO_TRY(HALO_ALLOCATE(filter->row, bytes, "rows of a frame"));
    filter->row_room = bytes;
    return HALO_OK;
}

halo_status frames_filter_run(frames_filter *filter, const halo_frame *in, int64_t number,
                              halo_frame *out)
{
    passing p = {.filter = filter, .in = in, .out = out, .number = number};
    int planes = filter->frames->colours == FRAMES_IN_GREYS ? 1 : in->layout.planes;
    HALO_TRY(make_room(filter, &in->layout));
    for (int i = 0; i < planes; i++) {
        HALO_TRY(resolve(&filter->steps[i], &in->layout, i));
    }
    HALO_TRY(lay_out(filter->frames, in, halo_filter_chain_type(filter->steps[0].chain), out));
    for (; p.plane < planes; p.plane++) {
        HALO_TRY(pass_plane(&p));
    }
    return HALO_OK;
}
