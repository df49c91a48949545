#include "io/image/image_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Names of sample types in other programs: C, NumPy's letters, Rust, MetaImage, NRRD. A float has
 * 32 bits, as in all of them but Python. Names of more than one letter are compared without blanks
 * and underscores, in upper or lower case. */
static const struct {
    const char *name, *numpy;
} others[] = {{"?", "b1"},
              {"B", "u1"},
              {"b", "i1"},
              {"H", "u2"},
              {"h", "i2"},
              {"I", "u4"},
              {"i", "i4"},
              {"Q", "u8"},
              {"q", "i8"},
              {"e", "f2"},
              {"f", "f4"},
              {"d", "f8"},
              {"bool", "b1"},
              {"byte", "u1"},
              {"uchar", "u1"},
              {"unsignedchar", "u1"},
              {"uint8t", "u1"},
              {"char", "i1"},
              {"schar", "i1"},
              {"signedchar", "i1"},
              {"int8t", "i1"},
              {"ushort", "u2"},
              {"unsignedshort", "u2"},
              {"uint16t", "u2"},
              {"u16", "u2"},
              {"short", "i2"},
              {"int16t", "i2"},
              {"i16", "i2"},
              {"uint", "u4"},
              {"unsignedint", "u4"},
              {"uint32t", "u4"},
              {"u32", "u4"},
              {"int", "i4"},
              {"int32t", "i4"},
              {"i32", "i4"},
              {"uint64t", "u8"},
              {"u64", "u8"},
              {"int64t", "i8"},
              {"i64", "i8"},
              {"half", "f2"},
              {"float", "f4"},
              {"single", "f4"},
              {"f32", "f4"},
              {"double", "f8"},
              {"f64", "f8"}};

enum { LONGEST = 24 };

/* Drops spaces and capitals; false if the name is too long for any. */
static bool make_plain(const char *text, char plain[LONGEST])
{
    size_t used = 0;
    bool letter = text[0] != '\0' && text[1] == '\0';
    for (; *text != '\0' && used < LONGEST - 1; text++) {
        if (*text != ' ' && *text != '_') {
            plain[used++] = (char)(letter ? *text : tolower((unsigned char)*text));
        }
    }
    plain[used] = '\0';
    return *text == '\0';
}

bool halo_image_parse_type_name(const char *text, halo_sample_type *type, size_t *bytes,
                                bool *swapped)
{
    char plain[LONGEST], numpy[LONGEST + 1] = "=";
    if (*text != '\0' && strchr("<>|=", *text) != NULL) {
        numpy[0] = *text++;
    }
    if (!make_plain(text, plain)) {
        return false;
    }
    const char *name = plain + (strncmp(plain, "met", 3) == 0 ? 3 : 0); /* MetaImage's MET_... */
    const char *found = name;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        found = strcmp(name, others[i].name) == 0 ? others[i].numpy : found;
    }
    snprintf(numpy + 1, sizeof numpy - 1, "%s", found);
    return halo_image_parse_dtype(numpy, type, bytes, swapped);
}
