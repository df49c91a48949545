#include "app/shared_options.h"

#include "app/progress.h"
#include "core/beat/vote.h"
#include "core/exchange/exchange.h"
#include "core/world/world.h"
#include "partition/decomposition.h"

#include <string.h>

/* ---- movies -----------------------------------------------------------------------------------
 */

const app_option app_movie_rows[] = {{.name = "movie",
                                      .type = APP_OUTPUT,
                                      .offset = offsetof(movie_arguments, path),
                                      .choices = ".gif|.mp4|.png|.apng",
                                      .help = "The beats as a movie (needs ffmpeg)"},
                                     {.name = "every",
                                      .type = APP_INTEGER,
                                      .offset = offsetof(movie_arguments, every),
                                      .min = 1,
                                      .unit = "beats",
                                      .needs = "movie",
                                      .help = "Take a picture every N beats",
                                      .unless = "as often as makes at most 600"},
                                     {.name = "fps",
                                      .type = APP_INTEGER,
                                      .offset = offsetof(movie_arguments, frames_per_second),
                                      .min = 1,
                                      .max = 60,
                                      .unit = "pictures per second",
                                      .needs = "movie",
                                      .help = "Pictures per second of the movie",
                                      .unless = "25"},
                                     {.type = APP_END}};

/* ---- checkpoints ------------------------------------------------------------------------------
 */

const app_option app_checkpoint_rows[] = {
    {.type = APP_SECTION, .help = "Interruptions:"},
    {.name = "checkpoint",
     .type = APP_OUTPUT,
     .offset = offsetof(checkpoint_arguments, checkpoint),
     .help = "Save the state there at the end, and when stopped by SIGINT (Ctrl-C) or SIGTERM"},
    {.name = "checkpoint-every",
     .type = APP_INTEGER,
     .offset = offsetof(checkpoint_arguments, every),
     .min = 1,
     .unit = "beats",
     .needs = "checkpoint",
     .help = "Save it every N beats, too"},
    {.name = "restore",
     .type = APP_INPUT,
     .offset = offsetof(checkpoint_arguments, restore),
     .help = "Go on from a checkpoint, on any number of ranks; it has the state and the options "
             "that the result depends on"},
    {.type = APP_END}};

schedule_event checkpoint_event(const checkpoint_arguments *arguments)
{
    return (schedule_event){.every = arguments->checkpoint == NULL ? 0
                                     : arguments->every > 0        ? arguments->every
                                                                   : INT64_MAX,
                            .begin = SCHEDULE_NEVER,
                            .end = true};
}

/* ---- decomposition and exchange ---------------------------------------------------------------
 */

#define NAME_ENTRY(name, help)          "|" #name
#define PACKING_ENTRY(code, name, help) "|" name

static halo_status parse_decomposition(const char *text, void *into)
{
    *(const char **)into = text;
    return halo_decomposition_check(text);
}

const app_option app_decomposition_rows[] = {
    {.name = "decomposition",
     .type = APP_CUSTOM,
     .offset = offsetof(decomposition_arguments, parts),
     .parse = parse_decomposition,
     .value = "strips|blocks|AxB[xC]|auto",
     .help =
         "Parts along each axis, one for each rank. strips: only the first axis is cut. blocks: "
         "with the fewest cells to exchange. auto: what a model predicts to be fastest",
     .unless = "strips"},
    {.type = APP_END}};

const app_option app_depth_rows[] = {
    {.name = "halo-depth",
     .type = APP_INTEGER,
     .offset = offsetof(decomposition_arguments, beats_per_exchange),
     .min = 1,
     .max = 1 << 20,
     .word = "auto",
     .value = "K",
     .unit = "beats",
     .help = "Beats between two exchanges with other ranks",
     .unless = "auto"},
    {.type = APP_END}};

const app_option app_exchange_rows[] = {{.name = "exchange",
                                         .type = APP_CHOICE,
                                         .offset = offsetof(decomposition_arguments, exchange),
                                         .choices = HALO_EXCHANGE_LIST(NAME_ENTRY),
                                         .help = "How ranks exchange halos",
                                         .unless = "p2p"},
                                        {.type = APP_END}};

const app_option app_corner_rows[] = {{.name = "corners",
                                       .type = APP_CHOICE,
                                       .offset = offsetof(decomposition_arguments, corners),
                                       .choices = HALO_EXCHANGE_CORNERS_LIST(NAME_ENTRY),
                                       .help = "How cells get to diagonal neighbours of blocks",
                                       .unless = "direct"},
                                      {.name = "packing",
                                       .type = APP_CHOICE,
                                       .offset = offsetof(decomposition_arguments, packing),
                                       .choices = HALO_EXCHANGE_PACKING_LIST(PACKING_ENTRY),
                                       .help = "How columns of blocks get into messages",
                                       .unless = "auto, by measuring"},
                                      {.type = APP_END}};

const char *decomposition_exchange(const decomposition_arguments *arguments)
{
    static const char *const names[] = {
#define EXCHANGE_NAME(name, help) #name,
        HALO_EXCHANGE_LIST(EXCHANGE_NAME)
#undef EXCHANGE_NAME
    };
    return arguments->exchange != NULL ? arguments->exchange : names[0];
}

/* ---- what every command takes -----------------------------------------------------------------
 */

#define NAME_ENTRY(name, help) "|" #name

const app_option app_isa_rows[] = {{.name = "instructions",
                                    .type = APP_CHOICE,
                                    .offset = offsetof(common_arguments, instructions),
                                    .choices = "auto|avx512|avx2|plain",
                                    .standard = "auto",
                                    .help = "Instruction set of the inner loops"},
                                   {.type = APP_END}};

const app_option app_wait_rows[] = {{.name = "vote",
                                     .type = APP_CHOICE,
                                     .offset = offsetof(common_arguments, vote),
                                     .choices = HALO_VOTE_LIST(NAME_ENTRY),
                                     .standard = "allreduce",
                                     .help = "How ranks decide to stop"},
                                    {.name = "wait",
                                     .type = APP_CHOICE,
                                     .offset = offsetof(common_arguments, wait),
                                     .choices = "auto" HALO_WAIT_LIST(NAME_ENTRY),
                                     .standard = "auto",
                                     .help = "How ranks wait for each other"},
                                    {.type = APP_END}};

const app_option app_report_rows[] = {
    {.type = APP_SECTION, .help = "Reports:"},
    {.name = "json",
     .type = APP_OUTPUT,
     .offset = offsetof(common_arguments, json),
     .help = "The summary with everything measured, machine-readable"},
    {.name = "progress",
     .type = APP_CHOICE,
     .offset = offsetof(common_arguments, progress),
     .choices = PROGRESS_MODE_LIST(NAME_ENTRY),
     .standard = "auto",
     .unless = "auto, when it is a terminal",
     .help = "Show a progress line on stderr"},
    {.name = "quiet",
     .letter = 'q',
     .type = APP_FLAG,
     .offset = offsetof(common_arguments, quiet),
     .excludes = "verbose",
     .help = "No summary"},
    {.name = "verbose",
     .letter = 'v',
     .type = APP_FLAG,
     .offset = offsetof(common_arguments, verbose),
     .help = "A longer summary: beats, messages, votes"},
    {.type = APP_END}};

#undef NAME_ENTRY

halo_status app_isa_check(const app_options *given, void *into)
{
    common_arguments *common = into;
    (void)given;
    if (strcmp(common->instructions, "auto") == 0) {
        common->instructions = NULL;
    }
    return HALO_OK;
}

halo_status app_report_check(const app_options *given, void *into)
{
    common_arguments *common = into;
    (void)given;
    if (common->balance.log != NULL && strcmp(common->balance.log, "-") == 0 &&
        strcmp(common->progress, "auto") == 0) {
        common->progress = "never";
    }
    return HALO_OK;
}
