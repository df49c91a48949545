#include "base/minmax.h"
#include "kernels/label/measure/sample_measures.h"

/* Red, green and blue. */

/* The sums of region `number`. Maxima are 0 before anything is added. */
typedef struct {
    int64_t number;
    int64_t sum[HALO_CHANNELS];
    int64_t below[HALO_CHANNELS]; /* how far the least sample is below UINT16_MAX */
    int64_t max[HALO_CHANNELS];
} channel_sums;

_Static_assert(sizeof(channel_sums) % 16 == 0, "entries stay aligned");

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

static void add(const void *context, void *entry, const label_region_run *run)
{
    const label_sample_format *format = context;
    bool bytes = format->type == HALO_SAMPLE_U8;
    (bytes ? add_bytes : add_shorts)(entry, run->row, run->begin, run->end);
}

static size_t entry_bytes(const label_sample_format *format)
{
    (void)format;
    return sizeof(channel_sums);
}

static void join(const void *context, void *to, const void *part)
{
    channel_sums *sums = to;
    const channel_sums *more = part;
    (void)context;
    for (int channel = 0; channel < HALO_CHANNELS; channel++) {
        sums->sum[channel] += more->sum[channel];
        sums->below[channel] = halo_max(sums->below[channel], more->below[channel]);
        sums->max[channel] = halo_max(sums->max[channel], more->max[channel]);
    }
}

static bool finish(const label_sample_format *format, const void *entry, void *out)
{
    const channel_sums *sums = entry;
    halo_channels *found = out;
    (void)format;
    for (int channel = 0; channel < HALO_CHANNELS; channel++) {
        found->sum[channel] = sums->sum[channel];
        found->min[channel] = UINT16_MAX - sums->below[channel];
        found->max[channel] = sums->max[channel];
    }
    return true;
}

const label_sample_measure label_channel_measure = {.what = "channels of regions",
                                                    .entry_bytes = entry_bytes,
                                                    .result_bytes = sizeof(halo_channels),
                                                    .add = add,
                                                    .join = join,
                                                    .finish = finish};
