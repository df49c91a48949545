#include "cli/bench/subject_internal.h"
#include "kernels/life/life.h"

enum { CELLS_A_BYTE = 8 };

static const double DENSITY = .35;

halo_status bench_life_create(void **out, halo_world *world, const bench_setting *setting)
{
    *out = NULL;
    halo_life_options options = {
        .box = {.n = {setting->domain.n[0], setting->domain.n[1]}},
        .edges = {HALO_LIFE_DEAD, HALO_LIFE_DEAD},
        .parts = {setting->parts[0], setting->parts[1]},
        .beats_per_exchange = setting->depth,
        .exchange = setting->mode,
    };
    HALO_TRY(halo_agree(world, halo_life_rule_parse("B3/S23", &options.rule, NULL)));
    halo_life *life;
    HALO_TRY(halo_life_create(&life, world, &options));
    halo_status status = halo_life_soup(life, DENSITY, 1);
    if (status != HALO_OK) {
        halo_life_destroy(&life);
    }
    *out = life;
    return status;
}

halo_status bench_life_run(void *subject, int64_t beats)
{
    return halo_life_run(subject, beats);
}

bench_tally bench_life_tally(const void *subject)
{
    halo_life_report report = halo_life_report_of(subject);
    return bench_tally_of(&report.beats);
}

void bench_life_destroy(void **subject)
{
    halo_life *life = *subject;
    halo_life_destroy(&life);
    *subject = NULL;
}

/* A cell is a bit, and the model counts bytes: eight cells of a row are one to it. */
bool bench_life_workload(const bench_setting *setting, halo_workload *out)
{
    *out = (halo_workload){.domain = setting->domain,
                           .cell_bytes = 1,
                           .depth = 1,
                           .beats = setting->depth,
                           .corners = true};
    int64_t *columns = &out->domain.n[1];
    *columns = (*columns + CELLS_A_BYTE - 1) / CELLS_A_BYTE;
    return true;
}
