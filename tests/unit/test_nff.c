#include "io/nff/nff.h"
#include "support/unit_check.h"

#include <stdarg.h>

/* The sink's calls, as text. */
static char got[2000];

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    size_t used = strlen(got);
    va_list values;
    va_start(values, format);
    vsnprintf(got + used, sizeof got - used, format, values);
    va_end(values);
}

static void add_vector(const char *name, halo_nff_vector v)
{
    add("%s %.17g %.17g %.17g;", name, v.x, v.y, v.z);
}

static halo_status view(void *context, const halo_nff_view *v)
{
    (void)context;
    add_vector("from", v->from);
    add_vector("at", v->at);
    add_vector("up", v->up);
    add("angle %.17g hither %.17g %dx%d;", v->angle, v->hither, (int)v->width, (int)v->height);
    return HALO_OK;
}

static halo_status background(void *context, halo_nff_vector colour)
{
    (void)context;
    add_vector("b", colour);
    return HALO_OK;
}

static halo_status light(void *context, halo_nff_vector place, const halo_nff_vector *colour)
{
    (void)context;
    add_vector("l", place);
    if (colour != NULL) {
        add_vector("of", *colour);
    }
    return HALO_OK;
}

static halo_status surface(void *context, const halo_nff_surface *s)
{
    (void)context;
    add_vector("f", s->colour);
    add("%g %g %g %g %g;", s->diffuse, s->specular, s->shine, s->transmittance, s->index);
    return HALO_OK;
}

static halo_status sphere(void *context, halo_nff_vector centre, double radius)
{
    if (*(const double *)context == radius) {
        return halo_fail(HALO_ARGUMENT, "this radius is not wanted");
    }
    add_vector("s", centre);
    add("%.17g;", radius);
    return HALO_OK;
}

static halo_status cone(void *context, halo_nff_vector base, double base_radius,
                        halo_nff_vector apex, double apex_radius)
{
    (void)context;
    add_vector("c", base);
    add("%g;", base_radius);
    add_vector("to", apex);
    add("%g;", apex_radius);
    return HALO_OK;
}

static halo_status polygon(void *context, const halo_nff_vector *corners,
                           const halo_nff_vector *normals, int64_t count)
{
    (void)context;
    add("p %d;", (int)count);
    for (int64_t i = 0; i < count; i++) {
        add_vector("", corners[i]);
        if (normals != NULL) {
            add_vector("n", normals[i]);
        }
    }
    return HALO_OK;
}

static halo_status parse(const char *text)
{
    double unwanted = 13;
    const halo_nff_sink sink = {&unwanted, NULL,   view, background, light,
                                surface,   sphere, cone, polygon};
    got[0] = '\0';
    return halo_nff_parse("x.nff", text, strlen(text), &sink);
}

TEST("everything that there is")
{
    SUCCEEDS(
        parse("# a scene\r\nb .25 0.5 1e-3\nv # eye\nfrom 1 2 -3\nat 0 0 0\nup 0\n1 0 angle "
              "45\nhither .5\nresolution 640 480\nl 1 2 3\nl 4 5 6 .5 .5 1 # of a colour\nf 1 0 "
              ".5 .8 .2 33.5 .1 1.5\n\ts -1 2.25 0 7\nc 0 0 0 1 0 0 2 .5\np 3 0 0 0\n1 0 0\n0 1 "
              "0\npp 3\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1"));
    CU_ASSERT_STRING_EQUAL(
        got, "b 0.25 0.5 0.001;from 1 2 -3;at 0 0 0;up 0 1 0;angle 45 hither 0.5 640x480;l 1 2 3;"
             "l 4 5 6;of 0.5 0.5 1;f 1 0 0.5;0.8 0.2 33.5 0.1 1.5;s -1 2.25 0;7;c 0 0 0;1;to 0 0 2;"
             "0.5;p 3; 0 0 0; 1 0 0; 0 1 0;p 3; 0 0 0;n 0 0 1; 1 0 0;n 0 0 1; 0 1 0;n 0 0 1;");
    SUCCEEDS(parse(""));
    SUCCEEDS(parse("  # nothing"));
    CU_ASSERT_STRING_EQUAL(got, "");
}

/* As strtod has them, to the last bit. */
TEST("numbers")
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "7",
                                        ".5",
                                        "-.5",
                                        "0.1",
                                        "3.",
                                        "123456.789",
                                        "-0.000123456",
                                        "1e22",
                                        "1.5E-7",
                                        "123456789012345",
                                        "0.1234567890123456789",
                                        "12345678901234567890",
                                        "2.2250738585072014e-308",
                                        "0.30000000000000004",
                                        "1.00000000000000011102230246251565"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        char text[100], wanted[100];
        snprintf(text, sizeof text, "b %s %s %s", texts[i], texts[i], texts[i]);
        double value = strtod(texts[i], NULL);
        snprintf(wanted, sizeof wanted, "b %.17g %.17g %.17g;", value, value, value);
        SUCCEEDS(parse(text));
        check(strcmp(got, wanted) == 0, "%s became %s, not %s", texts[i], got, wanted);
    }
}

TEST("what is not as it should be")
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"q", "\"x.nff\", line 1, column 1: v, b, l, f, s, c, p, pp or a comment is expected, not "
              "\"q\""},
        {"b 1 1 1 1", "line 1, column 9: v, b, l"},
        {"b 1 1", "line 1, column 6: a number is expected, and there is nothing more"},
        {"\n\n  b 1\n 1 x1", "line 4, column 4: a number is expected, not \"x1\""},
        {"b 1 1 1x", "line 1, column 7: a number is expected, not \"1x\""},
        {"b 1 1 --1", "not \"--1\""},
        {"b 1 1 +1", "not \"+1\""},
        {"b 1 1 1,5", "not \"1,5\""},
        {"b 1 1 inf", "not \"inf\""},
        {"b 1 1 1e", "not \"1e\""},
        {"b 1 1 1e400", "not \"1e400\""},
        {"b 1 1 0x10", "not \"0x10\""},
        {"b 1 1 .", "not \".\""},
        {"l 1 2 3 4", "line 1, column 10: a number is expected, and there is nothing more"},
        {"v from 1 1 1 up", "line 1, column 14: \"at\" is expected, not \"up\""},
        {"p 0", "line 1, column 3: a number of corners is expected, not \"0\""},
        {"p -3", "not \"-3\""},
        {"p 3 0 0 0 0 0 0 0 0", "line 1, column 20: a number"},
        {"p 99999999999", "a number of corners"},
        {"ss 1 1 1 1", "not \"ss\""},
        {"s 1 1 1 1\n # one\n s 1 1\n 1 13\n", "line 3, column 2: this radius is not wanted"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        FAILS(HALO_FORMAT, bad[i].words, parse(bad[i].text));
    }
}
