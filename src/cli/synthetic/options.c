#include "cli/synthetic/options.h"

#include "app/values.h"

#include <stdio.h>

/* WIDTHxHEIGHT */
static halo_status parse_size(const char *text, void *into)
{
    halo_synthetic_options *options = into;
    return halo_scan_integer(&text, 1, INT32_MAX, &options->columns) && *text++ == 'x' &&
                   halo_scan_integer(&text, 1, INT32_MAX, &options->rows) && *text == '\0'
               ? HALO_OK
               : HALO_ARGUMENT;
}

static halo_status parse_profile(const char *text, void *into)
{
    *(const char **)into = text;
    halo_synthetic_options alone = {.rows = 1, .columns = 1, .profile = text, .work = 1};
    return halo_synthetic_describe(&alone, NULL);
}

/* Work and ratio that each are good may still be too much together. */
static halo_status check(const app_options *given, void *context)
{
    const synthetic_arguments *into = context;
    char message[HALO_MESSAGE_SIZE];
    (void)given;
    if (halo_synthetic_describe(&into->synthetic, NULL) == HALO_OK) {
        return HALO_OK;
    }
    snprintf(message, sizeof message, "%s", halo_last_message());
    return halo_fail(HALO_ARGUMENT, "--profile and --work: %s", message);
}

#define FIELD(member) .offset = offsetof(synthetic_arguments, member)

static const app_option what_rows[] = {
    {.type = APP_SECTION, .help = "What is computed:"},
    {.name = "size",
     .type = APP_CUSTOM,
     FIELD(synthetic),
     .parse = parse_size,
     .takes = "WIDTHxHEIGHT in cells, such as 1000x800",
     .value = "WIDTHxHEIGHT",
     .standard = "1000x1000",
     .help = "Cells of the grid: columns x rows"},
    {.name = "beats",
     .letter = 'n',
     .type = APP_INTEGER,
     FIELD(beats),
     .min = 1,
     .unit = "beats",
     .standard = "300",
     .help = "How many times all cells are updated"},
    {.name = "profile",
     .type = APP_CUSTOM,
     FIELD(synthetic.profile),
     .parse = parse_profile,
     .value = "NAME[:KEY=VALUE,...]",
     .unless = "constant",
     .help = "What rows cost, as below"},
    {.name = "work",
     .type = APP_INTEGER,
     FIELD(synthetic.work),
     .min = 1,
     .max = HALO_SYNTHETIC_MAX_STEPS,
     .unit = "steps",
     .value = "STEPS",
     .unless = "1000",
     .help = "Work of a row that costs 1, a step some 3 nanoseconds"},
    APP_HOW_SECTION,
    /* Which version 0.1 took, for nothing: there is one variant. */
    {.name = "instructions",
     .type = APP_CHOICE,
     FIELD(common.instructions),
     .choices = "auto|avx512|avx2|plain",
     .flags = APP_HIDDEN},
    {.name = "halo-depth",
     .type = APP_INTEGER,
     FIELD(cutting.beats_per_exchange),
     .min = 1,
     .max = 1000000,
     .unit = "beats",
     .value = "K",
     .standard = "1",
     .help = "Beats between two exchanges with other ranks"},
    {.type = APP_END}};

static const app_table tables[] = {
    {what_rows, 0, NULL},
    {app_decomposition_rows, offsetof(synthetic_arguments, cutting), NULL},
    APP_COMMON_TABLES_BUT_ISA(synthetic_arguments),
    {NULL, 0, NULL}};

#define PROFILE_LINE(name, keys, help) "  " #name ": " help "\n"

const app_syntax synthetic_syntax = {
    .name = "synthetic",
    .beat = "one update of all cells",
    .about = "Compute rows whose cost follows a profile, and check the result: for trying "
             "balancers and machines.",
    .notes = "Profiles, as NAME or NAME:KEY=VALUE,... with keys ratio (default 3), at (.5), width "
             "(.1), speed (1), seed (1):\n" HALO_SYNTHETIC_PROFILE_LIST(
                 PROFILE_LINE) "\nExamples:\n"
                               "  mpiexec -n 4 halobeat synthetic --profile linear:ratio=3\n"
                               "  mpiexec -n 4 halobeat synthetic --profile hot:ratio=8,speed=2 "
                               "--beats 1000\n\n"
                               "Exit status: 0 done and checked, 1 failed, 2 unusable arguments.",
    .tables = tables,
    .bytes = sizeof(synthetic_arguments),
    .describe = balance_describe,
    .check = check,
};
