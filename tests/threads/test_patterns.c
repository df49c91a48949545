#include "core/transport/threads/run.h"
#include "threads/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* test_patterns FIRST LAST [RANKS]: runs the patterns of these seeds on threads. */

enum { PATIENCE = 120 }; /* seconds for one; what takes longer hangs */

int main(int argc, char **argv)
{
    static const char *const policies[] = {"auto", "spin", "sleep", "yield"};
    uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : 300;
    int bad = 0, broken = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        pattern p;
        int most = argc > 3 ? atoi(argv[3]) : seed % 8 == 0 ? PATTERN_RANKS : 8;
        pattern_make(&p, seed, most, false);
        const halo_world_options options = {.wait = policies[seed / 3 % 4]};
        alarm(PATIENCE);
        halo_status status = halo_run(p.ranks, &options, pattern_run, &p);
        bool failed = status != HALO_OK;
        if (atomic_load(&p.wrong) > 0 || (failed && p.breaking < 0)) {
            fprintf(stderr, "seed %" PRIu64 " failed: %s\n", seed,
                    failed ? halo_last_message() : "");
            bad++;
        }
        broken += failed;
    }
    printf("%" PRIu64 " patterns, %d of them broken on purpose, %d wrong\n", last - first + 1,
           broken, bad);
    return bad > 0;
}
