#include "app/report/facts.h"
#include "app/report/json_text.h"
#include "support/unit_check.h"

enum { SIZE = 200 };

static json_t *facts, *others;

static bool begin(void)
{
    facts = json_pack("{s:i, s:i, s:i, s:f, s:s, s:n, s:b, s:b, s:{s:s, s:{s:i}}, s:[i, i]}",
                      "none", 0, "one", 1, "many", 12, "share", .25, "name", "chain", "missing",
                      "yes", 1, "no", 0, "in", "word", "deep", "inner", "number", 7, "parts", 2, 3);
    others = json_pack("{s:s, s:s, s:i}", "name", "hidden by the fact", "text", "only for people",
                       "missing", 3);
    return facts != NULL && others != NULL;
}

/* Templates and their lines; NULL: the line is left out. */
static const struct {
    const char *template, *wanted;
} cases[] = {
    /* Values. */
    {"", ""},
    {"no value at all", "no value at all"},
    {"{many}", "12"},
    {"{name} of {many}, {share}", "chain of 12, 0.25"},
    {"{text}", "only for people"},
    {"{in.word}, {in.inner.number}", "deep, 7"},
    {"{parts.0} x {parts.1}", "2 x 3"},
    /* Numbers. */
    {"{share%.3f} {many%.2e}", "0.250 1.20e+01"},
    {"{many%.1g}", "10"},
    {"mean[, less {many>0}][, plus {-1*many%.10g>0}]", "mean, less 12"},
    {"mean[, less {-1*many>0}][, plus {many>11}][, plus {.5*many>6}]", "mean, plus 12"},
    {"{100*share} %, {100*share%.1f} %", "25 %, 25.0 %"},
    {"{1e-3*many%.3f}", "0.012"},
    {"{.5*many} {1*many}", "6 12"},
    {"{100*parts.1}", "300"},
    /* Plurals. */
    {"{none} beat{s:none}", "0 beats"},
    {"{one} beat{s:one}", "1 beat"},
    {"{many} beat{s:many}", "12 beats"},
    {"rank{s:in.inner.number}", "ranks"},
    /* Choices. */
    {"{yes?, inverted}{no?, periodic}", ", inverted"},
    {"{yes?checked:WRONG} {no?checked:WRONG}", "checked WRONG"},
    {"{none?some:nothing} {many?some:nothing}", "nothing some"},
    {"{yes?:never}{many>11?}", ""},
    {"{share?100 % > 0: }", "100 % > 0"},
    {"{yes} {no}", "1 0"},
    /* A null is missing, even if other facts have a value. */
    {"{missing}", NULL},
    {"{nobody}", NULL},
    {"{in.nobody}", NULL},
    {"{in.word.deeper}", NULL},
    {"{parts.2}", NULL},
    {"beat{s:missing}", NULL},
    {"{missing?yes:no}", NULL},
    {"text before {missing} and behind", NULL},
    {"{none>0}", NULL},
    {"{one>0}", "1"},
    {"{one>1}", NULL},
    {"{many%.1f>1}", "12.0"},
    {"{none>-1}", "0"},
    {"{share%.1f>.25}", NULL},
    /* Brackets. */
    {"[all of {many}]", "all of 12"},
    {"{many}[, {missing} of them]", "12"},
    {"[{missing}][{many}]", "12"},
    {"[one {many}[ two {missing}] three]", "one 12 three"},
    {"[one {missing}[ two {many}] three]", ""},
    {"[one [two [three {many}]]]", "one two three 12"},
    {"[one [two [three {missing}]]]", "one two "},
    {"{missing}[{many}]", NULL},
    {"[{none>0} plan{s:none}]{name}", "chain"},
    /* Templates that are not whole end where the text does. */
    {"[open {many}", "open 12"},
    {"[open {missing}", ""},
    {"{many", "12"},
};

TEST("lines from templates")
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[SIZE];
        const char *template = cases[i].template, *wanted = cases[i].wanted;
        const app_line line = {.name = "line", .text = template};
        bool put = app_line_text(&line, facts, others, text, sizeof text);
        check(put == (wanted != NULL), "\"%s\" is%s left out", template, put ? " not" : "");
        check(strcmp(text, wanted != NULL ? wanted : "") == 0, "\"%s\" becomes \"%s\"", template,
              text);
    }
}

/* Text that is too long is cut, wherever it comes from; what is left out takes no room. */
TEST("text that is cut")
{
    static const struct {
        const char *template, *wanted;
    } long_ones[] = {{"0123456789", "0123456"},
                     {"012{name}89", "012chai"},
                     {"01234{many}[{missing}]", "0123412"},
                     {"[0123456789{missing}]{many}", "12"},
                     {"01234567[{missing}]8", "0123456"},
                     {"012345\xc3\xbc", "012345"},
                     {"01234\xc3\xbc", "01234\xc3\xbc"},
                     {"0123\xf0\x9f\x99\x82", "0123"}};
    for (size_t i = 0; i < COUNT(long_ones); i++) {
        char text[16];
        memset(text, '#', sizeof text);
        const app_line line = {.name = "line", .text = long_ones[i].template};
        CU_ASSERT_TRUE(app_line_text(&line, facts, others, text, 8));
        check(strcmp(text, long_ones[i].wanted) == 0, "\"%s\" becomes \"%s\"",
              long_ones[i].template, text);
        check(text[8] == '#', "\"%s\" goes beyond its room", long_ones[i].template);
    }
}

/* A name is no index: elements of arrays have numbers. */
TEST("keys of arrays")
{
    json_t *array = json_pack("[{s:i}]", "many", 7);
    CU_ASSERT_EQUAL(json_integer_value(app_fact(array, others, "0.many")), 7);
    CU_ASSERT_PTR_NULL(app_fact(array, NULL, "many"));
    CU_ASSERT_PTR_NULL(app_fact(array, NULL, ""));
    CU_ASSERT_PTR_NULL(app_fact(array, NULL, "0x"));
    CU_ASSERT_PTR_NULL(app_fact(array, NULL, "-1"));
    CU_ASSERT_PTR_NULL(app_fact(array, NULL, "1"));
    json_decref(array);
}

TEST("JSON")
{
    json_t *values[] = {app_fact_text("name"), app_fact_text(NULL), app_fact_text("\xff"),
                        app_fact_count(3),     app_fact_count(0),   app_fact_count(-1)};
    CU_ASSERT_STRING_EQUAL(json_string_value(values[0]), "name");
    CU_ASSERT_TRUE(json_is_null(values[1]));
    CU_ASSERT_STRING_EQUAL(json_string_value(values[2]), "?");
    CU_ASSERT_EQUAL(json_integer_value(values[3]), 3);
    CU_ASSERT_TRUE(json_is_integer(values[4]));
    CU_ASSERT_TRUE(json_is_null(values[5]));
    for (size_t i = 0; i < COUNT(values); i++) {
        json_decref(values[i]);
    }
}

/* Characters stay, as RFC 3629 has them; bytes of none become question marks. */
TEST("names of files in JSON")
{
    static const char *const names[][2] = {
        {"\xc3\xbc\xff.png", "\xc3\xbc?.png"},
        {"a\xc3", "a?"},
        {"\xe2\x82", "??"},
        {"\xf0\x9f\x99\x82\xf0\x9f", "\xf0\x9f\x99\x82??"},
        {"\xc0\x80 \xe0\x80\x80", "?? ???"},           /* written too long */
        {"\xed\xa0\x80 \xf4\x90\x80\x80", "??? ????"}, /* surrogates, beyond the last one */
        {"\xfe\xef\xbf\xbd\x80", "?\xef\xbf\xbd?"},
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        json_t *text = app_fact_text(names[i][0]);
        check(json_is_string(text) && strcmp(json_string_value(text), names[i][1]) == 0,
              "name %zu becomes \"%s\"", i, json_string_value(text));
        json_decref(text);
    }
}

TEST("numbers of JSON have the fewest digits that read back as the same; texts stay")
{
    static const struct {
        double number;
        const char *wanted;
    } reals[] = {{.1, "0.1"},
                 {1. / 3, "0.3333333333333333"},
                 {298.02775637732, "298.02775637732"},
                 {-2, "-2.0"},
                 {1e15, "1e15"},
                 {1234567890123450, "1234567890123450.0"},
                 {5e-324, "4.94065645841247e-324"},
                 {1e-5, "1e-5"},
                 {1.7976931348623157e308, "1.7976931348623157e308"}};
    for (size_t i = 0; i < COUNT(reals); i++) {
        json_t *number = json_real(reals[i].number);
        char *text = app_json_text(number, 0);
        check(strcmp(text, reals[i].wanted) == 0, "%s instead of %s", text, reals[i].wanted);
        check(memcmp(&(double){strtod(text, NULL)}, &reals[i].number, sizeof(double)) == 0,
              "%s reads back as another number", text);
        free(text);
        json_decref(number);
    }
    json_t *all = json_pack("{s:s, s:[f, i, f], s:b}", "0.10000000000000001\"",
                            "\\0.10000000000000001", "b", .1, 17, 1e22, "true", 1);
    char *text = app_json_text(all, JSON_COMPACT);
    CU_ASSERT_STRING_EQUAL(text, "{\"0.10000000000000001\\\"\":\"\\\\0.10000000000000001\","
                                 "\"b\":[0.1,17,1e22],\"true\":true}");
    free(text);
    json_decref(all);
}

/* Calls for memory that succeed before one fails; below 0: all do. */
static int well = -1;

static bool has_memory(void)
{
    return well < 0 || well-- != 0;
}

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
    return has_memory() ? __real_realloc(memory, bytes) : NULL;
}

static void *of_jansson(size_t bytes)
{
    return has_memory() ? malloc(bytes) : NULL;
}

/* A text without some of its pieces would be no JSON, or have other members. */
TEST("JSON without memory at one call")
{
    enum { MEMBERS = 60, MOST_CALLS = 200 };
    json_t *all = json_object();
    for (int i = 0; i < MEMBERS; i++) {
        char name[SIZE];
        snprintf(name, sizeof name, "%0*d", 1 + i % 30, i);
        json_object_set_new(all, name, json_pack("{s:f, s:s}", name, i / 7., "text", "a text"));
    }
    char *wanted = app_json_text(all, JSON_INDENT(2)), *text = NULL;
    int calls = 0;
    json_set_alloc_funcs(of_jansson, free);
    for (; text == NULL && calls < MOST_CALLS; calls++) {
        well = calls;
        text = app_json_text(all, JSON_INDENT(2));
        well = -1;
        check(text == NULL || strcmp(text, wanted) == 0, "call %d: another text", calls);
    }
    json_set_alloc_funcs(malloc, free);
    check(text != NULL && calls > 5, "%d calls", calls);
    free(text);
    free(wanted);
    json_decref(all);
}

int main(void)
{
    int status = begin() ? unit_check_run() : 1;
    json_decref(facts);
    json_decref(others);
    return status;
}
