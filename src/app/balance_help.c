#include "app/balance_options.h"

#include "app/arguments.h"
#include "app/lines.h"
#include "core/move/migrate.h"
#include "partition/balance/balance.h"

#include <stdio.h>
#include <stdlib.h>

enum { HELP_SIZE = 4096, NAMES_END = 13 };

static void add_entry(char *text, const char *name, const char *help)
{
    char first[NAMES_END + 1];
    snprintf(first, sizeof first, "  %-*s", NAMES_END - 2, name);
    lines_append(text, HELP_SIZE, first, NAMES_END, help);
}

static void add_beats(char *text, const char *beat)
{
    char words[512];
    snprintf(words, sizeof words,
             "A beat is %s. The imbalance (IDC) that is told is the share of the other ranks' time "
             "that would be spent waiting for the slowest one.",
             beat);
    lines_append(text, HELP_SIZE, "", 0, words);
}

char *balance_help(int key, const char *text, void *input)
{
    const arguments_parse *parse = input;
    char *help = key == ARGP_KEY_HELP_POST_DOC && parse != NULL ? calloc(1, HELP_SIZE) : NULL;
    if (help == NULL) {
        return (char *)text; /* as argp wants it */
    }
    lines_append(help, HELP_SIZE, "", 0,
                 "Balancers, as NAME or NAME:KEY=VALUE,...; keys with their defaults:");
    for (int i = 0; halo_balancer_at(i) != NULL; i++) {
        add_entry(help, halo_balancer_at(i)->name, halo_balancer_at(i)->help);
    }
    lines_append(help, HELP_SIZE, "", 0, "Ways to migrate:");
#define MIGRATE_ENTRY(code, name, words) add_entry(help, name, words);
    HALO_MIGRATE_LIST(MIGRATE_ENTRY)
#undef MIGRATE_ENTRY
    add_beats(help, parse->beat);
    return help;
}
