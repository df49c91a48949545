#include "io/image/xml_tags.h"

#include <string.h>

/* Only what OME-TIFF needs of XML: no library that reads images depends on one for it. */

static const char SPACES[] = " \t\r\n";

halo_xml_tag halo_xml_begin(const char *text)
{
    return (halo_xml_tag){.at = text};
}

/* Behind a part that begins with `begin` and ends with `end`; NULL: it is none. */
static const char *pass(const char *at, const char *begin, const char *end)
{
    if (strncmp(at, begin, strlen(begin)) != 0) {
        return NULL;
    }
    const char *found = strstr(at + strlen(begin), end);
    return found != NULL ? found + strlen(end) : at + strlen(at);
}

/* The > that ends a tag, which may also stand within quotes; NULL: there is none. */
static const char *find_end(const char *at)
{
    char quote = '\0';
    for (; *at != '\0'; at++) {
        if (quote != '\0') {
            quote = *at == quote ? '\0' : quote;
        } else if (*at == '>') {
            return at;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        }
    }
    return NULL;
}

/* `at` is behind the <. */
static bool take_tag(halo_xml_tag *tag, const char *at)
{
    const char *end = find_end(at);
    if (end == NULL) {
        return false;
    }
    tag->closes = *at == '/';
    at += tag->closes;
    size_t length = strcspn(at, " \t\r\n/>");
    const char *colon = memchr(at, ':', length);
    tag->name = colon != NULL ? colon + 1 : at;
    tag->name_length = (size_t)(at + length - tag->name);
    tag->attributes = at + length < end ? at + length : end;
    tag->end = end;
    tag->at = end + 1;
    return true;
}

bool halo_xml_next(halo_xml_tag *tag)
{
    for (const char *at = tag->at; (at = strchr(at, '<')) != NULL;) {
        const char *behind = pass(at, "<!--", "-->");
        behind = behind != NULL ? behind : pass(at, "<![CDATA[", "]]>");
        behind = behind != NULL ? behind : pass(at, "<?", "?>");
        behind = behind != NULL ? behind : pass(at, "<!", ">");
        if (behind == NULL) {
            return take_tag(tag, at + 1);
        }
        at = behind;
    }
    return false;
}

bool halo_xml_is(const halo_xml_tag *tag, const char *name)
{
    return tag->name_length == strlen(name) && memcmp(tag->name, name, tag->name_length) == 0;
}

/* The character that an entity at `at` stands for, and its length; 0: none. */
static size_t entity(const char *at, const char *end, char *out)
{
    static const struct {
        const char *text;
        char means;
    } entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        size_t length = strlen(entities[i].text);
        if ((size_t)(end - at) >= length && memcmp(at, entities[i].text, length) == 0) {
            *out = entities[i].means;
            return length;
        }
    }
    return 0;
}

static void copy_value(const char *at, const char *end, char *value, size_t size)
{
    size_t used = 0;
    while (at < end && used + 1 < size) {
        size_t length = *at == '&' ? entity(at, end, &value[used]) : 0;
        if (length == 0) {
            value[used] = *at;
            length = 1;
        }
        used++;
        at += length;
    }
    value[used] = '\0';
}

bool halo_xml_attribute(const halo_xml_tag *tag, const char *name, char *value, size_t size)
{
    value[0] = '\0';
    for (const char *at = tag->attributes; at < tag->end;) {
        at += strspn(at, SPACES);
        size_t length = strcspn(at, "= \t\r\n>");
        const char *key = at;
        at += length;
        at += strspn(at, SPACES);
        if (at >= tag->end || length == 0 || *at++ != '=') {
            return false;
        }
        at += strspn(at, SPACES);
        char quote = *at;
        const char *begin = at + 1;
        const char *end = (quote == '"' || quote == '\'') && begin < tag->end
                              ? memchr(begin, quote, (size_t)(tag->end - begin))
                              : NULL;
        if (end == NULL) {
            return false;
        }
        if (length == strlen(name) && memcmp(key, name, length) == 0) {
            copy_value(begin, end, value, size);
            return true;
        }
        at = end + 1;
    }
    return false;
}
