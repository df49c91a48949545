#include "app/common_options.h"

#include "app/progress.h"
#include "core/beat/vote.h"
#include "core/world/world.h"

#include <string.h>

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
