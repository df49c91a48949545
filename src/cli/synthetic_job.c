#include "cli/synthetic_job.h"

#include "cli/paths.h"

static bool show_progress(void *context, int64_t beats, int64_t changed)
{
    (void)changed;
    cli_synthetic_job *job = context;
    progress_update(&job->progress, beats, job->arguments->beats);
    return false;
}

static halo_status create(cli_synthetic_job *job)
{
    const synthetic_arguments *arguments = job->arguments;
    halo_beat_options beat_options = {.vote = arguments->common.vote,
                                      .depth = (int)arguments->halo_depth,
                                      .balancing = job->balance->balancing,
                                      .watch = show_progress,
                                      .context = job};
    HALO_TRY(halo_synthetic_create(&job->synthetic, job->world, &arguments->synthetic, NULL,
                                   &beat_options));
    return halo_synthetic_describe(&arguments->synthetic, &job->facts);
}

static halo_status check_paths(const cli_synthetic_job *job)
{
    const common_arguments *common = &job->arguments->common;
    HALO_TRY(paths_check(job->world, &common->json, 1, &common->balance.trace, 1));
    return cli_balance_check_log(job->balance, &common->json, 1);
}

static halo_status run_steps(cli_synthetic_job *job)
{
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
    double begun = halo_seconds();
    halo_status status = run_steps(job);
    job->seconds = halo_seconds() - begun;
    progress_end(&job->progress);
    return status;
}

void cli_synthetic_free(cli_synthetic_job *job)
{
    halo_synthetic_destroy(&job->synthetic);
}
