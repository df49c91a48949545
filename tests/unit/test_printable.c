/* Control characters in texts for people. */
#include "base/printable.h"
#include "base/status.h"
#include "support/unit_check.h"

#include <string.h>

TEST("control characters are replaced, and nothing else")
{
    static const struct {
        const char *text, *expected;
    } cases[] = {{"", ""},
                 {"plain text, 100 %", "plain text, 100 %"},
                 {"\x1b[31mred\x07", "?[31mred?"},
                 {"a\tb\nc\rd\x7f", "a?b?c?d?"},
                 {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
                 {"\xc2\x9b"
                  "31m",
                  "??31m"}, /* CSI in UTF-8 */
                 {"x\x9b"
                  "1m",
                  "x?1m"},                      /* CSI of 8 bits */
                 {"\xc3\x9b\x9b", "\xc3\x9b?"}, /* a letter, then CSI */
                 {"\xe2\x1b\x82", "\xe2??"},    /* a character that is cut off */
                 {"\xc2\xa0\xc2", "\xc2\xa0\xc2"}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[c].text);
        halo_make_printable(text);
        check(strcmp(text, cases[c].expected) == 0, "case %zu", c);
    }
}

TEST("messages have none")
{
    halo_fail(HALO_FILE, "%s: \x1b]0;title\x07", "name\n.png");
    CU_ASSERT_STRING_EQUAL(halo_last_message(), "name?.png: ?]0;title?");
}
