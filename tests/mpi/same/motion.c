/* Motion between frames, beside one rank alone with plain instructions. */

#include "same.h"

#include "partition/balance/share_planner.h"
#include "support/images.h"
#include "support/motion_case.h"
#include "support/mpi_check.h"

#include <string.h>

enum { MAX_CLUSTERS = 40 };

static motion_scene any_scene(uint64_t *random, int frames)
{
    int64_t rows = 1 + random_below(random, 70), columns = 1 + random_below(random, 90);
    int u = (int)random_below(random, 9) - 4, v = (int)random_below(random, 9) - 4;
    motion_scene scene = motion_case_make(random_next(random), rows, columns,
                                          random_below(random, 3) == 2 ? 16 : 8, frames, u, v);
    for (int64_t i = 0; i < rows * columns; i++) { /* what nothing matches */
        if (random_below(random, 4) == 0) {
            scene.cells[rows * columns + i] ^= (uint16_t)random_below(random, 64);
        }
    }
    return scene;
}

/* All of them, or the last pair by a sequence that begins again from what another one kept. */
static motion_result run(const motion_scene *scene, const halo_motion_options *options,
                         bool restored)
{
    halo_motion_centre kept[MAX_CLUSTERS];
    memset(kept, 0, sizeof kept);
    motion_result many = motion_case_run(mpi_check_world(), scene, options, 0, NULL, kept);
    if (restored) {
        motion_case_end(&many);
        many = motion_case_run(mpi_check_world(), scene, options, scene->frames - 2, kept, NULL);
    }
    return many;
}

/* Rank 0 compares: all have the same, or it would not be shared. */
static void check(const way *w, const motion_scene *scene, const halo_motion_options *options,
                  const motion_result *many)
{
    halo_motion_options plain = *options;
    halo_world *alone = NULL;
    plain.instructions = "plain";
    plain.balancer = NULL;
    expect_ok(halo_world_create_alone(&alone, mpi_check_world()));
    motion_result one = motion_case_run(alone, scene, &plain, 0, NULL, NULL);
    expect(motion_case_same(many, &one), "%lld x %lld, %d clusters, %s, %s: other bytes",
           (long long)scene->columns, (long long)scene->rows, options->clusters, options->balancer,
           w->text);
    motion_case_end(&one);
    halo_world_destroy(&alone);
}

void same_motion(const way *w, uint64_t *random, way_tally *all)
{
    const char *pieces = w->of[WAY_pieces];
    bool restored = pieces != NULL && strcmp(pieces, "restored") == 0;
    motion_scene scene = any_scene(random, restored ? 4 : 3);
    int64_t pixels = scene.rows * scene.columns;
    bool fine = random_below(random, 4) > 0;
    halo_motion_options options = {
        .clusters = 1 + (int)random_below(random, pixels < MAX_CLUSTERS ? pixels : MAX_CLUSTERS),
        .radius = 1 + (int)random_below(random, 20),
        .balancer =
            halo_share_method_name((halo_share_method)random_below(random, HALO_SHARE_METHODS)),
        .flow = fine ? "fine" : "cluster",
        .instructions = w->of[WAY_instructions]};
    motion_result many = run(&scene, &options, restored);
    int64_t beats = (restored ? 1 : scene.frames - 1) * (fine ? 8 : 4);
    expect(many.beats == beats, "%lld beats, not %lld: %s", (long long)many.beats, (long long)beats,
           w->text);
    if (my_rank() == 0) {
        check(w, &scene, &options, &many);
    }
    motion_case_end(&many);
    motion_case_free(&scene);
    all->runs++;
}
