#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* make_cells_corpus FOLDER: small files of every format of cells for the fuzzer to start from. The
 * first byte of each is the fuzz target's own. */

#define ARRAY(version, length, descr) \
    "\x93NUMPY" version length "{'descr':'" descr "','fortran_order':False,'shape':(2,3),}\n"

static const struct {
    const char *bytes;
    size_t size;
} SEEDS[] = {
#define SEED(text) {text, sizeof(text) - 1},
    SEED("0x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!") SEED(
        "0#N name\n#CXRLE Pos=-12,7 Gen=100\nx = 9,y=12,rule=/2/3:T100,80\r\n3.A2BpAyO$\r\n12$.A!")
        SEED("0#r 23/3\n#P 1 2\n65o63b64o$127bo100$64b65o!") SEED("5bo$\n2bo$3o")
            SEED("1!Name: a\n.O\n\n..O\nOOO\n") SEED(
                "6[M2] (golly 3.3)\n#R B3/S23:T40,30\n#G 7\n$.*$..*$***$\n4 1 0 1 0\n5 0 2 0 2\n")
                SEED("2#Life 1.05\n#D a\n#R 23/3\n#P -3 4\n.*\n..*\n***\n#N\n#P 70 5\n**\n")
                    SEED("5#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n") SEED(
                        "3" ARRAY("\x01\0", "\x36\0", "|u1") "\0\1\2\3\4\5")
                        SEED("3" ARRAY("\x02\0", "\x36\0\0\0", "|b1") "\0\1\1\0\1\1") SEED(
                            "3" ARRAY("\x03\0", "\x36\0\0\0", ">i2") "\0\1\0\0\0\1\0\xff\0\0\0\1")
                            SEED("3" ARRAY(
                                "\x01\0", "\x36\0",
                                "<f4") "\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\xbf")
#undef SEED
};

int main(int count, char **arguments)
{
    for (size_t i = 0; i < sizeof SEEDS / sizeof SEEDS[0]; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s/seed-%02zu", count == 2 ? arguments[1] : "", i);
        FILE *file = count == 2 ? fopen(path, "wb") : NULL;
        bool good = file != NULL && fwrite(SEEDS[i].bytes, 1, SEEDS[i].size, file) == SEEDS[i].size;
        good = file != NULL && fclose(file) == 0 && good;
        if (!good) {
            fprintf(stderr, "usage: make_cells_corpus FOLDER (which must be writable)\n");
            return 1;
        }
    }
    return 0;
}
