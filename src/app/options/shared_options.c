#include "app/options/shared_options.h"

#include "app/options/values.h"
#include "app/report/progress.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/standard.h"
#include "core/beat/vote.h"
#include "core/exchange/exchange.h"
#include "core/quiescence/detector.h"
#include "core/world/world.h"
#include "partition/decomposition.h"

#include <string.h>

/* Lists of names, as choices. */
#define CHOICE(name, help)             "|" #name
#define CODED_CHOICE(code, name, help) "|" name

/* ---- input files ----------------------------------------------------------------------------- */

halo_status app_parse_input(const char *text, void *into)
{
    app_inputs *inputs = into;
    if (*text == '\0') {
        return HALO_ARGUMENT;
    }
    bool standard = halo_name_chosen(text) == 1 && *text == '-';
    HALO_TRY(standard ? halo_standard_input_check() : HALO_OK);
    HALO_TRY(halo_grow(&inputs->list, &inputs->room, inputs->count, sizeof *inputs->list,
                       "names of files"));
    inputs->list[inputs->count++] = text;
    inputs->first = inputs->list[0];
    return HALO_OK;
}

/* ---- when to end ----------------------------------------------------------------------------- */

static const int64_t MAX_PERIOD = INT64_MAX / 4;

halo_status app_parse_steady(const char *text, void *into)
{
    app_until *until = into;
    *until = (app_until){.steady = strcmp(text, "steady") == 0};
    return until->steady ? HALO_OK : HALO_ARGUMENT;
}

halo_status app_parse_steady_or_cycle(const char *text, void *into)
{
    app_until *until = into;
    const char *period = app_behind_name(text, "cycle");
    if (period == NULL) {
        return app_parse_steady(text, into);
    }
    *until = (app_until){0};
    return halo_scan_integer(&period, 1, MAX_PERIOD, &until->period) && *period == '\0'
               ? HALO_OK
               : HALO_ARGUMENT;
}

halo_status app_parse_steady_or_change(const char *text, void *into)
{
    app_until *until = into;
    const char *share = app_behind_name(text, "change");
    if (share == NULL) {
        return app_parse_steady(text, into);
    }
    *until = (app_until){0};
    return halo_scan_share(&share, 0, 1, &until->share) && *share == '\0' && until->share < 1
               ? HALO_OK
               : HALO_ARGUMENT;
}

/* ---- decomposition and exchange -------------------------------------------------------------- */

static halo_status parse_decomposition(const char *text, void *into)
{
    *(const char **)into = text;
    return halo_decomposition_check(text);
}

const halo_option app_decomposition_rows[] = {
    {APP_FRAME_ROW("decomposition", CUSTOM, decomposition.parts), .parse = parse_decomposition,
     .value = "strips|blocks|AxB[xC]|auto",
     .help =
         "Parts along each axis, one for each rank. strips: only the first axis is cut. blocks: "
         "with the fewest cells to exchange. AxB: as many ranks as that makes, if they are threads "
         "and nothing else is said. auto: what a model predicts to be fastest",
     .unless = "strips"},
    {.type = HALO_OPTION_END}};

const halo_option app_depth_rows[] = {
    {APP_FRAME_ROW("halo-depth", INTEGER, decomposition.beats_per_exchange), .min = 1,
     .max = 1 << 20, .word = "auto", .value = "K", .unit = "beats",
     .help = "Beats computed for each exchange with other ranks", .unless = "auto"},
    {.type = HALO_OPTION_END}};

const halo_option app_exchange_rows[] = {
    {APP_FRAME_ROW("exchange", CHOICE, decomposition.exchange),
     .choices = HALO_EXCHANGE_LIST(CHOICE),
     .help = "How ranks exchange halos; between threads, persistent and "
             "neighbour are p2p",
     .unless = "shared between threads with a core each, else p2p"},
    {.type = HALO_OPTION_END}};

const halo_option app_corner_rows[] = {
    {APP_FRAME_ROW("corners", CHOICE, decomposition.corners),
     .choices = HALO_EXCHANGE_CORNERS_LIST(CHOICE),
     .help = "How blocks send cells to their diagonal neighbours", .unless = "direct"},
    {APP_FRAME_ROW("packing", CHOICE, decomposition.packing),
     .choices = HALO_EXCHANGE_PACKING_LIST(CODED_CHOICE),
     .help = "How columns of blocks are packed into messages", .unless = "auto, by measuring"},
    {.type = HALO_OPTION_END}};

#define DETECTOR_CHOICE(code, name) "|" name
const halo_option app_detector_rows[] = {
    {APP_FRAME_ROW("detector", CHOICE, decomposition.detector),
     .choices = HALO_DETECTOR_LIST(DETECTOR_CHOICE),
     .help = "How the end of an asynchronous computation is detected, by one of those below",
     .unless = "safra"},
    {.type = HALO_OPTION_END}};

/* ---- what every command takes ---------------------------------------------------------------- */

#define ISA_CHOICES "auto|avx512|avx2|plain"

/* The best instructions are NULL to kernels. */
static halo_status parse_isa(const char *text, void *into)
{
    *(const char **)into = strcmp(text, "auto") != 0 ? text : NULL;
    return halo_list_has(ISA_CHOICES, text, strlen(text)) ? HALO_OK : HALO_ARGUMENT;
}

const halo_option app_how_rows[] = {APP_HOW_SECTION, {.type = HALO_OPTION_END}};

const halo_option app_isa_rows[] = {{APP_FRAME_ROW("instructions", CHOICE, common.instructions),
                                     .choices = ISA_CHOICES, .parse = parse_isa,
                                     .takes = "auto, avx512, avx2 or plain", .standard = "auto",
                                     .help = "Instruction set of the inner loops"},
                                    {.type = HALO_OPTION_END}};

/* The number of threads is read before there are ranks; app_main refuses it where a launcher has
 * started them. */
const halo_option app_ranks_rows[] = {
    {APP_FRAME_ROW("ranks", INTEGER, common.ranks), .letter = 'j', .min = 1,
     .max = APP_MOST_THREADS, .unit = "ranks", .unless = "one for each usable core",
     .help = "Ranks, each a thread of this process; not under mpiexec, whose -n says how many"},
    {.type = HALO_OPTION_END}};

/* Less would be taken for silence where machines are busy. */
halo_status app_scan_patience(const char *text, void *into)
{
    static const double least = 5, most = 1e6;
    double *seconds = into;
    bool good = halo_scan_number(&text, 0, most, seconds) && *text == '\0';
    return good && (*seconds <= 0 || *seconds >= least) ? HALO_OK : HALO_ARGUMENT;
}

const halo_option app_wait_rows[] = {
    {APP_FRAME_ROW("vote", CHOICE, common.vote), .choices = "auto" HALO_VOTE_LIST(CHOICE),
     .standard = "auto", .help = "How ranks decide to stop"},
    {APP_FRAME_ROW("wait", CHOICE, common.wait), .choices = "auto" HALO_WAIT_LIST(CHOICE),
     .standard = "auto", .help = "How ranks wait for each other"},
    {APP_FRAME_ROW("patience", REAL, common.patience), .max = 1e6, .value = "SECONDS",
     .unit = "seconds", .parse = app_scan_patience,
     .takes = "a number of seconds from 5 to 1000000, or 0",
     .unless = "wait for ever, as with 0, and warn after 5 seconds",
     .help = "End the job, with status 75, when there has been no sign of a rank for that long: "
             "its host is down or cut off, or it was stopped; or, of ranks that are threads, when "
             "others have waited so long for one that does not return from its kernel"},
    {.type = HALO_OPTION_END}};

const halo_option app_report_rows[] = {
    {.type = HALO_OPTION_SECTION, .help = "Reports:"},
    {APP_FRAME_ROW("json", OUTPUT, common.json), .flags = APP_STREAM,
     .help = "The summary and everything measured, as JSON"},
    {APP_REPORT_ROW},
    {APP_FRAME_ROW("progress", CHOICE, common.progress), .choices = PROGRESS_MODE_LIST(CHOICE),
     .standard = "auto", .unless = "auto, when it is a terminal",
     .help = "Show a progress line on stderr"},
    {APP_FRAME_ROW("quiet", FLAG, common.quiet), .letter = 'q', .excludes = "verbose",
     .help = "No summary"},
    {APP_FRAME_ROW("verbose", FLAG, common.verbose), .letter = 'v',
     .help = "A longer summary: ranks, parts of the time, messages, votes, balancing"},
    {.type = HALO_OPTION_END}};
