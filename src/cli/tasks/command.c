#include "app/frame.h"
#include "app/outputs.h"
#include "app/paths/paths.h"
#include "app/report/facts.h"
#include "base/cores.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/tasks/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static halo_status parse_header(const char *text, void *into)
{
    *(const char **)into = text;
    return HALO_REQUIRE(strcmp(text, ":") == 0, HALO_ARGUMENT, "no such value");
}

#define ROW(option, kind, member) HALO_OPTION_ROW(tasks_options, option, kind, member)

static const halo_option what_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What is to be done:"},
    {ROW("jobs", CUSTOM, files), .letter = 'a', .value = "FILE", .parse = parse_file,
     .flags = APP_REPEATS, .aliases = "arg-file", .takes = "the name of a file",
     .help = "A job for each line of the file, - for standard input: a command for the shell, or "
             "what stands in place of {} in COMMAND; several files are as several ::::. Files are "
             "read to their ends before the first job starts, since schedules share out all jobs",
     .unless = "standard input, without inputs behind the command"},
    {ROW("null", FLAG, null), .letter = '0',
     .help =
         "Inputs of files end in zero bytes in place of line ends, as find -print0 writes them"},
    {ROW("no-run-if-empty", FLAG, skip_empty), .letter = 'r',
     .help = "Leave out empty lines, which are inputs otherwise"},
    {ROW("colsep", TEXT, colsep), .letter = 'C', .value = "REGEX",
     .help = "Split inputs into columns {1}, {2} and so on at what matches an extended regular "
             "expression, in which \\t is a tab"},
    {ROW("header", TEXT, header), .choices = ":", .value = ":", .parse = parse_header,
     .takes = ": for the first line or word of each source",
     .help = "The first line or word of each source names its columns: {NAME} is as {1}; with a "
             "blank in place of the =, mpiexec would take the : for its own"},
    {ROW("shell", TEXT, shell), .value = "PROGRAM",
     .help = "What runs the commands, as by PROGRAM -c COMMAND: bash, if they are written for it",
     .unless = "$PARALLEL_SHELL, or else /bin/sh"},
    {ROW("dry-run", FLAG, dry_run), .aliases = "dryrun",
     .help = "Print the commands without running them"},
    {.type = HALO_OPTION_END}};

static const halo_option when_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "How many, and when:"},
    {ROW("max-procs", CUSTOM, at_once), .letter = 'j', .value = "N", .parse = parse_count,
     .takes = "a number of jobs, +N or -N to add it to the cores, or a share of the cores such as "
              "50%",
     .help = "Run up to N jobs at once on each machine, spread over its ranks; 50%: of its cores; "
             "+1: one more than cores; 0: as many as there are, as far as files can be open",
     .unless = "one for each core; with --ranks, HALOBEAT_RANKS or a launcher one for each rank"},
    {ROW("delay", CUSTOM, delay), .value = "TIME", .parse = parse_duration,
     .takes = "seconds, or a time such as 1m30s",
     .help = "Let so much time pass between the starts of two jobs, on all ranks together",
     .unless = "none"},
    {ROW("load", CUSTOM, load), .value = "N", .parse = parse_load,
     .takes = "a number above 0, or a share of the cores such as 80%",
     .help = "Start no job while N threads or more run on the machine, this program's not counted; "
             "80%: of its cores",
     .unless = "any"},
    {ROW("memfree", CUSTOM, memory), .value = "BYTES", .parse = parse_bytes,
     .takes = "a number of bytes, such as 500M or 2G",
     .help = "Start no job while less memory is free, on the machine or in its control group",
     .unless = "any"},
    {.type = HALO_OPTION_END}};

static const halo_option failure_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Failures:"},
    {ROW("retries", INTEGER, retries), .max = 1000, .unit = "times", .value = "N", .standard = "1",
     .help = "Run a job that fails up to N times in all, as GNU parallel does; 0: until it does "
             "not fail"},
    {ROW("timeout", CUSTOM, timeout), .value = "TIME", .parse = parse_time,
     .takes = "seconds, a time such as 1m30s, or a share of the median time of jobs such as 200%",
     .unless = "none",
     .help =
         "End a job that takes longer: SIGTERM, and SIGKILL two seconds later. 200%: than twice "
         "the median of those that ended well, of which there are three or more"},
    {ROW("halt", CUSTOM, halt), .value = "WHEN[,WHAT=N]", .parse = parse_halt,
     .aliases = "halt-on-error", .offers = "never|soon|now",
     .takes = "never, soon or now, and then ,fail=N ,success=N or ,done=N",
     .help =
         "After a failed job: never: continue. soon: start no other job. now: also end the "
         "running ones. soon,fail=3: after three that failed; now,success=1: after one that did "
         "not, with status 0; now,done=9: after nine of any kind",
     .unless = "never"},
    {ROW("joblog", TEXT, log), .value = "FILE",
     .help = "Append a line for each finished job, in the columns of GNU parallel"},
    {ROW("resume", FLAG, resume), .needs = "joblog",
     .help = "Skip jobs that the log lists as successful"},
    {ROW("failed", TEXT, failed), .value = "FILE",
     .help = "The lines or inputs of jobs that failed, for --jobs, with tabs between those of "
             "several sources"},
    {.type = HALO_OPTION_END}};

static const halo_option output_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "What jobs write, which is printed when they end:"},
    {ROW("keep-order", FLAG, keep_order), .letter = 'k',
     .help = "Print the output of jobs in the order of the jobs, not in that of their ends"},
    {ROW("line-buffer", FLAG, line_buffer), .aliases = "lb|linebuffer|line-buffered",
     .help =
         "Print each line as soon as it is whole; with --keep-order those of the first job that "
         "has not ended"},
    {ROW("ungroup", FLAG, ungroup), .letter = 'u',
     .excludes = "keep-order|line-buffer|tag|tagstring", .why = "what jobs write is mixed",
     .help = "Print everything at once: jobs may mix within a line"},
    {ROW("tag", FLAG, tag), .help = "Begin each line with the job's input, and a tab"},
    {ROW("tagstring", TEXT, tagstring), .value = "TEXT",
     .help = "Begin each line with this text, in which {} and so on are as in COMMAND, and a tab"},
    {ROW("results", TEXT, results), .value = "DIR", .aliases = "res",
     .excludes = "line-buffer|ungroup|tag|tagstring", .why = "files keep what jobs write as it is",
     .help =
         "Write it into files in place of printing it: DIR/1/INPUT/stdout, stderr and seq, with "
         "a folder and a name for each source or column; with {} and so on in DIR, the files "
         "DIR, DIR.err and DIR.seq, or those in the folder DIR/"},
    {.type = HALO_OPTION_END}};

#define SCHEDULE "timed" /* in about the order of the jobs, and --halt leaves out what it can */

static const halo_option how_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "How jobs are handed out:"},
    {APP_SCHEDULE_ROW, .unless = SCHEDULE},
    {APP_MASTER_ROW},
    {APP_TIMELINE_ROW},
    {.type = HALO_OPTION_END}};

static const halo_option ranks_rows[] = {{APP_FRAME_ROW("ranks", INTEGER, common.ranks), .min = 1,
                                          .max = APP_MOST_THREADS, .unit = "ranks", .unless = "1",
                                          .help =
                                              "Ranks of this process among which jobs are handed "
                                              "out, for reports and timelines: one can run any "
                                              "number of jobs at once; not under mpiexec, whose "
                                              "-n says how many"},
                                         {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {what_rows,     when_rows,         failure_rows,
                                            output_rows,   app_place_of_runs, ranks_rows,
                                            app_wait_rows, app_report_rows,   NULL};

static const app_service_use services[] = {
    APP_SHARED_SERVICES, {.service = &app_tasks_service, .rows = how_rows}, {0}};

static const app_syntax tasks_syntax = {
    .name = "tasks",
    .summary = "run shell commands, one for each line or file, on all cores or ranks",
    .about =
        "Run a command of the shell for each line of a file, or for each input, several at once, "
        "on this machine or, under mpiexec, on all ranks of the job:\n"
        "  halobeat tasks [OPTION...] --jobs FILE\n"
        "  halobeat tasks [OPTION...] COMMAND... [SOURCE...]\n"
        "A SOURCE is ::: INPUT... or :::: FILE...; of several, all combinations are done, the "
        "last one the fastest, and :::+ and ::::+ go with the one before, input by input.\n\n"
        "In COMMAND stand {} for the input, {.} for it without its ending, {/} without its "
        "folder, {/.} without both, {//} for the folder, {1}, {2.} and so on for one source or "
        "column, {-1} for the last, {#} for the job's number, and {%} for one that no other "
        "job has at the same time. Without any of these the input is put behind COMMAND. Write "
        "-- before a COMMAND that begins with a dash.",
    .notes = "Examples:\n"
             "  halobeat tasks convert {} {.}.jpg ::: *.png\n"
             "  halobeat tasks -j 8 --jobs jobs.txt --joblog log --resume\n"
             "  halobeat tasks -j 50% --header : --colsep , 'fit {x} {y}' :::: table.csv\n"
             "  ls *.gz | halobeat tasks --keep-order 'zcat {} | wc -l'\n"
             "  mpiexec -n 64 halobeat tasks --jobs jobs.txt\n\n"
             "A job ends when its first process ends. In its environment are HALOBEAT_TASK and "
             "PARALLEL_SEQ, its number, and PARALLEL_JOBSLOT. Its standard input is empty. Options "
             "named as those of GNU parallel do the same, except --jobs, --resume, -q and -v.\n\n"
             "Exit status: 0 done, 1 a job failed, 2 unusable arguments, " APP_EXIT_LOST,
    .tables = tables,
    .services = services,
    .bytes = sizeof(tasks_options),
    .describe = app_tasks_describe,
};

/* ---- the run --------------------------------------------------------------------------------- */

static halo_status open_list(tasks_job *job)
{
    HALO_TRY(tasks_read_jobs(job));
    return job->options->dry_run ? tasks_print_commands(job) : tasks_open_files(job);
}

static void choose_shell(tasks_options *options)
{
    const char *named = getenv("PARALLEL_SHELL");
    if (options->shell == NULL && named != NULL && named[0] != '\0') {
        options->shell = named;
    }
}

static halo_status open_job(app_run *run)
{
    tasks_options *options = run->options;
    tasks_job *job = run->job;
    job->options = options;
    job->words = run->context;
    job->run = run;
    app_tasks_set_log(run, options->log);
    job->store = (output_store)OUTPUT_STORE_EMPTY;
    options->all.common.quiet = !options->all.common.verbose;
    choose_shell(options);
    tasks_arguments *handed_out =
        app_options_of_service(run->command->syntax, options, &app_tasks_service);
    if (handed_out->schedule == NULL) {
        handed_out->schedule = SCHEDULE;
    }
    int64_t count = 0;
    halo_status status = app_is_root(run) ? open_list(job) : HALO_OK;
    HALO_TRY(halo_agree(run->world, status));
    count = options->dry_run ? 0 : job->todo_count;
    HALO_TRY(halo_bcast(run->world, &count, sizeof count, 0));
    job->todo_count = count;
    return tasks_count_slots(job);
}

halo_status tasks_add_files(const app_run *run, app_files *files)
{
    const tasks_options *options = run->options;
    const tasks_words *words = run->context;
    if (options->files.count == 0 && words->source_count == 0) {
        HALO_TRY(app_files_add(files, APP_READ, "-"));
    }
    for (int i = 0; i < options->files.count; i++) {
        HALO_TRY(app_files_add(files, APP_READ, options->files.name[i]));
    }
    for (int s = 0; s < words->source_count; s++) {
        for (int i = 0; words->sources[s].is_file && i < words->sources[s].count; i++) {
            HALO_TRY(app_files_add(files, APP_READ, words->sources[s].words[i]));
        }
    }
    HALO_TRY(options->results == NULL ? app_files_add_printed(files) : HALO_OK);
    HALO_TRY(app_files_add(files, APP_LOG, options->log));
    return app_files_add(files, APP_LOG, options->failed);
}

static halo_status add_files(app_run *run, app_files *files)
{
    return halo_agree(run->world, tasks_add_files(run, files));
}

/* Rank 0 sends its counts to all ranks at the end. */
static halo_status share_counts(tasks_job *job)
{
    int64_t counts[] = {job->done, job->failed, job->ends, job->succeeds};
    HALO_TRY(halo_bcast(job->run->world, counts, sizeof counts, 0));
    job->done = counts[0];
    job->failed = counts[1];
    job->ends = counts[2] != 0;
    job->succeeds = counts[3] != 0;
    return HALO_OK;
}

/* Collective. Makes what a process has once; if ranks are threads, rank 0 does. */
static halo_status prepare_process(tasks_job *job)
{
    halo_world *world = job->run->world;
    const count_value *load = &job->options->load;
    bool makes = halo_world_rank(world) == 0 || !halo_world_is_process(world);
    int slots = job->process_slots > 0 ? job->process_slots : 1;
    job->gate = (start_gate){.load = load->given ? count_value_of(load, halo_cores_usable(), 0) : 0,
                             .memory = job->options->memory,
                             .program = job->run->program};
    HALO_TRY(halo_agree(world, makes ? shell_watcher_create(&job->watcher, slots) : HALO_OK));
    job->process = job;
    return halo_world_is_process(world) ? halo_bcast(world, &job->process, sizeof job->process, 0)
                                        : HALO_OK;
}

static halo_status run_jobs(app_run *run)
{
    tasks_job *job = run->job;
    halo_tasks_options options = {.count = job->todo_count,
                                  .context = job,
                                  .run = tasks_run_one,
                                  .collect = tasks_collect,
                                  .part = tasks_part,
                                  .data = tasks_data,
                                  .interrupt = tasks_interrupt,
                                  .slots = job->slots,
                                  .gives_back = true,
                                  .once = true}; /* what is run twice may do harm */
    HALO_TRY(prepare_process(job));
    progress_phase(&run->progress, "jobs");
    halo_status status = app_tasks_run(run, run->world, &options);
    /* A run that was to end early is good. */
    halo_status closed = app_is_root(run) ? tasks_close_files(job) : HALO_OK;
    HALO_TRY(share_counts(job));
    status = job->ends && status == HALO_FILE ? HALO_OK : status;
    return halo_agree(run->world, halo_status_first(status, closed));
}

static halo_status verdict(app_run *run)
{
    const tasks_job *job = run->job;
    HALO_FAIL_IF(job->failed > 0 && !job->succeeds, HALO_FILE,
                 "%" PRId64 " of %" PRId64 " jobs failed", job->failed, job->done);
    return HALO_OK;
}

static void destroy(app_run *run)
{
    tasks_job *job = run->job;
    shell_watcher_destroy(&job->watcher);
    job_log_close(&job->log);
    job_inputs_free(&job->inputs);
    output_close(job);
    halo_buffer_free(&job->order);
    halo_buffer_free(&job->seconds);
    free(job->todo);
}

/* ---- reports --------------------------------------------------------------------------------- */

static const app_output outputs[] = {APP_TASKS_OUTPUT, {0}};

static json_t *facts(app_run *run, json_t *texts)
{
    const tasks_job *job = run->job;
    (void)texts;
    return json_pack("{s:I, s:I, s:I, s:o}", "jobs", (json_int_t)job->inputs.count, "jobs_done",
                     (json_int_t)job->done, "jobs_failed", (json_int_t)job->failed, "tasks",
                     app_tasks_facts(run));
}

static const app_line lines[] = {
    {.name = "jobs", .text = "{jobs}, {jobs_done} done now[, {jobs_failed>0} failed]"},
    APP_TASKS_LINES,
    {0}};

static const app_command inner_command = {.syntax = &tasks_syntax,
                                          .job_bytes = sizeof(tasks_job),
                                          .auto_wait = "sleep", /* jobs need the cores */
                                          .open = open_job,
                                          .files = add_files,
                                          .run = run_jobs,
                                          .outputs = outputs,
                                          .lines = lines,
                                          APP_TASKS_REPORTS,
                                          .facts = facts,
                                          .verdict = verdict,
                                          .destroy = destroy};

static const char program[] = "halobeat tasks";

static int call(halo_world *all, int argc, char **argv)
{
    tasks_words words;
    int status =
        app_agree_early(all, program, tasks_words_parse(&words, &tasks_syntax, argc, argv));
    if (status == 0) {
        status = app_main(all, &inner_command, program, &words, words.options, argv);
    }
    free(words.sources);
    return status;
}

/* One rank runs as many jobs at once as there are to be. */
static int answer(int argc, char **argv, int64_t *ranks)
{
    tasks_words words;
    app_arguments *options = NULL;
    halo_status status = tasks_words_parse(&words, &tasks_syntax, argc, argv);
    int answered = status == HALO_OK
                       ? app_answer_alone(&tasks_syntax, program, words.options, argv, &options)
                       : app_complain(program, status);
    *ranks = answered < 0 && options->common.ranks > 0 ? options->common.ranks : 1;
    free(options);
    free(words.sources);
    return answered;
}

const app_command tasks_command = {.syntax = &tasks_syntax, .call = call, .answer = answer};
