#include "base/random.h"

enum { WORDS = 4 }; /* of a counter */

void halo_random_fill(uint64_t seed, uint64_t stream, int64_t first, int64_t count, uint32_t *out)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint64_t block = (uint64_t)first / WORDS;
    int word = (int)((uint64_t)first % WORDS);
    for (int64_t done = 0; done < count; block++, word = 0) {
        uint32_t counter[WORDS] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream,
                                   (uint32_t)(stream >> 32)};
        uint32_t four[WORDS];
        halo_philox(counter, key, four);
        for (; word < WORDS && done < count; word++, done++) {
            out[done] = four[word];
        }
    }
}
