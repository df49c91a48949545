#include "app/stencil/lines.h"

#include "base/memory.h"
#include "core/move/redistribute.h"

#include <stdlib.h>
#include <string.h>

enum { BITS_A_BYTE = 8 };

size_t stencil_lines_bytes(const halo_kernel *kernel, int field, const halo_domain *domain)
{
    int64_t cells = domain->axes > 1 ? domain->n[domain->axes - 1] : 1;
    int64_t bits = cells * kernel->cell_bits[field];
    return (size_t)((bits + BITS_A_BYTE - 1) / BITS_A_BYTE);
}

static int64_t lines_a_layer(const halo_domain *domain)
{
    return domain->axes == HALO_AXES ? domain->n[1] : 1;
}

static bool is_cut_into_blocks(const halo_partition *partition)
{
    return partition->parts[1] > 1 || partition->parts[2] > 1;
}

static halo_status begin(stencil_lines *lines, const halo_partition *partition)
{
    int ranks = halo_world_ranks(lines->world);
    HALO_TRY(HALO_ALLOCATE(lines->cuts, ranks + 1, "the lines of %d ranks", ranks));
    if (lines->blocks) {
        HALO_TRY(halo_partition_strips(&lines->strips, &lines->domain, ranks));
    }
    const int64_t *cuts = lines->blocks ? lines->strips.cuts[0] : partition->cuts[0];
    for (int r = 0; r <= ranks; r++) {
        lines->cuts[r] = cuts[r] * lines->lines_a_layer;
    }
    for (int f = 0; f < lines->count; f++) {
        lines->line_bytes += stencil_lines_bytes(lines->kernel, lines->first + f, &lines->domain);
        if (lines->blocks) {
            halo_box mine = halo_partition_box(&lines->strips, halo_world_rank(lines->world));
            HALO_TRY(halo_field_create(&lines->cells[f], &lines->domain, &mine,
                                       lines->kernel->cell_bits[lines->first + f], 0));
        }
    }
    return HALO_OK;
}

halo_status stencil_lines_begin(stencil_lines *lines, halo_world *world, const halo_kernel *kernel,
                                const halo_domain *domain, const halo_beat *beat, int first,
                                int count)
{
    const halo_partition *partition = halo_beat_partition(beat);
    *lines = (stencil_lines){.world = world,
                             .beat = beat,
                             .domain = *domain,
                             .kernel = kernel,
                             .first = first,
                             .count = count,
                             .lines_a_layer = lines_a_layer(domain),
                             .blocks = is_cut_into_blocks(partition)};
    return halo_agree(world, begin(lines, partition));
}

void stencil_lines_end(stencil_lines *lines)
{
    for (int f = 0; f < lines->count; f++) {
        halo_field_destroy(&lines->cells[f]);
    }
    halo_partition_free(&lines->strips);
    free(lines->cuts);
    lines->cuts = NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static halo_status redistribute(stencil_lines *lines, bool scatters, halo_clock *clock)
{
    if (!lines->blocks) {
        return HALO_OK;
    }
    const halo_partition *blocks = halo_beat_partition(lines->beat), *strips = &lines->strips;
    for (int f = 0; f < lines->count; f++) {
        const halo_view *block = halo_beat_view(lines->beat, lines->first + f);
        const halo_view *strip = halo_field_view(lines->cells[f]);
        HALO_TRY(scatters ? halo_redistribute(lines->world, strip, strips, block, blocks, clock)
                          : halo_redistribute(lines->world, block, blocks, strip, strips, clock));
    }
    return HALO_OK;
}

halo_status stencil_lines_gather(stencil_lines *lines, halo_clock *clock)
{
    return redistribute(lines, false, clock);
}

halo_status stencil_lines_scatter(stencil_lines *lines, halo_clock *clock)
{
    return redistribute(lines, true, clock);
}

/* ---- lines ----------------------------------------------------------------------------------- */

const int64_t *stencil_lines_layers(const stencil_lines *lines)
{
    return lines->blocks ? lines->strips.cuts[0] : halo_beat_partition(lines->beat)->cuts[0];
}

void *stencil_lines_at(const stencil_lines *lines, int field, int64_t line)
{
    int64_t own = line - lines->cuts[halo_world_rank(lines->world)];
    const halo_view *view = lines->blocks ? halo_field_view(lines->cells[field])
                                          : halo_beat_view(lines->beat, lines->first + field);
    return view->axes < HALO_AXES ? halo_row(view, own) : halo_view_row(view, own);
}

/* In the last byte of a row of bits there may be cells of the halo, or whatever a file has. */
static void clear_behind(const stencil_lines *lines, int field, unsigned char *last)
{
    int64_t cells = lines->domain.n[lines->domain.axes - 1];
    if (lines->kernel->cell_bits[lines->first + field] == HALO_BIT && cells % BITS_A_BYTE != 0) {
        *last &= (unsigned char)((1 << cells % BITS_A_BYTE) - 1);
    }
}

halo_status stencil_lines_fill(void *context, int64_t first, int64_t count, void *out, size_t pitch)
{
    const stencil_lines *lines = context;
    for (int64_t i = 0; i < count; i++) {
        char *to = (char *)out + (size_t)i * pitch;
        for (int f = 0; f < lines->count; f++) {
            size_t bytes = stencil_lines_bytes(lines->kernel, lines->first + f, &lines->domain);
            memcpy(to, stencil_lines_at(lines, f, first + i), bytes);
            to += bytes;
            clear_behind(lines, f, (unsigned char *)to - 1);
        }
    }
    return HALO_OK;
}

halo_status stencil_lines_take(void *context, int64_t first, int64_t count, const void *data,
                               size_t pitch)
{
    const stencil_lines *lines = context;
    for (int64_t i = 0; i < count; i++) {
        const char *from = (const char *)data + (size_t)i * pitch;
        for (int f = 0; f < lines->count; f++) {
            size_t bytes = stencil_lines_bytes(lines->kernel, lines->first + f, &lines->domain);
            unsigned char *to = stencil_lines_at(lines, f, first + i);
            memcpy(to, from, bytes);
            clear_behind(lines, f, to + bytes - 1);
            from += bytes;
        }
    }
    return HALO_OK;
}
