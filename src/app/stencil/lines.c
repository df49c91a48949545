#include "app/stencil/lines.h"

#include "base/memory.h"
#include "core/move/redistribute.h"

#include <stdlib.h>
#include <string.h>

enum { BITS_A_BYTE = 8, WORD_BYTES = 8 };

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

/* Room for this rank's strip of a field; whole words, as cells that are bits need them. */
static halo_status make_strip(stencil_lines *lines, int field)
{
    int rank = halo_world_rank(lines->world);
    size_t bytes = stencil_lines_bytes(lines->kernel, lines->first + field, &lines->domain);
    size_t pitch = (bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    /* Cells of one axis follow each other. */
    lines->pitches[field] = lines->domain.axes > 1 ? pitch : bytes;
    size_t count = (size_t)(lines->cuts[rank + 1] - lines->cuts[rank]);
    return halo_memory_create(&lines->cells[field], count * lines->pitches[field] + WORD_BYTES,
                              "strips of blocks, for files");
}

static halo_status begin(stencil_lines *lines, const halo_partition *partition)
{
    int ranks = halo_world_ranks(lines->world);
    lines->cuts = malloc(((size_t)ranks + 1) * sizeof *lines->cuts);
    if (lines->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the lines of %d ranks", ranks);
    }
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
            HALO_TRY(make_strip(lines, f));
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
        halo_memory_free(lines->cells[f]);
        lines->cells[f] = NULL;
    }
    halo_partition_free(&lines->strips);
    free(lines->cuts);
    lines->cuts = NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The row of a rank's part that is line `line` of it, counted over planes. */
static char *row_of_view(const halo_view *view, int64_t line)
{
    if (view->axes < HALO_AXES) {
        return halo_row(view, line);
    }
    return halo_row_of_plane(view, line / view->owned.n[1], line % view->owned.n[1]);
}

static int64_t rows_of_view(const halo_view *view)
{
    return view->axes < HALO_AXES ? view->owned.n[0] : view->owned.n[0] * view->owned.n[1];
}

static size_t row_bytes_of_view(const halo_view *view)
{
    int64_t cells = view->axes > 1 ? view->owned.n[view->axes - 1] : 1;
    return (size_t)((cells * view->cell_bits + BITS_A_BYTE - 1) / BITS_A_BYTE);
}

/* A rank's own block, packed. */
static halo_status pack_block(const halo_view *view, bool filled, halo_cells *block)
{
    size_t bytes = row_bytes_of_view(view);
    int64_t rows = rows_of_view(view);
    *block = (halo_cells){.box = view->owned,
                          .pitch = (bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES};
    HALO_TRY(halo_memory_create(&block->data, (size_t)rows * block->pitch + WORD_BYTES,
                                "a block, for files"));
    for (int64_t i = 0; filled && i < rows; i++) {
        memcpy((char *)block->data + (size_t)i * block->pitch, row_of_view(view, i), bytes);
    }
    return HALO_OK;
}

static void unpack_block(const halo_view *view, const halo_cells *block)
{
    size_t bytes = row_bytes_of_view(view);
    for (int64_t i = 0; i < rows_of_view(view); i++) {
        memcpy(row_of_view(view, i), (const char *)block->data + (size_t)i * block->pitch, bytes);
    }
}

static halo_status redistribute(stencil_lines *lines, int field, bool scatters, halo_clock *clock)
{
    const halo_view *view = halo_beat_view(lines->beat, lines->first + field);
    const halo_partition *blocks = halo_beat_partition(lines->beat);
    halo_cells block = {0};
    halo_cells strip = {.box = halo_partition_box(&lines->strips, halo_world_rank(lines->world)),
                        .data = lines->cells[field],
                        .pitch = lines->pitches[field]};
    halo_status status = halo_agree(lines->world, pack_block(view, !scatters, &block));
    if (status == HALO_OK) {
        status = halo_redistribute_cells(
            lines->world, view->axes, view->cell_bits, scatters ? &strip : &block,
            scatters ? &lines->strips : blocks, scatters ? &block : &strip,
            scatters ? blocks : &lines->strips, clock);
    }
    if (status == HALO_OK && scatters) {
        unpack_block(view, &block);
    }
    halo_memory_free(block.data);
    return status;
}

halo_status stencil_lines_gather(stencil_lines *lines, halo_clock *clock)
{
    for (int f = 0; lines->blocks && f < lines->count; f++) {
        HALO_TRY(redistribute(lines, f, false, clock));
    }
    return HALO_OK;
}

halo_status stencil_lines_scatter(stencil_lines *lines, halo_clock *clock)
{
    for (int f = 0; lines->blocks && f < lines->count; f++) {
        HALO_TRY(redistribute(lines, f, true, clock));
    }
    return HALO_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

void *stencil_lines_at(const stencil_lines *lines, int field, int64_t line)
{
    int64_t own = line - lines->cuts[halo_world_rank(lines->world)];
    if (lines->blocks) {
        return (char *)lines->cells[field] + (size_t)own * lines->pitches[field];
    }
    return row_of_view(halo_beat_view(lines->beat, lines->first + field), own);
}

/* In the last byte of a row of bits there may be cells of the halo. */
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
            memcpy(stencil_lines_at(lines, f, first + i), from, bytes);
            from += bytes;
        }
    }
    return HALO_OK;
}
