#include "io/image/xml_tags.h"

#include <ctype.h>
#include <stdlib.h>
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

/* A character in UTF-8: up to 4 bytes. */
static int encode(unsigned long code, char out[4])
{
    static const unsigned char lead_bytes[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = count - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(lead_bytes[count] | code);
    return count;
}

/* The length of a character's number at `at`, as &#181; or &#xB5;, and its bytes; 0: none. */
static size_t numbered(const char *at, const char *end, char out[4], int *count)
{
    enum { LONGEST = 10, LAST = 0x10ffff };
    bool hexadecimal = end - at > 3 && at[2] == 'x';
    const char *digits = at + (hexadecimal ? 3 : 2);
    if (end - at < 4 || memcmp(at, "&#", 2) != 0 || !isxdigit((unsigned char)*digits)) {
        return 0;
    }
    char *behind;
    unsigned long code = strtoul(digits, &behind, hexadecimal ? 16 : 10);
    if (behind >= end || behind - digits > LONGEST || *behind != ';' || code < 1 || code > LAST) {
        return 0;
    }
    *count = encode(code, out);
    return (size_t)(behind + 1 - at);
}

/* The length of an entity at `at`, and the bytes that it stands for; 0: none. */
static size_t entity(const char *at, const char *end, char out[4], int *count)
{
    static const struct {
        const char *text;
        char means;
    } entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        size_t length = strlen(entities[i].text);
        if ((size_t)(end - at) >= length && memcmp(at, entities[i].text, length) == 0) {
            out[0] = entities[i].means;
            *count = 1;
            return length;
        }
    }
    return numbered(at, end, out, count);
}

static void copy_value(const char *at, const char *end, char *value, size_t size)
{
    size_t used = 0;
    while (at < end) {
        char bytes[4] = {*at};
        int count = 1;
        size_t length = *at == '&' ? entity(at, end, bytes, &count) : 0;
        if (used + (size_t)count >= size) {
            break;
        }
        memcpy(value + used, bytes, (size_t)count);
        used += (size_t)count;
        at += length > 0 ? length : 1;
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
