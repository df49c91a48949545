#ifndef HALOBEAT_APP_COMMON_OPTIONS_H
#define HALOBEAT_APP_COMMON_OPTIONS_H

#include "app/balance_options.h"
#include "app/options.h"

#include <stdbool.h>

/* Options that every command takes. Strings belong to argv, or are constants. */
typedef struct {
    const char *vote, *wait, *progress; /* names; "auto" where that is the default */
    const char *instructions;           /* or NULL for the best */
    const char *json;                   /* or NULL */
    bool quiet, verbose;
    balance_arguments balance;
} common_arguments;

/* The heading of options that change how a result is computed but not the result: a command's own
 * rows of that kind end its last table, below this row. */
#define APP_HOW_SECTION                                                                   \
    {                                                                                     \
        .type = APP_SECTION, .help = "How it is computed; the result is always the same:" \
    }

/* The end of the help of commands that signals can stop. */
#define APP_EXIT_STATUS                                                                      \
    "Exit status: 0 done, 1 failed or stopped by a signal (of which mpiexec may make 0), 2 " \
    "unusable arguments."

/* --instructions; --vote and --wait; reports. Their structure is common_arguments. */
extern const app_option app_isa_rows[], app_wait_rows[], app_report_rows[];

/* The best instructions are NULL to kernels. */
app_check app_isa_check;

/* A line that is drawn again and again would be torn by a log on the same terminal. */
app_check app_report_check;

#endif
