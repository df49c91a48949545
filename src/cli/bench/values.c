#include "cli/bench/values.h"

#include "app/decomposition_options.h"
#include "partition/decomposition.h"

#include <string.h>

enum { MOST_CELLS = 1 << 30 };

error_t bench_split(const arguments_parse *parse, const char *option, const char *text,
                    bench_words *out)
{
    *out = (bench_words){0};
    for (const char *from = text;; from++) {
        size_t length = strcspn(from, ",");
        if (length == 0 || length >= BENCH_ENTRY_SIZE || out->count == BENCH_MOST_ENTRIES) {
            return arguments_complain(
                parse, "--%s takes up to %d entries with commas between them, not \"%s\"", option,
                BENCH_MOST_ENTRIES, text);
        }
        memcpy(out->text[out->count], from, length);
        out->text[out->count++][length] = '\0';
        from += length;
        if (*from == '\0') {
            return 0;
        }
    }
}

error_t bench_parse_numbers(const arguments_parse *parse, const char *option, const char *what,
                            const char *text, int most, bench_numbers *out)
{
    bench_words words;
    if (bench_split(parse, option, text, &words) != 0) {
        return EINVAL;
    }
    *out = (bench_numbers){.count = words.count};
    for (int i = 0; i < words.count; i++) {
        int64_t number;
        if (arguments_integer(parse, option, what, words.text[i], 1, most, &number) != 0) {
            return EINVAL;
        }
        out->numbers[i] = (int)number;
    }
    return 0;
}

error_t bench_parse_ranks(const arguments_parse *parse, const char *text, int started,
                          bench_numbers *out)
{
    if (bench_parse_numbers(parse, "ranks", "numbers of ranks from 1 on", text, INT32_MAX, out) !=
        0) {
        return EINVAL;
    }
    for (int i = 0; i < out->count; i++) {
        if (out->numbers[i] > started) {
            return arguments_complain(
                parse,
                "--ranks %d: there %s; start more with mpiexec -n %d "
                "halobeat bench ..., or ask for fewer",
                out->numbers[i], started == 1 ? "is 1 rank" : "are not so many", out->numbers[i]);
        }
    }
    return 0;
}

error_t bench_parse_shapes(const arguments_parse *parse, const char *text, bench_words *out)
{
    if (bench_split(parse, "shapes", text, out) != 0) {
        return EINVAL;
    }
    for (int i = 0; i < out->count; i++) {
        if (halo_decomposition_check(out->text[i]) != HALO_OK) {
            return arguments_complain(parse, "--shapes %s: %s", text, halo_last_message());
        }
    }
    return 0;
}

error_t bench_parse_modes(const arguments_parse *parse, const char *text, bench_words *out)
{
    if (bench_split(parse, "modes", text, out) != 0) {
        return EINVAL;
    }
    for (int i = 0; i < out->count; i++) {
        if (arguments_choose(parse, "modes", out->text[i], cutting_exchanges) < 0) {
            return EINVAL;
        }
    }
    return 0;
}

error_t bench_parse_plot(const arguments_parse *parse, const char *text, const char **out)
{
    if (!arguments_ends_with(text, ".png") && !arguments_ends_with(text, ".svg")) {
        return arguments_complain(
            parse, "--plot takes a file that ends in .png or .svg, not \"%s\"", text);
    }
    *out = text;
    return 0;
}

/* "N", for all axes, or a number for each. */
error_t bench_parse_size(const arguments_parse *parse, const char *text, int axes,
                         int64_t size[HALO_AXES])
{
    const char *at = text;
    int count = 0;
    while (count < axes && halo_scan_integer(&at, 1, MOST_CELLS, &size[count])) {
        count++;
        if (*at != 'x') {
            break;
        }
        at++;
    }
    if (*at != '\0' || at == text || at[-1] == 'x' || (count != 1 && count != axes)) {
        return arguments_complain(parse,
                                  "--size takes N%s in cells, such as %s, or one number for all "
                                  "axes, not \"%s\"",
                                  axes == 3 ? "xMxK" : "xM",
                                  axes == 3 ? "128x128x128" : "2048x2048", text);
    }
    for (int a = count; a < axes; a++) {
        size[a] = size[0];
    }
    return 0;
}
