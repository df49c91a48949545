#include "cli/synthetic/job.h"

#include "app/job.h"
#include "app/paths.h"
#include "partition/decomposition.h"

static bool show_progress(void *context, int64_t beats, int64_t changed)
{
    (void)changed;
    cli_synthetic_job *job = context;
    progress_update(&job->progress, beats, job->arguments->beats);
    return false;
}

static halo_status cut(const cli_synthetic_job *job, halo_partition *partition)
{
    const synthetic_arguments *arguments = job->arguments;
    const bool any[HALO_AXES] = {true, true, false};
    halo_domain domain = {.axes = 2,
                          .n = {arguments->synthetic.rows, arguments->synthetic.columns, 1}};
    int parts[HALO_AXES];
    HALO_TRY(halo_decomposition_parse(arguments->cutting.decomposition, &domain, any,
                                      halo_world_ranks(job->world),
                                      (int)arguments->cutting.beats_per_exchange, parts));
    return halo_partition_blocks(partition, &domain, parts);
}

static halo_status create(cli_synthetic_job *job)
{
    const synthetic_arguments *arguments = job->arguments;
    halo_beat_options beat_options = {.vote = arguments->common.vote,
                                      .beats_per_exchange =
                                          (int)arguments->cutting.beats_per_exchange,
                                      .balancing = job->balance->balancing,
                                      .watch = show_progress,
                                      .context = job};
    HALO_TRY(halo_agree(job->world, cut(job, &job->partition)));
    HALO_TRY(halo_synthetic_create(&job->synthetic, job->world, &arguments->synthetic,
                                   &job->partition, &beat_options));
    return halo_synthetic_describe(&arguments->synthetic, &job->facts);
}

static halo_status check_paths(const cli_synthetic_job *job)
{
    const common_arguments *common = &job->arguments->common;
    HALO_TRY(paths_check(job->world, &common->json, 1, &common->balance.trace, 1));
    return cli_balance_check_log(job->balance, &common->json, 1);
}

static halo_status run_steps(void *context)
{
    cli_synthetic_job *job = context;
    HALO_TRY(check_paths(job));
    HALO_TRY(create(job));
    HALO_TRY(cli_balance_open_log(job->balance));
    progress_phase(&job->progress, "beating");
    double begun = halo_seconds();
    HALO_TRY(halo_synthetic_run(job->synthetic, job->arguments->beats));
    job->run_seconds = halo_seconds() - begun;
    progress_phase(&job->progress, "checking");
    begun = halo_seconds();
    halo_status status = halo_synthetic_check(job->synthetic, &job->verdict);
    job->check_seconds = halo_seconds() - begun;
    return status;
}

halo_status cli_synthetic_run(cli_synthetic_job *job, halo_world *world, cli_balance *balance,
                              const synthetic_arguments *arguments)
{
    *job = (cli_synthetic_job){
        .world = world,
        .balance = balance,
        .arguments = arguments,
        .progress = progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run(run_steps, job, &job->progress, &job->seconds);
}

void cli_synthetic_free(cli_synthetic_job *job)
{
    halo_synthetic_destroy(&job->synthetic);
    halo_partition_free(&job->partition);
}
