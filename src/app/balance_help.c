#include "app/balance_options.h"

#include "app/lines.h"
#include "core/move/migrate.h"
#include "partition/balance/balance.h"

#include <stdio.h>

enum { NAMES_END = 13 };

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
