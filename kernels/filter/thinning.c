#include "kernels/filter/thinning.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/filter/bits.h"
#include "kernels/filter/thin_ops.h"

#include <stdlib.h>
#include <string.h>

/* Thinning of volumes to lines of one voxel (K. Palagyi and A. Kuba, A 3D 6-subiteration thinning
 * algorithm for extracting medial lines, Pattern Recognition Letters 19, 1998): in each of six
 * steps all voxels go at once that match one of the templates for its direction, until none does.
 * Foreground is connected by faces, edges and corners, background by faces, and both stay as
 * connected as they were; ends of lines stay.
 *
 * A step is a beat: a plane of each neighbour is what it reads of others. A row is looked at only
 * if it, or one of the 8 around it, has changed since the last step of the same direction. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_thin_ops, AVX512);

enum { STEPS = FILTER_THIN_DIRECTIONS, WORDS = FILTER_THIN_WORDS, AROUND = 9 };

/* Planes -1 to `planes`, rows -1 to `rows` of each. What is beyond the image is 0. */
typedef struct {
    const filter_thin_ops *ops;
    halo_world *world;
    int before, behind; /* ranks with the planes there; -1: none */
    int64_t planes, rows;
    int64_t words; /* of a row, a multiple of WORDS */
    int64_t pitch; /* words from a row to the next: WORDS of 0 lie between them */
    int64_t plane; /* words of a plane: its rows, and when each has changed */
    uint64_t *memory;
    uint64_t *leaving; /* [2][rows][words] of a plane and of the one before */
    bool *leaves;      /* [2][rows] rows of which some do */
} volume;

static uint64_t *plane_of(const volume *v, int64_t z)
{
    return v->memory + (z + 1) * v->plane;
}

static uint64_t *row_of(const volume *v, int64_t z, int64_t y)
{
    return plane_of(v, z) + WORDS + (y + 1) * v->pitch;
}

/* The last step that has changed a row; they are numbered from 1. */
static uint64_t *changed_in(const volume *v, int64_t z, int64_t y)
{
    return plane_of(v, z) + WORDS + (v->rows + 2) * v->pitch + y + 1;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Rows that no step of all directions has changed are what they were in this direction's last. */
static bool may_change(const volume *v, int64_t z, int64_t y, uint64_t step)
{
    bool may = step <= STEPS;
    for (int64_t i = -1; i <= 1 && !may; i++) {
        const uint64_t *at = changed_in(v, z + i, y);
        may = at[-1] + STEPS >= step || at[0] + STEPS >= step || at[1] + STEPS >= step;
    }
    return may;
}

/* Finds the voxels of a plane that go. */
static void find_leaving(const volume *v, int64_t z, uint64_t step)
{
    int direction = (int)((step - 1) % STEPS);
    for (int64_t y = 0; y < v->rows; y++) {
        int64_t i = z % 2 * v->rows + y;
        const uint64_t *rows[AROUND];
        v->leaves[i] = may_change(v, z, y, step);
        if (v->leaves[i]) {
            for (int k = 0; k < AROUND; k++) {
                rows[k] = row_of(v, z + k / 3 - 1, y + k % 3 - 1);
            }
            v->leaves[i] = v->ops->find[direction](rows, v->words, v->leaving + i * v->words);
        }
    }
}

/* Removes them, once no other plane is to see them any more. Returns the number of rows. */
static int64_t leave(const volume *v, int64_t z, uint64_t step)
{
    int64_t changed = 0;
    for (int64_t y = 0; y < v->rows; y++) {
        int64_t i = z % 2 * v->rows + y;
        if (v->leaves[i]) {
            uint64_t *row = row_of(v, z, y);
            for (int64_t k = 0; k < v->words; k++) {
                row[k] &= ~v->leaving[i * v->words + k];
            }
            *changed_in(v, z, y) = step;
            changed++;
        }
    }
    return changed;
}

/* Local. Adds the number of rows that have changed. */
static halo_status thin(const volume *v, uint64_t step, int64_t *changed)
{
    int64_t since = 0;
    for (int64_t z = 0; z < v->planes; z++) {
        find_leaving(v, z, step);
        *changed += z > 0 ? leave(v, z - 1, step) : 0;
        HALO_TRY(halo_watch_piece(v->world, &since, v->rows * v->words));
    }
    *changed += leave(v, v->planes - 1, step);
    return HALO_OK;
}

/* Collective over neighbours. Fetches their planes. */
static halo_status exchange(const volume *v)
{
    halo_message out[2], in[2];
    int count = 0;
    size_t bytes = (size_t)v->plane * sizeof(uint64_t);
    if (v->before >= 0) {
        out[count] = (halo_message){.rank = v->before, .data = plane_of(v, 0), .bytes = bytes};
        in[count++] = (halo_message){.rank = v->before, .data = plane_of(v, -1), .bytes = bytes};
    }
    if (v->behind >= 0) {
        out[count] =
            (halo_message){.rank = v->behind, .data = plane_of(v, v->planes - 1), .bytes = bytes};
        in[count++] =
            (halo_message){.rank = v->behind, .data = plane_of(v, v->planes), .bytes = bytes};
    }
    return halo_sendrecv(v->world, out, count, in, count);
}

/* ---- the volume ------------------------------------------------------------------------------ */

/* Local. */
static halo_status create(volume *v, const filter_field_call *call)
{
    static const char what[] = "a skeleton";
    const halo_view *view = halo_field_view(call->in);
    const int64_t *cuts = call->strips->cuts[0];
    const halo_isa_variant *variant;
    int ranks = halo_world_ranks(call->world), rank = halo_world_rank(call->world);
    HALO_TRY(halo_isa_pick(&variant, variants, call->instructions));
    v->ops = variant->ops;
    v->world = call->world;
    v->before = halo_cuts_neighbour(cuts, ranks, rank, -1, false);
    v->behind = halo_cuts_neighbour(cuts, ranks, rank, 1, false);
    v->planes = view->owned.n[0];
    v->rows = view->owned.n[1];
    v->words = ((view->owned.n[2] + FILTER_WORD - 1) / FILTER_WORD + WORDS - 1) / WORDS * WORDS;
    v->pitch = v->words + WORDS;
    v->plane = WORDS + ((v->rows + 2) * (v->pitch + 1) + WORDS - 1) / WORDS * WORDS;
    HALO_TRY(HALO_ALLOCATE_LARGE(v->memory, (v->planes + 2) * v->plane, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(v->leaving, 2 * v->rows * v->words, what));
    return HALO_ALLOCATE(v->leaves, 2 * v->rows, what);
}

/* Copies rows of the field to those here, or back. */
static void copy_rows(const volume *v, const halo_view *view, bool back)
{
    size_t bytes = (size_t)((view->owned.n[2] + FILTER_WORD - 1) / FILTER_WORD) * sizeof(uint64_t);
    for (int64_t i = 0; i < v->planes * v->rows; i++) {
        void *there = halo_view_row(view, i), *here = row_of(v, i / v->rows, i % v->rows);
        memcpy(back ? there : here, back ? here : there, bytes);
    }
}

/* Collective. All steps are begun on all ranks, whatever fails. */
static halo_status run(const volume *v)
{
    halo_status status = HALO_OK;
    int64_t changed = 1;
    for (uint64_t step = 1; changed > 0 && status == HALO_OK;) {
        changed = 0;
        for (int i = 0; i < STEPS && v->planes > 0; i++, step++) {
            halo_status now = exchange(v);
            status = status == HALO_OK ? now : status;
            HALO_IF_OK(status, thin(v, step, &changed));
        }
        HALO_IF_OK(status, halo_watch_work(v->world, 0, 0));
        status = halo_agree(v->world, status);
        HALO_IF_OK(status, halo_allreduce_sum(v->world, &changed, 1));
    }
    return status;
}

halo_status filter_thin_volume(const filter_field_call *call)
{
    volume v = {0};
    const halo_view *view = halo_field_view(call->in);
    halo_status status = halo_agree(call->world, create(&v, call));
    if (status == HALO_OK) {
        copy_rows(&v, view, false);
        status = run(&v);
    }
    if (status == HALO_OK) {
        copy_rows(&v, view, true);
    }
    halo_memory_free(v.memory);
    halo_memory_free(v.leaving);
    free(v.leaves);
    return status;
}
