#define _DEFAULT_SOURCE /* setenv */
#include "io/plot/plot.h"
#include "support/movie_check.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SCRIPT[] = "set title 'it''s'\nplot x\n";

static halo_status draw(const char *path)
{
    return halo_plot_draw(path, 320, 240, SCRIPT, sizeof SCRIPT - 1);
}

static void check_message(halo_status status, halo_status wanted, const char *word)
{
    check(status == wanted && strstr(halo_last_message(), word) != NULL,
          "status %d, not %d with '%s': %s", (int)status, (int)wanted, word, halo_last_message());
}

static void check_file(const char *name, const char *begins)
{
    halo_buffer file = movie_file(name);
    size_t length = strlen(begins);
    check(file.size > length && memcmp(file.data, begins, length) == 0, "%s does not begin with %s",
          name, begins);
    halo_buffer_free(&file);
}

/* With the real program, where it is installed. */
static void test_pictures(void)
{
    halo_buffer where = movie_output("command -v gnuplot");
    bool there = where.size > 0;
    halo_buffer_free(&where);
    if (!there) {
        puts("skipped: pictures, not installed: gnuplot-nox");
        check_message(draw("a.png"), HALO_FILE, "gnuplot is not installed");
        return;
    }
    int before = movie_folder_files();
    CU_ASSERT_EQUAL(halo_plot_check("a.png"), HALO_OK);
    CU_ASSERT_EQUAL(movie_folder_files(), before); /* asking leaves nothing */
    CU_ASSERT_EQUAL(draw("a.png"), HALO_OK);
    check_file("a.png", "\x89PNG");
    CU_ASSERT_EQUAL(draw("it's \"a\" b.SVG"), HALO_OK);
    check_file("it's \"a\" b.SVG", "<?xml");
    CU_ASSERT_EQUAL(movie_folder_files(), before + 2);
    /* A script that gnuplot does not understand: the picture that was there stays. */
    const char nonsense[] = "plot nonsense(\n";
    check_message(halo_plot_draw("a.png", 320, 240, nonsense, sizeof nonsense - 1), HALO_FILE,
                  "cannot draw a.png: gnuplot failed");
    check_file("a.png", "\x89PNG");
    CU_ASSERT_EQUAL(movie_folder_files(), before + 2);
}

static void test_paths(void)
{
    int before = movie_folder_files();
    check_message(halo_plot_check("a.jpg"), HALO_ARGUMENT, "end it in .png or .svg");
    check_message(draw("png"), HALO_ARGUMENT, "png");
    check_message(draw("no/such/a.png"), HALO_FILE, "no/such");
    char path[5000];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 5, ".png", 5);
    check_message(draw(path), HALO_FILE, "a path may have");
    CU_ASSERT_EQUAL(movie_folder_files(), before);
}

/* Programs of the name gnuplot that do not do what it does. */
static void test_programs(void)
{
    char *path = strdup(getenv("PATH"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    movie_put("old.png", "old", false);
    int before = movie_folder_files();
    setenv("PATH", ".", 1);
    check_message(halo_plot_check("old.png"), HALO_FILE, "install");
    movie_put("gnuplot", "#!/bin/sh\nexit 0\n", true);
    check_message(draw("old.png"), HALO_FILE, "old.png");
    movie_put("gnuplot", "#!/bin/sh\nread line\necho no pens left >&2\nexit 3\n", true);
    check_message(draw("old.png"), HALO_FILE, "no pens left");
    movie_put("gnuplot", "#!/bin/sh\nwhile read line; do :; done\n", true);
    check_message(draw("old.png"), HALO_FILE, "has written nothing");
    setenv("PATH", path, 1);
    free(path);
    check_file("old.png", "ol");
    CU_ASSERT_EQUAL(movie_folder_files(), before + 1); /* the last program */
}

int main(void)
{
    CU_TestInfo tests[] = {{"pictures", test_pictures},
                           {"paths that cannot be", test_paths},
                           {"other programs", test_programs},
                           CU_TEST_INFO_NULL};
    movie_folder_enter();
    int status = unit_check_run("plot", tests);
    movie_folder_remove();
    return status;
}
