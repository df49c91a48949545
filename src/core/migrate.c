#include "core/migrate.h"

#include "core/stream.h"
#include "core/wrap.h"

#include <string.h>

typedef struct {
    const halo_field *from;
    halo_field *to;
    int64_t from_first, to_first; /* layers of this rank's parts */
    size_t bytes;                 /* of a layer */
} migration;

static halo_status give_layers(void *context, int64_t first, int64_t layers, void *out,
                               size_t pitch)
{
    const migration *m = context;
    size_t bytes;
    for (int64_t i = 0; i < layers; i++) {
        memcpy((char *)out + (size_t)i * pitch,
               halo_wrap_layers(m->from, first - m->from_first + i, 1, &bytes), m->bytes);
    }
    return HALO_OK;
}

static halo_status take_layers(void *context, int64_t first, int64_t layers, const void *data,
                               size_t pitch)
{
    const migration *m = context;
    size_t bytes;
    for (int64_t i = 0; i < layers; i++) {
        memcpy(halo_wrap_layers(m->to, first - m->to_first + i, 1, &bytes),
               (const char *)data + (size_t)i * pitch, m->bytes);
    }
    return HALO_OK;
}

halo_status halo_migrate(halo_world *world, const halo_field *from, const int64_t *from_cuts,
                         halo_field *to, const int64_t *to_cuts, halo_clock *clock)
{
    int rank = halo_world_rank(world);
    migration m = {
        .from = from, .to = to, .from_first = from_cuts[rank], .to_first = to_cuts[rank]};
    halo_wrap_layers(from, 0, 1, &m.bytes);
    return halo_stream_move(world, from_cuts, to_cuts, 0, m.bytes, give_layers, take_layers, &m,
                            clock);
}
