#define _POSIX_C_SOURCE 200809L /* strdup */
#include "app/page/page_internal.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMATTED = 2048 };

static void put_bytes(page *p, const char *bytes, size_t length)
{
    HALO_IF_OK(p->status, halo_buffer_append(&p->text, bytes, length));
}

void page_put(page *p, const char *html)
{
    put_bytes(p, html, strlen(html));
}

void page_printf(page *p, const char *format, ...)
{
    char text[FORMATTED];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    page_put(p, text);
}

static void put_escaped(page *p, const char *text)
{
    static const char marks[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    while (*text != '\0') {
        size_t plain = strcspn(text, marks);
        put_bytes(p, text, plain);
        text += plain;
        if (*text != '\0') {
            page_put(p, names[strchr(marks, *text) - marks]);
            text++;
        }
    }
}

void page_text(page *p, const char *text)
{
    json_t *valid = text != NULL ? app_fact_text(text) : NULL;
    char *clean = valid != NULL ? strdup(json_string_value(valid)) : NULL;
    if (clean != NULL) {
        for (char *c = clean; *c != '\0'; c++) {
            bool control = ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == '\177';
            *c = control ? '?' : *c;
        }
        put_escaped(p, clean);
    } else if (text != NULL && p->status == HALO_OK) {
        p->status = halo_fail(HALO_MEMORY, "out of memory: the page of the report");
    }
    free(clean);
    json_decref(valid);
}

void page_text_in(page *p, const char *before, const char *text, const char *after)
{
    page_put(p, before);
    page_text(p, text);
    page_put(p, after);
}

/* There is a library for this, but none that is needed for anything else. */
void page_base64(page *p, const void *data, size_t bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { IN = 3, OUT = 4, SIX_BITS = 63 };
    const unsigned char *in = data;
    HALO_IF_OK(p->status, halo_buffer_reserve(&p->text, bytes / IN * OUT + OUT));
    for (size_t i = 0; i < bytes && p->status == HALO_OK; i += IN) {
        size_t left = bytes - i < IN ? bytes - i : IN;
        unsigned word = (unsigned)in[i] << 16 | (left > 1 ? (unsigned)in[i + 1] << 8 : 0) |
                        (left > 2 ? in[i + 2] : 0);
        char out[OUT];
        for (size_t d = 0; d < OUT; d++) {
            out[d] = d <= left ? digits[word >> (6 * (IN - d)) & SIX_BITS] : '=';
        }
        put_bytes(p, out, OUT);
    }
}

char *page_value(const json_t *value)
{
    return json_is_string(value)                  ? strdup(json_string_value(value))
           : value == NULL || json_is_null(value) ? strdup("-")
                                                  : app_json_text(value, 0);
}

/* Up to the first full stop, or another mark that ends a part of a sentence, without "(needs
 * ffmpeg)"; of what is too long, up to a word. */
void page_brief(const char *help, char text[PAGE_BRIEF])
{
    enum { WORDS = 4 };
    size_t length = 0;
    for (int words = 1; help[length] != '\0' && strncmp(help + length, " (", 2) != 0; length++) {
        bool ends = help[length + 1] == ' ' || help[length + 1] == '\0';
        words += help[length] == ' ';
        if (ends && (help[length] == '.' || (words >= WORDS && strchr(":;", help[length])))) {
            break;
        }
    }
    if (length >= PAGE_BRIEF) {
        for (length = PAGE_BRIEF - 1; length > 0 && help[length] != ' '; length--) {
        }
    }
    snprintf(text, PAGE_BRIEF, "%.*s", (int)length, help);
}

void page_begin(page *p, const char *id, const char *heading)
{
    if (p->sections < PAGE_SECTIONS) {
        p->section[p->sections][0] = id;
        p->section[p->sections++][1] = heading;
    }
    page_printf(p, "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n", id, id);
    page_printf(p, "<h2 id=\"%s-heading\">%s</h2>\n", id, heading);
}

void page_end(page *p)
{
    page_put(p, "</section>\n");
}
