#include <stdio.h>

/* Scenes that fuzz_nff starts from: make_nff_corpus FOLDER. */

#define VIEW                                                                                     \
    "v\nfrom 0 0 -5\nat 0 0 0\nup 0 1 0\nangle 45\nhither 1\nresolution 9 9\nb .1 .2 .3\nl 3 4 " \
    "-5\n"                                                                                       \
    "l -3 4 -5 1 .5 0\n"

static const char *const texts[] = {
    VIEW "f 1 .5 .2 .8 .3 20 0 1\ns 0 0 0 1\ns 1 0 2 -3\n",
    VIEW
    "f 1 1 1 .1 .1 99 .8 1.5 # glass\ns 0 0 -1 .7\nf .5 .5 .5 1 0 1 0 0\np 4\n-9 -1 -9\n9 -1 -9\n"
    "9 -1 9\n-9 -1 9\n",
    VIEW "f 1 1 1 .5 .5 9 0 0\nc\n0 -1 0 1\n0 1 0 .3\nc 0 0 0 -1 0 0 3 -1\n",
    VIEW "f 1 1 1 .5 .5 9 0 0\npp 3\n-1 -1 0 0 0 -1\n1 -1 0 .3 0 -1\n0 1 0 0 .3 -1\n",
    VIEW "f 1 1 1 .5 0 9 .2 1\np 6 0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0\n",
    "# no view\nf 1 1 1 1 0 1 0 0\ns 0 0 0 1\n"};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof texts / sizeof *texts; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu.nff", argv[1], i);
        FILE *file = fopen(path, "w");
        if (file == NULL || fputs(texts[i], file) < 0 || fclose(file) != 0) {
            perror(path);
            return 1;
        }
    }
    return argc == 2 ? 0 : 2;
}
