#include "kernels/watershed/levels.h"
#include "kernels/watershed/watershed_internal.h"

#include "core/field/field.h"
#include "kernels/label/label.h"

#include <string.h>

/* Markers at minima. Those that are not deeper than the height are filled by the reconstruction of
 * the image raised by it; of the result, levels without a lower neighbour are what is left
 * (P. Soille, Morphological Image Analysis, 2003, chapter 6: extended minima). */

/* Levels begin as the raised image. */
static void raise_strip(halo_watershed *w)
{
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        watershed_raise(w->options.type, w->options.minima.value, watershed_key(w, w->image, cell),
                        w->columns, watershed_key(w, w->level, cell));
        for (int64_t x = 0; x < w->columns; x++) {
            if (w->steps[cell + x] == WATERSHED_OUTSIDE) {
                memset(watershed_key(w, w->level, cell + x), -1, (size_t)w->bytes);
            }
        }
    }
}

static void take_bits(halo_watershed *w, const halo_view *bits)
{
    bool volume = w->domain.axes == HALO_AXES;
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        uint64_t *line =
            (uint64_t *)(void *)((char *)bits->origin + row / w->layer_rows * bits->stride[0] +
                                 row % w->layer_rows * (volume ? bits->stride[1] : 0));
        watershed_levels_minima_row(w, row, line);
    }
}

static halo_status number_minima(halo_watershed *w, halo_label *label, const halo_view *bits)
{
    take_bits(w, bits);
    HALO_TRY(halo_label_run(label, bits, NULL));
    w->report.minima = halo_label_total(label);
    halo_status status = HALO_OK;
    for (int64_t row = 0; row < watershed_rows(w) && status == HALO_OK; row++) {
        status = halo_label_paint_rows(label, HALO_LABEL_I32, row, 1,
                                       w->labels + watershed_row(w, row), 0);
        HALO_IF_OK(status, watershed_watch(w, 1));
    }
    return halo_agree(w->world, status);
}

halo_status watershed_find_minima(halo_watershed *w)
{
    const halo_label_options options = {.connectivity = w->options.connectivity,
                                        .instructions = w->options.instructions};
    halo_label *label = NULL;
    halo_field *bits = NULL;
    halo_box own = halo_partition_box(&w->strips, halo_world_rank(w->world));
    raise_strip(w);
    HALO_TRY(watershed_settle_levels(w));
    HALO_TRY(watershed_levels_find_minima(w, true, true, w->domain.axes));
    HALO_TRY(halo_label_create(&label, w->world, &w->domain, &w->strips, &options));
    halo_status status =
        halo_agree(w->world, halo_field_create(&bits, &w->domain, &own, HALO_BIT, 0));
    HALO_IF_OK(status, number_minima(w, label, halo_field_view(bits)));
    halo_field_destroy(&bits);
    halo_label_destroy(&label);
    return status;
}
