#include "kernels/chan_vese/border.h"
#include "core/exchange/exchange.h"

#include <string.h>

enum { CHANNELS = 3, WORD = 64 /* bits */ };

static halo_status copy_cells(halo_field **copy, const halo_beat *beat, const halo_domain *domain)
{
    const halo_view *from = halo_beat_view(beat, 0);
    size_t bytes = (size_t)(from->owned.n[1] + WORD - 1) / WORD * sizeof(uint64_t);
    HALO_TRY(halo_field_create(copy, domain, &from->owned, HALO_BIT, 1));
    const halo_view *to = halo_field_view(*copy);
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        memcpy(halo_row(to, y), halo_row(from, y), bytes);
    }
    return HALO_OK;
}

halo_status halo_chan_vese_border_create(halo_field **copy, const halo_beat *beat,
                                         halo_world *world, const halo_domain *domain)
{
    halo_exchange *exchange = NULL;
    HALO_TRY(halo_agree(world, copy_cells(copy, beat, domain)));
    HALO_TRY(halo_exchange_create(&exchange, world, halo_beat_partition(beat), copy, 1, NULL));
    halo_status status = halo_agree(world, halo_exchange_begin(exchange));
    if (status == HALO_OK) {
        status = halo_agree(world, halo_exchange_end(exchange));
    }
    halo_exchange_destroy(&exchange);
    return status;
}

static bool is_in(const uint64_t *row, int64_t x)
{
    return (row[x / WORD] >> x % WORD & 1) != 0;
}

static bool is_border(const uint64_t *const rows[3], int64_t x, int64_t width)
{
    bool here = is_in(rows[1], x);
    return is_in(rows[0], x) != here || is_in(rows[2], x) != here ||
           (x > 0 && is_in(rows[1], x - 1) != here) ||
           (x + 1 < width && is_in(rows[1], x + 1) != here);
}

void halo_chan_vese_border_paint(const halo_view *copy, int64_t row, int64_t rows,
                                 const unsigned char inner[3], const unsigned char outer[3],
                                 unsigned char *pixels)
{
    int64_t width = copy->owned.n[1], y = row - copy->owned.lo[0];
    const uint64_t *three[3] = {halo_row(copy, row > 0 ? y - 1 : y), halo_row(copy, y),
                                halo_row(copy, row + 1 < rows ? y + 1 : y)};
    for (int64_t x = 0; x < width; x++) {
        if (is_border(three, x, width)) {
            memcpy(pixels + CHANNELS * x, is_in(three[1], x) ? inner : outer, CHANNELS);
        }
    }
}
