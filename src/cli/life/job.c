#include "cli/life/job.h"

#include "app/job.h"
#include "app/paths.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/life/dots.h"
#include "cli/life/loop.h"
#include "cli/life/output.h"
#include "partition/decomposition.h"

#include <inttypes.h>
#include <string.h>

static halo_status check_paths(const cli_life_job *job)
{
    const life_arguments *arguments = job->arguments;
    const char *const outputs[] = {arguments->output, arguments->population, arguments->movie.path,
                                   arguments->common.json, arguments->saving.checkpoint};
    const char *pattern = arguments->pattern.is_soup ? NULL : arguments->pattern.text;
    const char *const inputs[] = {pattern, arguments->common.balance.trace,
                                  arguments->saving.restore};
    HALO_TRY(paths_check(job->world, outputs, 5, inputs, 2));
    /* A checkpoint may go where the last one came from. */
    HALO_TRY(paths_check_distinct(job->world, outputs, 4, inputs + 2, 1));
    HALO_TRY(cli_balance_check_log(job->balance, outputs, 5));
    return cli_balance_check_log(job->balance, inputs, 3);
}

static halo_status plan(cli_life_job *job)
{
    /* A generation in the table takes 24 bytes of memory until it is there. */
    enum { MOST_COUNTED = 4096 };
    const life_arguments *arguments = job->arguments;
    int64_t every = arguments->movie.every;
    schedule_event *events = job->events;
    job->begin = job->source.generation;
    if (job->begin > INT64_MAX - arguments->beats) {
        return halo_fail(HALO_ARGUMENT,
                         "the pattern is at generation %" PRId64 ", and %" PRId64 " more are too "
                         "many to count; correct the number in the file (Gen=...)",
                         job->begin, arguments->beats);
    }
    job->end = job->begin + arguments->beats;
    events[LIFE_SAMPLE] =
        (schedule_event){.begin = SCHEDULE_ALWAYS, .end = true, .batch = MOST_COUNTED};
    events[LIFE_FRAME] = events[LIFE_SHOW] =
        (schedule_event){.begin = SCHEDULE_ALWAYS, .end = true};
    events[LIFE_CHECKPOINT] = saving_event(&arguments->saving);
    events[LIFE_PERIOD] = (schedule_event){.every = arguments->until.period};
    if (arguments->population != NULL) {
        events[LIFE_SAMPLE].every = every > 0 ? every : 1;
    }
    if (life_film_wanted(arguments)) {
        events[LIFE_FRAME].every = every > 0 ? every : schedule_pictures_every(arguments->beats);
    }
    if (arguments->watch) {
        events[LIFE_SHOW].every = every;
    }
    return HALO_OK;
}

/* An axis that grows will soon have cells for all ranks, however few it begins with. */
static halo_status choose_parts(const cli_life_job *job, int parts[HALO_LIFE_AXES])
{
    enum { LEAST_CELLS = 64 }; /* of a block, wide and high */
    const life_source *source = &job->source;
    const char *text = job->arguments->cutting.decomposition;
    const bool cut[HALO_AXES] = {true, true, false};
    int found[HALO_AXES], ranks = halo_world_ranks(job->world);
    halo_domain domain = {.axes = HALO_LIFE_AXES, .n = {1, 1, 1}};
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        int64_t least = source->edges[a] == HALO_LIFE_GROW ? (int64_t)ranks * LEAST_CELLS : 1;
        domain.n[a] = halo_max(source->box.n[a], least);
        domain.periodic[a] = source->edges[a] == HALO_LIFE_WRAP;
    }
    if (job->balance->balancing != NULL && text != NULL && strcmp(text, "auto") == 0) {
        text = "strips"; /* whose boundaries can move */
    }
    HALO_TRY(halo_decomposition_parse(text, &domain, cut, ranks, LEAST_CELLS, found));
    int columns = found[HALO_LIFE_COLUMNS];
    bool chosen = text == NULL || text[0] < '0' || text[0] > '9';
    while (chosen && columns > 1 &&
           (ranks % columns != 0 || domain.n[HALO_LIFE_COLUMNS] / columns < LEAST_CELLS)) {
        columns--; /* blocks may be low, but not narrow */
    }
    parts[HALO_LIFE_ROWS] = chosen ? ranks / columns : found[HALO_LIFE_ROWS];
    parts[HALO_LIFE_COLUMNS] = columns;
    return HALO_OK;
}

static halo_status create_life(cli_life_job *job)
{
    const life_source *source = &job->source;
    const life_arguments *arguments = job->arguments;
    halo_life_options options = {.rule = source->rule,
                                 .balancing = job->balance->balancing,
                                 .box = source->box,
                                 .edges = {source->edges[0], source->edges[1]},
                                 .beats_per_exchange = (int)arguments->cutting.beats_per_exchange,
                                 .stop_when_still = arguments->until.steady,
                                 .vote = arguments->common.vote,
                                 .exchange = arguments->cutting.exchange,
                                 .instructions = arguments->common.instructions,
                                 .watch = life_course_watch,
                                 .context = job};
    HALO_TRY(choose_parts(job, options.parts));
    return halo_life_create(&job->life, job->world, &options);
}

/* ---- a film's window ---------------------------------------------------------------------------
 */

/* This rank's rows, to begin again with: files may be pipes, which are read once. */
typedef struct {
    void *rows;
    int64_t first, count;
    size_t pitch;
} memory_of_rows;

static halo_status remember(cli_life_job *job, memory_of_rows *memory)
{
    int rank = halo_world_rank(job->world);
    const int64_t *cuts = halo_life_cuts(job->life);
    *memory = (memory_of_rows){.first = cuts[rank],
                               .count = cuts[rank + 1] - cuts[rank],
                               .pitch = halo_life_row_bytes(job->life)};
    HALO_TRY(halo_memory_create(&memory->rows, (size_t)memory->count * memory->pitch + 1,
                                "the first generation (--view makes it unnecessary)"));
    return halo_life_get_rows(job->life, memory->first, memory->count, memory->rows, memory->pitch);
}

/* Run all generations without a result, to know which cells of a plane are ever alive, and go back
 * to the first one. */
static halo_status look_ahead(cli_life_job *job)
{
    memory_of_rows memory = {0};
    halo_status status;
    HALO_TRY(halo_life_stage(job->life));
    HALO_TRY_OR(done, halo_agree(job->world, remember(job, &memory)));
    progress_phase(&job->progress, "looking ahead");
    job->looks_ahead = true;
    status = life_course_run(job);
    job->looks_ahead = false;
    halo_life_destroy(&job->life);
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, create_life(job));
    status = halo_life_put_rows(job->life, memory.first, memory.count, memory.rows, memory.pitch);
    HALO_TRY_OR(done, halo_agree(job->world, status));
    halo_life_set_generation(job->life, job->source.generation);
done:
    halo_memory_free(memory.rows);
    return status;
}

static halo_status begin_film(cli_life_job *job)
{
    const life_arguments *arguments = job->arguments;
    const halo_life_edge *edges = job->source.edges;
    const halo_life_box grid = job->source.box; /* not as large as blocks may have made it */
    halo_picture_window window = arguments->view.window;
    if (!life_film_wanted(arguments)) {
        return HALO_OK;
    }
    if (window.width > 0) {
        window.x += halo_life_origin(edges[HALO_LIFE_COLUMNS], grid.lo[HALO_LIFE_COLUMNS]);
        window.y += halo_life_origin(edges[HALO_LIFE_ROWS], grid.lo[HALO_LIFE_ROWS]);
    } else {
        if (edges[0] == HALO_LIFE_GROW || edges[1] == HALO_LIFE_GROW) {
            HALO_TRY(look_ahead(job));
        }
        window = life_dots_window(&grid, edges, &job->seen);
        if (!arguments->view.all) {
            window = life_dots_close_up(&window, edges, &grid);
        }
    }
    return life_film_begin(&job->film, job->world, job->given, arguments, &window,
                           job->source.rule.states, job->events[LIFE_FRAME].every);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

static halo_status compute(cli_life_job *job)
{
    halo_status status = begin_film(job);
    if (status == HALO_OK) {
        if (job->arguments->watch) {
            progress_end(&job->progress); /* who watches sees how far it is */
        } else {
            progress_phase(&job->progress, "computing");
        }
        status = life_course_run(job);
    }
    return job->film.world != NULL ? life_film_end(&job->film, status) : status;
}

static halo_status write_results(cli_life_job *job)
{
    const life_arguments *arguments = job->arguments;
    if (arguments->output != NULL) {
        progress_phase(&job->progress, "writing");
        HALO_TRY(
            life_output_write(&job->source, job->life, &job->census, &job->progress, &job->clock));
    }
    return arguments->population != NULL
               ? life_table_write(&job->table, job->world, arguments->population)
               : HALO_OK;
}

static halo_status run_steps(void *context)
{
    cli_life_job *job = context;
    const life_arguments *arguments = job->arguments;
    HALO_TRY(check_paths(job));
    HALO_TRY(life_source_open(&job->source, job->world, job->given, arguments, &job->progress));
    HALO_TRY(life_output_check(&job->source));
    HALO_TRY(life_screen_begin(&job->screen, job->world, arguments, job->source.edges,
                               job->source.rule.states));
    HALO_TRY(plan(job)); /* the same on all ranks, as what it plans with is */
    job->screen.last_generation = job->end;
    HALO_TRY(create_life(job));
    HALO_TRY(life_film_check(job->world, arguments));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(life_source_fill(&job->source, job->life, &job->clock));
    HALO_TRY(compute(job));
    return write_results(job);
}

halo_status cli_life_run(cli_life_job *job, halo_world *world, cli_balance *balance,
                         const app_options *given, const life_arguments *arguments)
{
    *job = (cli_life_job){.world = world,
                          .balance = balance,
                          .given = given,
                          .arguments = arguments,
                          .progress =
                              progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run_until_signal(world, run_steps, job, &job->progress, &job->seconds);
}

void cli_life_free(cli_life_job *job)
{
    life_source_close(&job->source);
    life_table_free(&job->table);
    halo_life_destroy(&job->life);
}
