#ifndef HALOBEAT_TESTS_FORGED_FILE_H
#define HALOBEAT_TESTS_FORGED_FILE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Checkpoints as bytes, to be written with other values and valid checksums. All functions are
 * local; failures end the job. */

typedef struct {
    unsigned char *bytes;
    size_t size, header; /* bytes of the header */
    json_t *members;     /* of the header, without those about its end */
} forged_checkpoint;

/* `made`, which must not be NULL. */
void *forged_must(void *made);

/* The caller frees bytes and members. */
void forged_read(forged_checkpoint *c, const char *path);

/* A member of the header; adding to one. */
int64_t forged_number(const forged_checkpoint *c, const char *key);
void forged_add(json_t *members, const char *key, size_t more);

#define FORGED_MARK "@forged@"

/* A header with these members, in which `raw` replaces the text FORGED_MARK, and a valid checksum;
 * the caller frees it. It is at least as long as that of `c`. */
char *forged_header(const forged_checkpoint *c, json_t *members, const char *raw, size_t *bytes);

/* Corrects the checksums of the rows in `bytes`, a copy of c->bytes. */
void forged_sign_rows(const forged_checkpoint *c, unsigned char *bytes);

/* Writes a file from a header and the rest. */
void forged_write(const char *path, const char *header, size_t header_bytes,
                  const unsigned char *rest, size_t rest_bytes);

#endif
