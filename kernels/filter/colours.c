#include "kernels/filter/colours.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* The colours of a strip, as images of one sample a pixel. */

struct filter_colours {
    halo_world *world;
    const filter_chain *chain;
    const halo_partition *strips;
    filter_colours_layout layout;
    int64_t width, next;                       /* the next row to be made */
    halo_field *samples[FILTER_MOST_CHANNELS]; /* until the run of a colour takes them over */
    filter_run *run[FILTER_MOST_CHANNELS];
    filter_made made; /* rows of a tile, of one colour */
};

/* Channels that are kept in fields. */
static int kept(const filter_colours *c)
{
    return c->layout.filtered + (c->layout.alpha ? 1 : 0);
}

static halo_status create(filter_colours *c)
{
    for (int k = 0; k < kept(c); k++) {
        HALO_TRY(halo_filter_run_create_field(&c->samples[k], c->world, c->chain, 0,
                                              c->layout.pixels.type, c->strips));
    }
    return HALO_OK;
}

halo_status halo_filter_colours_create(filter_colours **out, halo_world *world,
                                       const filter_chain *chain, const halo_partition *strips,
                                       const filter_colours_layout *layout)
{
    filter_colours *c;
    *out = NULL;
    HALO_TRY(HALO_ALLOCATE(c, 1, "colours of an image"));
    c->world = world;
    c->chain = chain;
    c->strips = strips;
    c->layout = *layout;
    c->width = halo_filter_run_domain(chain).n[1];
    *out = c;
    halo_status status = create(c);
    if (status != HALO_OK) {
        halo_filter_colours_destroy(out);
    }
    return status;
}

halo_status halo_filter_colours_take(void *colours, int64_t first, int64_t rows, const void *data,
                                     size_t pitch)
{
    const filter_colours *c = colours;
    for (int k = 0; k < kept(c); k++) {
        const halo_view *view = halo_field_view(c->samples[k]);
        for (int64_t i = 0; i < rows; i++) {
            halo_filter_take_channel(&c->layout.pixels, k, (const char *)data + (size_t)i * pitch,
                                     c->width, halo_row(view, first + i - view->owned.lo[0]));
        }
    }
    return HALO_OK;
}

const halo_field *halo_filter_colours_field(const filter_colours *c, int colour)
{
    return colour >= 0 && colour < c->layout.filtered ? c->samples[colour] : NULL;
}

halo_status halo_filter_colours_run(filter_colours *c, const filter_pipeline_options *options)
{
    c->next = c->strips->cuts[0][halo_world_rank(c->world)];
    for (int k = 0; k < c->layout.filtered; k++) {
        const filter_image image = {.field = &c->samples[k]};
        HALO_TRY(
            halo_filter_run_create(&c->run[k], c->world, c->chain, c->strips, &image, options));
    }
    return halo_agree(c->world, halo_filter_made_create(&c->made, halo_filter_chain_type(c->chain),
                                                        c->width, halo_filter_run_tile(c->run[0])));
}

filter_pixels halo_filter_colours_made(const filter_colours *c)
{
    halo_sample_type type = halo_filter_chain_type(c->chain);
    return (filter_pixels){type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type, kept(c)};
}

int64_t halo_filter_colours_tile(const filter_colours *c)
{
    return halo_filter_run_tile(c->run[0]);
}

static void put_rows(const filter_colours *c, int channel, halo_sample_type type, int64_t count,
                     void *const *in, void *const *out)
{
    const filter_pixels to = halo_filter_colours_made(c);
    for (int64_t i = 0; i < count; i++) {
        halo_filter_put_channel(&to, channel, type, in[i], c->width, out[i]);
    }
}

halo_status halo_filter_colours_make(filter_colours *c, int64_t count, void *const *out)
{
    int last = c->layout.filtered;
    for (int k = 0; k < last; k++) {
        HALO_TRY(halo_filter_run_make(c->run[k], count, c->made.row));
        put_rows(c, k, halo_filter_chain_type(c->chain), count, c->made.row, out);
    }
    for (int64_t i = 0; i < count && c->layout.alpha; i++) {
        const halo_view *view = halo_field_view(c->samples[last]);
        void *row = halo_row(view, c->next + i - view->owned.lo[0]);
        put_rows(c, last, c->layout.pixels.type, 1, &row, out + i);
    }
    c->next += count;
    return HALO_OK;
}

void halo_filter_colours_destroy(filter_colours **colours)
{
    filter_colours *c = *colours;
    for (int k = 0; c != NULL && k < FILTER_MOST_CHANNELS; k++) {
        halo_filter_run_destroy(&c->run[k]);
        halo_field_destroy(&c->samples[k]);
    }
    if (c != NULL) {
        halo_filter_made_free(&c->made);
    }
    free(c);
    *colours = NULL;
}
