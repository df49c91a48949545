#include "cli/bench/values.h"

#include "app/values.h"
#include "core/exchange/exchange.h"
#include "partition/decomposition.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 1 << 30, MOST_DEPTH = 1000 };

halo_status bench_parse_words(const char *text, void *into)
{
    bench_words *out = into;
    *out = (bench_words){0};
    for (const char *from = text;; from++) {
        size_t length = strcspn(from, ",");
        if (length == 0 || length >= BENCH_ENTRY_SIZE || out->count == BENCH_MOST_ENTRIES) {
            return halo_fail(HALO_ARGUMENT,
                             "takes up to %d entries with commas between them, not \"%s\"",
                             BENCH_MOST_ENTRIES, text);
        }
        memcpy(out->text[out->count], from, length);
        out->text[out->count++][length] = '\0';
        from += length;
        if (*from == '\0') {
            return HALO_OK;
        }
    }
}

static halo_status parse_numbers(const char *text, int max, const char *what, bench_numbers *out)
{
    bench_words words;
    HALO_TRY(bench_parse_words(text, &words));
    *out = (bench_numbers){.count = words.count};
    for (int i = 0; i < words.count; i++) {
        const char *at = words.text[i];
        int64_t number;
        if (!halo_scan_integer(&at, 1, max, &number) || *at != '\0') {
            return halo_fail(HALO_ARGUMENT, "takes numbers of %s, not \"%s\"", what, words.text[i]);
        }
        out->numbers[i] = (int)number;
    }
    return HALO_OK;
}

halo_status bench_parse_ranks(const char *text, void *into)
{
    return parse_numbers(text, INT32_MAX, "ranks from 1 on", into);
}

halo_status bench_parse_depths(const char *text, void *into)
{
    return parse_numbers(text, MOST_DEPTH, "beats from 1 to 1000", into);
}

halo_status bench_parse_shapes(const char *text, void *into)
{
    bench_words *out = into;
    HALO_TRY(bench_parse_words(text, out));
    for (int i = 0; i < out->count; i++) {
        HALO_TRY(halo_decomposition_check(out->text[i]));
    }
    return HALO_OK;
}

halo_status bench_parse_modes(const char *text, void *into)
{
#define MODE_ENTRY(name, help) "|" #name
    static const char modes[] = HALO_EXCHANGE_LIST(MODE_ENTRY);
#undef MODE_ENTRY
    bench_words *out = into;
    HALO_TRY(bench_parse_words(text, out));
    for (int i = 0; i < out->count; i++) {
        if (!app_list_has(modes, out->text[i], strlen(out->text[i]))) {
            return halo_fail(HALO_ARGUMENT,
                             "takes p2p, persistent, neighbour and shared, not \"%s\"",
                             out->text[i]);
        }
    }
    return HALO_OK;
}

halo_status bench_parse_size(const char *text, int axes, int64_t size[HALO_AXES])
{
    const char *at = text;
    int64_t given[HALO_AXES];
    int count = 0;
    while (count < axes && halo_scan_integer(&at, 1, MOST_CELLS, &given[count])) {
        count++;
        if (*at != 'x') {
            break;
        }
        at++;
    }
    if (*at != '\0' || at == text || at[-1] == 'x' || (count != 1 && count != axes)) {
        return halo_fail(HALO_ARGUMENT,
                         "--size takes WIDTHxHEIGHT%s in cells, such as %s, or one number for all "
                         "axes, not \"%s\"",
                         axes == 3 ? "xDEPTH" : "", axes == 3 ? "128x128x128" : "2048x2048", text);
    }
    for (int a = 0; a < axes; a++) {
        size[axes - 1 - a] = given[count == 1 ? 0 : a];
    }
    return HALO_OK;
}
