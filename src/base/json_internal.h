#ifndef HALOBEAT_BASE_JSON_INTERNAL_H
#define HALOBEAT_BASE_JSON_INTERNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The text of a JSON value. It is inline, since `base` is not linked with jansson. */

typedef struct {
    char *text;
    size_t length, room;
    bool failed;
} halo_json_sink;

static inline int halo_json_append(const char *piece, size_t bytes, void *context)
{
    enum { FIRST = 256 };
    halo_json_sink *sink = context;
    if (!sink->failed && bytes >= sink->room - sink->length) { /* the end needs one more */
        size_t room = 2 * sink->room + bytes + FIRST;
        char *text = realloc(sink->text, room);
        sink->failed = text == NULL;
        sink->text = sink->failed ? sink->text : text;
        sink->room = sink->failed ? sink->room : room;
    }
    if (sink->failed) {
        return -1;
    }
    memcpy(sink->text + sink->length, piece, bytes);
    sink->length += bytes;
    return 0;
}

/* Local. As json_dumps, which (jansson 2.14) does not look whether there was memory for the name of
 * a member, and returns a text with only a part of it. The caller frees the text; NULL for want of
 * memory, or of a value. */
static inline char *halo_json_text(const json_t *json, size_t flags)
{
    halo_json_sink sink = {0};
    int code = json_dump_callback(json, halo_json_append, &sink, flags);
    if (code != 0 || sink.failed || sink.text == NULL) {
        free(sink.text);
        return NULL;
    }
    sink.text[sink.length] = '\0';
    return sink.text;
}

#endif
