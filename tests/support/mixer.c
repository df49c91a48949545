#include "support/mixer.h"

#include "core/world/collect.h"
#include "support/mpi_check.h"

enum { FIELDS = 2 };

static uint64_t mixed(const halo_view *in, int64_t y, int64_t x)
{
    const uint64_t *above = halo_row(in, y - 1), *here = halo_row(in, y),
                   *below = halo_row(in, y + 1);
    return 3 * here[x] + 5 * above[x] + 7 * below[x] + here[x - 1] + 11 * here[x + 1];
}

static halo_status mix(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        uint64_t *first = halo_row(&s->out[0], y), *second = halo_row(&s->out[1], y);
        for (int64_t x = s->todo.lo[1]; x < s->todo.lo[1] + s->todo.n[1]; x++) {
            first[x] = mixed(&s->in[0], y, x) + mixed(&s->in[1], y, x) / 2 + (uint64_t)s->beat;
            second[x] = mixed(&s->in[1], y, x) ^ first[x];
        }
    }
    return HALO_OK;
}

const halo_kernel mixer = {
    .name = "mixer", .help = "mixes", .cell_bits = {64, 64}, .depth = 1, .step = mix};

static halo_beat *start(const halo_kernel *kernel, halo_world *world, const halo_domain *domain,
                        const halo_partition *partition, const halo_beat_options *options)
{
    halo_beat *beat = NULL;
    halo_status status = halo_beat_create(&beat, world, domain, partition, kernel, options);
    expect_ok(status);
    for (int field = 0; status == HALO_OK && field < FIELDS; field++) {
        const halo_view *view = halo_beat_view(beat, field);
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            uint64_t *row = halo_row(view, y);
            for (int64_t x = 0; x < view->owned.n[1]; x++) {
                row[x] = (uint64_t)((view->owned.lo[0] + y) * 131 + (view->owned.lo[1] + x) * 17 +
                                    field);
            }
        }
    }
    return beat;
}

halo_beat *mixer_start_parts(halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_beat_options *options)
{
    return start(&mixer, world, domain, partition, options);
}

halo_beat *mixer_start(const halo_kernel *kernel, halo_world *world, int64_t rows, bool periodic,
                       const halo_beat_options *options)
{
    const halo_domain domain = {
        .axes = 2, .n = {rows, MIXER_WIDTH, 1}, .periodic = {periodic, periodic, false}};
    halo_partition strips;
    expect_ok(halo_partition_strips(&strips, &domain, halo_world_ranks(world)));
    halo_beat *beat = start(kernel, world, &domain, &strips, options);
    halo_partition_free(&strips);
    return beat;
}

int64_t mixer_digest(halo_world *world, const halo_beat *beat)
{
    enum { WIDEST = 1 << 20 };
    uint64_t sum = 0;
    for (int field = 0; field < FIELDS; field++) {
        const halo_view *view = halo_beat_view(beat, field);
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            const uint64_t *row = halo_row(view, y);
            for (int64_t x = 0; x < view->owned.n[1]; x++) {
                int64_t place = (view->owned.lo[0] + y) * WIDEST + view->owned.lo[1] + x;
                sum += row[x] * (2 * (uint64_t)place + 1) * (uint64_t)(field + 1);
            }
        }
    }
    int64_t all = (int64_t)sum;
    expect_ok(halo_allreduce_sum(world, &all, 1));
    return all;
}
