#include "app/frame_internal.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT = 1024 };

void app_warn(app_run *run, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    if (halo_world_rank(run->world) != 0) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    progress_end(&run->progress);
    fprintf(stderr, "%s: %s\n", run->program, text);
    run->warnings = run->warnings != NULL ? run->warnings : json_array();
    json_array_append_new(run->warnings, app_fact_text(text));
}

json_t *app_warnings_json(const app_run *run)
{
    return run->warnings != NULL ? json_incref(run->warnings) : json_array();
}
