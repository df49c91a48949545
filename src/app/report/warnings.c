#include "app/frame_internal.h"
#include "app/report/facts.h"
#include "base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 };

/* A file that is read twice has the same defects twice. */
static bool was_said(const app_run *run, const char *text)
{
    size_t i;
    json_t *said;
    json_array_foreach(run->warnings, i, said)
    {
        if (strcmp(json_string_value(said), text) == 0) {
            return true;
        }
    }
    return false;
}

void app_warn(app_run *run, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    if (!app_is_root(run)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (was_said(run, text)) {
        return;
    }
    progress_end(&run->progress);
    halo_print_line(run->program, text);
    run->warnings = run->warnings != NULL ? run->warnings : json_array();
    json_array_append_new(run->warnings, app_fact_text(text));
}

json_t *app_warnings_json(const app_run *run)
{
    return run->warnings != NULL ? json_incref(run->warnings) : json_array();
}
