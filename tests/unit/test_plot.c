#define _DEFAULT_SOURCE /* setenv */
#include "io/plot/plot.h"
#include "support/scratch.h"
#include "support/unit_check.h"

static const char SCRIPT[] = "set title 'it''s'\nplot x\n";

static halo_status draw(const char *path)
{
    return halo_plot_draw(path, 320, 240, SCRIPT, sizeof SCRIPT - 1);
}

static void check_file(const char *name, const char *begins)
{
    halo_buffer file = scratch_read(name);
    size_t length = strlen(begins);
    check(file.size > length && memcmp(file.data, begins, length) == 0, "%s does not begin with %s",
          name, begins);
    halo_buffer_free(&file);
}

/* With the real program, where it is installed. */
TEST("pictures")
{
    halo_buffer where = scratch_output("command -v gnuplot");
    bool there = where.size > 0;
    halo_buffer_free(&where);
    if (!there) {
        puts("skipped: pictures, not installed: gnuplot-nox");
        FAILS(HALO_FILE, "gnuplot is not installed", draw("a.png"));
        return;
    }
    int before = scratch_files();
    SUCCEEDS(halo_plot_check("a.png"));
    CU_ASSERT_EQUAL(scratch_files(), before); /* asking leaves nothing */
    SUCCEEDS(draw("a.png"));
    check_file("a.png", "\x89PNG");
    SUCCEEDS(draw("it's \"a\" b.SVG"));
    check_file("it's \"a\" b.SVG", "<?xml");
    CU_ASSERT_EQUAL(scratch_files(), before + 2);
    /* A script that gnuplot does not understand: the picture that was there stays. */
    const char nonsense[] = "plot nonsense(\n";
    FAILS(HALO_FILE, "cannot draw a.png: gnuplot failed",
          halo_plot_draw("a.png", 320, 240, nonsense, sizeof nonsense - 1));
    check_file("a.png", "\x89PNG");
    CU_ASSERT_EQUAL(scratch_files(), before + 2);
}

TEST("paths that cannot be")
{
    int before = scratch_files();
    FAILS(HALO_ARGUMENT, "end it in .png or .svg", halo_plot_check("a.jpg"));
    FAILS(HALO_ARGUMENT, "png", draw("png"));
    FAILS(HALO_FILE, "no/such", draw("no/such/a.png"));
    char path[5000];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 5, ".png", 5);
    FAILS(HALO_FILE, "a path may have", draw(path));
    CU_ASSERT_EQUAL(scratch_files(), before);
}

/* Programs of the name gnuplot that do not do what it does. */
TEST("other programs")
{
    char *path = strdup(getenv("PATH"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    scratch_text("old.png", "old");
    int before = scratch_files();
    setenv("PATH", ".", 1);
    FAILS(HALO_FILE, "install", halo_plot_check("old.png"));
    scratch_script("gnuplot", "#!/bin/sh\nexit 0\n");
    FAILS(HALO_FILE, "old.png", draw("old.png"));
    scratch_script("gnuplot", "#!/bin/sh\nread line\necho no pens left >&2\nexit 3\n");
    FAILS(HALO_FILE, "no pens left", draw("old.png"));
    scratch_script("gnuplot", "#!/bin/sh\nwhile read line; do :; done\n");
    FAILS(HALO_FILE, "has written nothing", draw("old.png"));
    setenv("PATH", path, 1);
    free(path);
    check_file("old.png", "ol");
    CU_ASSERT_EQUAL(scratch_files(), before + 1); /* the last program */
}

int main(void)
{
    return scratch_run();
}
