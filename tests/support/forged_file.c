#include "support/forged_file.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    UNIT = 4096, /* bytes of headers */
    CLOSING = 19 /* 16 digits, quote, brace, line end */
};

static const char mark[] = "\"" FORGED_MARK "\"", checksum_key[] = "\"header_checksum\": \"";

void *forged_must(void *made)
{
    if (made == NULL) {
        perror("forged_file");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return made;
}

void forged_read(forged_checkpoint *c, const char *path)
{
    FILE *file = forged_must(fopen(path, "rb"));
    fseek(file, 0, SEEK_END);
    c->size = (size_t)ftell(file);
    rewind(file);
    c->bytes = forged_must(malloc(c->size + 1));
    if (fread(c->bytes, 1, c->size, file) != c->size) {
        forged_must(NULL);
    }
    c->bytes[c->size] = '\0';
    fclose(file);
    sscanf((const char *)c->bytes, "{\"halobeat checkpoint\": 1, \"header_bytes\": %zu,",
           &c->header);
    c->members = forged_must(json_loadb((const char *)c->bytes, c->header, 0, NULL));
    json_object_del(c->members, "halobeat checkpoint");
    json_object_del(c->members, "header_bytes");
    json_object_del(c->members, "header_checksum");
}

int64_t forged_number(const forged_checkpoint *c, const char *key)
{
    return json_integer_value(json_object_get(c->members, key));
}

void forged_add(json_t *members, const char *key, size_t more)
{
    json_int_t before = json_integer_value(json_object_get(members, key));
    json_object_set_new(members, key, json_integer(before + (json_int_t)more));
}

char *forged_header(const forged_checkpoint *c, json_t *members, const char *raw, size_t *bytes)
{
    enum { MORE = 256 };
    char *text = forged_must(json_dumps(members, JSON_SORT_KEYS)), *at = strstr(text, mark);
    size_t before = at != NULL ? (size_t)(at - text) : strlen(text);
    const char *behind = at != NULL ? at + sizeof mark - 1 : "";
    size_t all = strlen(text) + strlen(raw) + MORE;
    *bytes = (all + UNIT - 1) / UNIT * UNIT;
    *bytes = *bytes > c->header ? *bytes : c->header;
    char *header = forged_must(malloc(*bytes + 1));
    memset(header, ' ', *bytes);
    int used =
        snprintf(header, *bytes, "{\"halobeat checkpoint\": 1, \"header_bytes\": %8zu, %.*s%s%s",
                 *bytes, (int)before - 1, text + 1, at != NULL ? raw : "", behind);
    header[used - 1] = ','; /* for the brace that closed the members */
    header[used] = ' ';
    size_t covered = *bytes - CLOSING;
    memcpy(header + covered - (sizeof checksum_key - 1), checksum_key, sizeof checksum_key - 1);
    snprintf(header + covered, CLOSING + 1, "%016" PRIx64 "\"}\n",
             (uint64_t)XXH3_64bits(header, covered));
    free(text);
    return header;
}

void forged_write(const char *path, const char *header, size_t header_bytes,
                  const unsigned char *rest, size_t rest_bytes)
{
    FILE *file = forged_must(fopen(path, "wb"));
    if (fwrite(header, 1, header_bytes, file) != header_bytes ||
        fwrite(rest, 1, rest_bytes, file) != rest_bytes || fclose(file) != 0) {
        forged_must(NULL);
    }
}

void forged_sign_rows(const forged_checkpoint *c, unsigned char *bytes)
{
    int64_t rows = forged_number(c, "rows"), row_bytes = forged_number(c, "row_bytes");
    int64_t block_rows = forged_number(c, "block_rows"), blocks = forged_number(c, "blocks");
    uint64_t all = 0;
    unsigned char *table = bytes + forged_number(c, "table_at");
    for (int64_t b = 0; b < blocks; b++) {
        uint64_t sum = 0;
        for (int64_t i = b * block_rows; i < rows && i < (b + 1) * block_rows; i++) {
            sum += XXH3_64bits_withSeed(bytes + c->header + i * row_bytes, (size_t)row_bytes,
                                        (uint64_t)i);
        }
        memcpy(table + b * (int64_t)sizeof sum, &sum, sizeof sum);
        all += XXH3_64bits_withSeed(&sum, sizeof sum, (uint64_t)b);
    }
    memcpy(table + blocks * (int64_t)sizeof all, &all, sizeof all);
}
