#include "kernels/label/measure/channels.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/second_pass.h"

#include <stdlib.h>

struct halo_label_channels {
    label_second_pass pass; /* of channel_sums */
    int cell_bits;
};

/* Of region `number`. What is largest is 0 where nothing was added yet. */
typedef struct {
    int64_t number;
    int64_t sum[HALO_CHANNELS];
    int64_t below[HALO_CHANNELS]; /* how far the least sample is below UINT16_MAX */
    int64_t max[HALO_CHANNELS];
} channel_sums;

_Static_assert(sizeof(channel_sums) % 16 == 0, "entries stay aligned");

halo_status halo_label_channels_create(halo_label_channels **out, halo_label *label, int cell_bits)
{
    *out = NULL;
    if (cell_bits != 8 && cell_bits != 16) {
        return halo_fail(HALO_ARGUMENT, "channels are samples of 8 or 16 bits");
    }
    HALO_TRY(halo_agree(label->job.world, HALO_ALLOCATE(*out, 1, "channels of regions")));
    (*out)->cell_bits = cell_bits;
    halo_status status =
        label_second_pass_create(&(*out)->pass, label, sizeof(channel_sums), LABEL_PASS_STRIPS);
    if (status != HALO_OK) {
        halo_label_channels_destroy(out);
    }
    return status;
}

const int64_t *halo_label_channels_cuts(const halo_label_channels *channels)
{
    return halo_label_painting_cuts(channels->pass.painting);
}

/* Pixels `begin` to `end` - 1 of a row. */
#define DEFINE_ADD(name, type)                                                         \
    static void name(channel_sums *sums, const void *data, int64_t begin, int64_t end) \
    {                                                                                  \
        for (int channel = 0; channel < HALO_CHANNELS; channel++) {                    \
            const type *sample = (const type *)data + channel;                         \
            int64_t sum = 0;                                                           \
            type least = sample[HALO_CHANNELS * begin], most = 0;                      \
            for (int64_t x = begin; x < end; x++) {                                    \
                type value = sample[HALO_CHANNELS * x];                                \
                sum += value;                                                          \
                least = value < least ? value : least;                                 \
                most = value > most ? value : most;                                    \
            }                                                                          \
            sums->sum[channel] += sum;                                                 \
            sums->below[channel] = halo_max(sums->below[channel], UINT16_MAX - least); \
            sums->max[channel] = halo_max(sums->max[channel], most);                   \
        }                                                                              \
    }
DEFINE_ADD(add_bytes, uint8_t)
DEFINE_ADD(add_shorts, uint16_t)
#undef DEFINE_ADD

static void add_pixels(void *context, void *entry, const void *row, int64_t begin, int64_t end)
{
    const halo_label_channels *channels = context;
    (channels->cell_bits == 8 ? add_bytes : add_shorts)(entry, row, begin, end);
}

halo_status halo_label_channels_take(void *context, int64_t first_row, int64_t rows,
                                     const void *data, size_t pitch)
{
    halo_label_channels *channels = context;
    return label_second_pass_take(&channels->pass, first_row, rows, data, pitch, add_pixels,
                                  channels);
}

static void add_sums(void *to, const void *part)
{
    channel_sums *sums = to;
    const channel_sums *more = part;
    for (int channel = 0; channel < HALO_CHANNELS; channel++) {
        sums->sum[channel] += more->sum[channel];
        sums->below[channel] = halo_max(sums->below[channel], more->below[channel]);
        sums->max[channel] = halo_max(sums->max[channel], more->max[channel]);
    }
}

halo_status halo_label_channels_finish(halo_label_channels *channels, halo_channels **out,
                                       int64_t *count)
{
    label_by_number *table = &channels->pass.table;
    *out = NULL;
    *count = 0;
    HALO_TRY(label_by_number_share(table, add_sums));
    HALO_TRY(halo_agree(table->world,
                        HALO_ALLOCATE_LARGE(*out, table->count + 1, "channels of regions")));
    *count = table->count;
    for (int64_t i = 0; i < *count; i++) {
        const channel_sums *sums = label_by_number_own(table, i);
        for (int channel = 0; channel < HALO_CHANNELS; channel++) {
            (*out)[i].sum[channel] = sums->sum[channel];
            (*out)[i].min[channel] = UINT16_MAX - sums->below[channel];
            (*out)[i].max[channel] = sums->max[channel];
        }
    }
    return HALO_OK;
}

void halo_label_channels_destroy(halo_label_channels **channels)
{
    if (*channels != NULL) {
        label_second_pass_free(&(*channels)->pass);
        free(*channels);
        *channels = NULL;
    }
}
