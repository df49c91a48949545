#ifndef HALOBEAT_CLI_BENCH_SUBJECT_INTERNAL_H
#define HALOBEAT_CLI_BENCH_SUBJECT_INTERNAL_H

#include "cli/bench/subject.h"

/* The functions of single subjects, for their table. */

#define BENCH_SUBJECT_PROTOTYPES(name)                               \
    halo_status bench_##name##_create(void **out, halo_world *world, \
                                      const bench_setting *setting); \
    halo_status bench_##name##_run(void *subject, int64_t beats);    \
    bench_tally bench_##name##_tally(const void *subject);           \
    void bench_##name##_destroy(void **subject);                     \
    bool bench_##name##_workload(const bench_setting *setting, halo_workload *out);
BENCH_SUBJECT_PROTOTYPES(life)
BENCH_SUBJECT_PROTOTYPES(label)
#undef BENCH_SUBJECT_PROTOTYPES

#endif
