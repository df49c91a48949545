#include "app/options/values.h"
#include "app/run.h"
#include "app/services/checkpoint.h"

#include <string.h>

const checkpoint_arguments *app_checkpoint_arguments(const app_run *run)
{
    return app_service_options(run, &app_checkpoint_service);
}

#define ROW(option, kind, member) HALO_OPTION_ROW(checkpoint_arguments, option, kind, member)

static halo_status parse_store(const char *text, void *into)
{
    const char *folder = app_behind_name(text, "local");
    *(const char **)into = folder;
    return strcmp(text, "shared") == 0 || (folder != NULL && folder[0] != '\0') ? HALO_OK
                                                                                : HALO_ARGUMENT;
}

const halo_option app_checkpoint_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Interruptions:"},
    {ROW("checkpoint", OUTPUT, checkpoint),
     .help =
         "Save the state there at the end, and when stopped by SIGINT (Ctrl-C), SIGTERM or SIGHUP"},
    {ROW("checkpoint-every", INTEGER, every), .min = 1, .unit = "beats", .needs = "checkpoint",
     .help = "Also save it every N beats"},
    {ROW("restore", INPUT, restore), .flags = APP_GOES_ON,
     .help = "Continue from a checkpoint, on any number of ranks; it holds the state and all "
             "options that the result depends on"},
    {ROW("resume", FLAG, resume), .flags = APP_GOES_ON, .needs = "checkpoint",
     .excludes = "restore",
     .help = "Begin, or continue from the checkpoint if it exists: the same command line can be "
             "repeated until the run is done. Beats are then counted from the beginning of the "
             "run, and tables are appended to"},
    {ROW("checkpoint-store", CUSTOM, store), .parse = parse_store, .needs = "checkpoint|restore",
     .value = "local:DIR|shared", .takes = "shared, or local: and the name of a folder",
     .help =
         "For hosts that share no disk. local: each host keeps its part of the checkpoint, and a "
         "copy of the part of the host before it, in its own folder DIR; one host may be lost. "
         "shared: one file",
     .unless = "shared"},
    {ROW("until-beat", INTEGER, until_beat), .excludes = "beats", .value = "N",
     .help = "End at beat N, counted with the beats before a checkpoint",
     .unless = "as --beats says"},
    {.type = HALO_OPTION_END}};
