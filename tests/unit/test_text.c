#include "base/text.h"
#include "support/scratch.h"
#include "support/unit_check.h"

/* Texts with marks and ends of lines of all kinds. */

/* A text, and its lines, each followed by a line feed. */
static const struct {
    const char *text, *lines;
} cases[] = {{"", ""},
             {"a", "a\n"},
             {"a\n", "a\n"},
             {"a\r", "a\n"},
             {"a\r\n", "a\n"},
             {"\n\n", "\n\n"},
             {"\r\r", "\n\n"},
             {"\r\n\r\n", "\n\n"},
             {"\n\r", "\n\n"},
             {"\n\r\n", "\n\n"},
             {"a\rb\nc\r\nd", "a\nb\nc\nd\n"},
             {"\xef\xbb\xbf", "\n"},
             {"\xef\xbb\xbf"
              "a\rb",
              "a\nb\n"},
             {"a\n\xef\xbb\xbf", "a\n\xef\xbb\xbf\n"},
             {"\xef\xbb", "\xef\xbb\n"}};

TEST("lines of a file")
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        char got[100] = "";
        size_t length = 0;
        scratch_text("lines.txt", cases[i].text);
        halo_text_lines lines = {.file = fopen("lines.txt", "r"), .name = "lines.txt"};
        CU_ASSERT_PTR_NOT_NULL_FATAL(lines.file);
        for (bool more = true; more;) {
            SUCCEEDS(halo_text_next_line(&lines, &more));
            if (more) {
                CU_ASSERT_EQUAL(strlen(lines.line), lines.length);
                length += (size_t)snprintf(got + length, sizeof got - length, "%s\n", lines.line);
            }
        }
        check(strcmp(got, cases[i].lines) == 0, "case %zu: \"%s\"", i, got);
        halo_text_free(&lines);
        fclose(lines.file);
    }
}

/* In one piece, and cut into two at every place. */
TEST("ends of lines in memory")
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t count = strlen(cases[i].text), mark = halo_text_mark(cases[i].text, count);
        const char *text = cases[i].text + mark;
        count -= mark;
        for (size_t cut = 0; cut <= count; cut++) {
            unsigned char bytes[100] = {0};
            bool carriage = false;
            memcpy(bytes, text, count);
            size_t first = halo_text_end_lines(bytes, cut, &carriage);
            size_t second = halo_text_end_lines(bytes + cut, count - cut, &carriage);
            memmove(bytes + first, bytes + cut, second);
            size_t kept = first + second;
            size_t wanted = strlen(cases[i].lines);
            bool ended = count > 0 && (text[count - 1] == '\n' || text[count - 1] == '\r');
            wanted -= wanted > 0 && !ended ? 1 : 0; /* the last line's end is not in the text */
            check(kept == wanted && memcmp(bytes, cases[i].lines, kept) == 0,
                  "case %zu, cut at %zu", i, cut);
        }
    }
}

TEST("other encodings")
{
    FAILS(HALO_FORMAT, "UTF-16",
          halo_text_check_encoding("a",
                                   "\xff\xfe"
                                   "a",
                                   3));
    FAILS(HALO_FORMAT, "UTF-16", halo_text_check_encoding("a", "\xfe\xff", 2));
    SUCCEEDS(halo_text_check_encoding("a", "\xff", 1));
    scratch_write("wide.txt",
                  "\xff\xfe"
                  "1\0\n\0",
                  6);
    halo_text_lines lines = {.file = fopen("wide.txt", "r"), .name = "wide.txt"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(lines.file);
    bool more;
    FAILS(HALO_FORMAT, "wide.txt", halo_text_next_line(&lines, &more));
    halo_text_free(&lines);
    fclose(lines.file);
}
