#include "app/services/balance.h"

#include "app/report/lines.h"
#include "core/balance/balancing.h"
#include "core/move/migrate.h"
#include "core/quiescence/detector.h"
#include "partition/balance/balance.h"

#include <stdio.h>

/* Made once for trial, a balancer checks its options, which no other function knows. */
static halo_status parse_balancer(const char *text, void *into)
{
    const halo_balancer *balancer;
    const char *options;
    void *state = NULL;
    HALO_TRY(halo_balancer_parse(&balancer, &options, text));
    halo_status status = balancer->create(&state, options);
    balancer->destroy(&state);
    *(const char **)into = text;
    return status;
}

#define ROW(option, kind, member)    HALO_OPTION_ROW(balance_arguments, option, kind, member)
#define NAME_ENTRY(code, name, help) "|" name

#define BALANCER_OFFER(name, by) "|" #name

const halo_option app_balance_rows[] = {
    {.type = HALO_OPTION_SECTION,
     .help = "Boundaries that move while it runs; the result is always the same:"},
    {ROW("balance", CUSTOM, balancer), .parse = parse_balancer, .value = "NAME[:KEY=VALUE,...]",
     .offers = HALO_BALANCER_LIST(BALANCER_OFFER),
     .help = "Move the boundaries between ranks as one of the balancers below plans, such as chain "
             "or chain:gain=.05,alarms=.01; none measures and plans, but moves nothing",
     .unless = "boundaries stay, and nothing is measured"},
    {ROW("balance-every", INTEGER, every), .min = 1, .unit = "beats", .needs = "balance",
     .help = "Beats between two plans, at least",
     .unless = "as few as cost less than half a percent"},
    {ROW("migrate", CHOICE, migrate), .choices = HALO_MIGRATE_LIST(NAME_ENTRY), .needs = "balance",
     .help = "How rows go to their new owners, as below", .unless = "auto"},
    {ROW("balance-log", TEXT, log), .value = "FILE", .needs = "balance",
     .help = "One line a decision, with the reason; on stderr if FILE is -, in columns if it ends "
             "in .csv: with the cuts after and each rank's computing seconds a beat before"},
    {.type = HALO_OPTION_END}};

#undef NAME_ENTRY

/* ---- help behind the options ----------------------------------------------------------------- */

enum { NAMES_END = 16 };

static void add_entry(char *out, size_t size, const char *name, const char *help)
{
    char first[NAMES_END + 1];
    snprintf(first, sizeof first, "  %-*s", NAMES_END - 2, name);
    lines_append(out, size, first, NAMES_END, help);
}

void balance_describe(const app_syntax *syntax, char *out, size_t size)
{
    char beat[512];
    lines_append(out, size, "", 0,
                 "Balancers, as NAME or NAME:KEY=VALUE,...; keys with their defaults:");
    for (int i = 0; halo_balancer_at(i) != NULL; i++) {
        add_entry(out, size, halo_balancer_at(i)->name, halo_balancer_at(i)->help);
    }
    lines_append(out, size, "", 0, "Ways to migrate:");
#define MIGRATE_ENTRY(code, name, words) add_entry(out, size, name, words);
    HALO_MIGRATE_LIST(MIGRATE_ENTRY)
#undef MIGRATE_ENTRY
    snprintf(beat, sizeof beat,
             "A beat is %s. The imbalance (IDC) is the share of the other ranks' time that would "
             "be spent waiting for the slowest one.",
             syntax->beat);
    lines_append(out, size, "", 0, beat);
}

void app_detectors_describe(const app_syntax *syntax, char *out, size_t size)
{
    char text[512];
    const halo_detector_entry *entry;
    lines_append(out, size, "", 0, "Detectors of termination:");
    for (int i = 0; (entry = halo_detector_list(i)) != NULL; i++) {
        snprintf(text, sizeof text, "%s; right %s", entry->help, entry->right);
        add_entry(out, size, entry->name, text);
    }
    balance_describe(syntax, out, size);
}
