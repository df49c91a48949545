#include "base/status.h"

#include "base/printable.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static _Thread_local char last_message[HALO_MESSAGE_SIZE];

const char *halo_status_text(halo_status status)
{
    static const char *const texts[] = {
#define HALO_STATUS_ENTRY(code, text) [HALO_##code] = (text),
        HALO_STATUS_LIST(HALO_STATUS_ENTRY)
#undef HALO_STATUS_ENTRY
    };
    size_t i = (size_t)status;
    return i < sizeof texts / sizeof texts[0] ? texts[i] : "unknown status";
}

const char *halo_last_message(void)
{
    return last_message;
}

halo_status halo_fail(halo_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* Formatted aside first: an argument may be the last message itself. */
    char message[HALO_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    halo_make_printable(message);
    snprintf(last_message, sizeof last_message, "%s", message);
    return status;
}
