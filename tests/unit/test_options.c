/* Options that tables describe: values, defaults, what needs and excludes what, what checkpoints
 * keep. */

#include "app/options/options.h"
#include "app/options/shared_options.h"
#include "app/options/values.h"
#include "support/unit_check.h"

/* ---- a command ------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    double weight;
} inner_options;

typedef struct {
    const char *image;
    int64_t count, depth;
    double share;
    bool deep;
    const char *way, *output;
    int order;
    app_until until;
    inner_options inner;
    bool checked;
} options;

static halo_status check_all(const app_options *given, void *into)
{
    options *o = into;
    o->checked = true;
    if (o->inner.weight > 9) {
        return halo_fail(HALO_ARGUMENT, "--weight is too heavy");
    }
    return app_given(given, &o->deep) && o->count == 13
               ? halo_fail(HALO_ARGUMENT, "--deep is not for 13")
               : HALO_OK;
}

#define ROW(option, kind, member) HALO_OPTION_ROW(options, option, kind, member)

static const halo_option rows[] = {
    {ROW("IMAGE", INPUT, image), .flags = APP_ARGUMENT, .required = "which image?",
     .instead = "name"},
    {.type = HALO_OPTION_SECTION, .help = "What:"},
    {ROW("count", INTEGER, count), .letter = 'k', .min = 1, .max = 65535, .unit = "things",
     .standard = "7", .aliases = "number|many", .flags = APP_SAVED, .help = "How many"},
    {ROW("depth", INTEGER, depth), .min = 2, .word = "auto", .standard = "auto",
     .help = "How deep"},
    {ROW("share", SHARE, share), .needs = "deep|order", .flags = APP_SAVED, .help = "How much"},
    {ROW("deep", FLAG, deep), .excludes = "way", .why = "a way is flat", .flags = APP_SAVED,
     .help = "Whether"},
    {ROW("way", CHOICE, way), .choices = "|fast|slow", .standard = "fast", .flags = APP_SAVED,
     .help = "Which way"},
    {ROW("order", INDEX, order), .choices = "up|down", .help = "Order"},
    {ROW("output", OUTPUT, output), .letter = 'o', .choices = ".png|.npy", .help = "Where to"},
    {ROW("until", CUSTOM, until), .parse = app_parse_steady_or_change,
     .takes = "steady or change:SHARE", .help = "When"},
    {.type = HALO_OPTION_END}};

static const halo_option inner_rows[] = {{ROW("name", TEXT, inner.name), .help = "A name"},
                                         {ROW("weight", REAL, inner.weight), .min = -1, .max = 10,
                                          .standard = "1.5", .flags = APP_SAVED,
                                          .help = "A weight"},
                                         {.type = HALO_OPTION_END}};

static const halo_option *const tables[] = {rows, inner_rows, NULL};

static const app_syntax syntax = {
    .name = "try", .tables = tables, .bytes = sizeof(options), .check = check_all};

enum { MAX_WORDS = 32, TEXT = 256 };

/* Parse a line of words with single blanks between them; "" is the word ''. */
static app_verdict parse(const char *line, options *into, app_options **given)
{
    static char text[TEXT];
    static char program[] = "try";
    char *argv[MAX_WORDS] = {program};
    int argc = 1;
    strncpy(text, line, sizeof text - 1);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        if (strcmp(word, "''") == 0) {
            *word = '\0';
        }
        argv[argc++] = word;
    }
    return app_options_parse(given, &syntax, "try", argc, argv, false, into);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* All options as JSON, which the caller frees. */
static char *echo_of(const app_options *given)
{
    json_t *echo = app_options_json(given);
    char *text = json_dumps(echo, JSON_COMPACT);
    json_decref(echo);
    return text;
}

TEST("values, and defaults where none are given")
{
    static const struct {
        const char *line, *echo;
    } cases[] = {
        {"a.png", "{\"count\":7,\"depth\":0,\"share\":0.0,\"deep\":false,\"way\":\"fast\","
                  "\"order\":null,\"output\":null,"
                  "\"until\":null,\"name\":null,\"weight\":1.5}"},
        {"-k 9 --depth=2 --share 25% --deep -o x.NPY --order down --until change:.5 --weight -1 "
         "--name n b.png",
         "{\"count\":9,\"depth\":2,\"share\":0.25,\"deep\":true,\"way\":\"fast\",\"order\":"
         "\"down\",\"output\":\"x.NPY\","
         "\"until\":\"change:.5\",\"name\":\"n\",\"weight\":-1.0}"},
        {"--number 3 --many=4 --name n",
         "{\"count\":4,\"depth\":0,\"share\":0.0,\"deep\":false,\"way\":\"fast\",\"order\":null,"
         "\"output\":null,"
         "\"until\":null,\"name\":\"n\",\"weight\":1.5}"}, /* a name will do instead of an image */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        options o;
        app_options *given;
        CU_ASSERT_EQUAL(parse(cases[i].line, &o, &given), APP_PARSED);
        char *echo = echo_of(given);
        check(strcmp(echo, cases[i].echo) == 0, "%s: %s", cases[i].line, echo);
        CU_ASSERT_TRUE(o.checked && app_given(given, &o.image) == (i < 2));
        CU_ASSERT_TRUE(app_given(given, &o.count) == (i > 0));
        if (i == 1) {
            CU_ASSERT_STRING_EQUAL(o.image, "b.png");
            CU_ASSERT_STRING_EQUAL(app_given_text(given, &o.share), "25%");
            CU_ASSERT_EQUAL(o.until.share, .5);
        }
        free(echo);
        app_options_destroy(&given);
        CU_ASSERT_PTR_NULL(given);
        app_options_destroy(&given);
    }
    options o;
    app_options *given;
    CU_ASSERT_EQUAL(parse("--help --count x", &o, &given), APP_HELPED);
    app_options_destroy(&given);
}

TEST("what is refused, and why")
{
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"", "which image?"},
        {"a b", "\"b\" is one argument too many; give one IMAGE"},
        {"a -k 0", "--count takes a number of things from 1 to 65535, not \"0\""},
        {"a -k 65536", "from 1 to 65535, not \"65536\""},
        {"a -k +3", "not \"+3\""},
        {"a -k 3.0", "not \"3.0\""},
        {"a -k 0x3", "not \"0x3\""},
        {"a -k ''", "not \"\""},
        {"a -k 99999999999999999999", "not \"99999999999999999999\""},
        {"a --depth 1", "--depth takes auto or a whole number from 2 on, not \"1\""},
        {"a --deep --share 101%", "--share takes a share, such as 0.01 or 1%, from 0 to 1"},
        {"a --deep --share 1.01", "not \"1.01\""},
        {"a --deep --share 5%%", "not \"5%%\""},
        {"a --share .1", "--share needs --deep or --order up"},
        {"a --way medium", "--way takes fast or slow, not \"medium\""},
        {"a --way fas", "not \"fas\""},
        {"a --deep --way slow", "--deep cannot be given with --way: a way is flat"},
        {"a -o x.gif", "--output takes a name ending in .png or .npy, not \"x.gif\""},
        {"a -o .png", "not \".png\""},
        {"a --until never", "--until takes steady or change:SHARE, not \"never\""},
        {"a --until change:1", "not \"change:1\""},
        {"a --weight 1e9", "--weight takes a number from -1 to 10, not \"1e9\""},
        {"a --weight nan", "not \"nan\""},
        {"a --weight inf", "not \"inf\""},
        {"a --weight 0x1", "not \"0x1\""},
        {"a --weight 1.", NULL},
        {"a --weight 9.5", "--weight is too heavy"},
        {"a --name ''", "--name takes a text that is not empty"},
        {"a --deep -k 13", "--deep is not for 13"},
        {"a --nothing", ""},
        {"a -k", ""},
        {"a --deep=1", ""},
        {"a -x", ""},
        {"a --o x.png", ""},
        {"a --IMAGE b", ""},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        options o;
        app_options *given;
        app_verdict verdict = parse(bad[i].line, &o, &given);
        bool fine = bad[i].says == NULL;
        check(verdict == (fine ? APP_PARSED : APP_REFUSED), "%s: verdict %d", bad[i].line,
              (int)verdict);
        check(fine || strstr(halo_last_message(), bad[i].says) != NULL, "%s: %s", bad[i].line,
              halo_last_message());
        app_options_destroy(&given);
    }
}

/* A saved option comes back if none was given, and must be the same if one was. */
TEST("what checkpoints keep")
{
    options first, o;
    app_options *given;
    json_t *saved = json_object();
    CU_ASSERT_EQUAL(parse("a -k 11 --deep --share .1 --weight 2", &first, &given), APP_PARSED);
    CU_ASSERT_TRUE(app_options_save(given, saved));
    app_options_destroy(&given);
    char *text = json_dumps(saved, JSON_COMPACT);
    CU_ASSERT_STRING_EQUAL(text, "{\"count\":11,\"share\":0.10000000000000001,\"deep\":true,"
                                 "\"way\":\"fast\",\"weight\":2.0}");
    free(text);

    CU_ASSERT_EQUAL(parse("a -k 11", &o, &given), APP_PARSED);
    SUCCEEDS(app_options_restore(given, saved, "c"));
    check(o.count == 11 && o.deep && o.share == .1 && o.inner.weight == 2, "not what was saved");
    app_options_destroy(&given);

    static const struct {
        const char *line, *says;
    } others[] = {{"a -k 12", "--count 12: the checkpoint \"c\" has 11; leave --count out"},
                  {"a --way slow", "--way slow: the checkpoint \"c\" has \"fast\""},
                  {"a --weight 3", "--weight 3"},
                  {"a --order up --share .2", "--share .2"}};
    for (size_t i = 0; i < COUNT(others); i++) {
        CU_ASSERT_EQUAL(parse(others[i].line, &o, &given), APP_PARSED);
        check(app_options_restore(given, saved, "c") == HALO_ARGUMENT, "%s", others[i].line);
        check(strstr(halo_last_message(), others[i].says) != NULL, "%s: %s", others[i].line,
              halo_last_message());
        app_options_destroy(&given);
    }
    CU_ASSERT_EQUAL(parse("a", &o, &given), APP_PARSED);
    json_object_set_new(saved, "count", json_integer(70000));
    CU_ASSERT_EQUAL(app_options_restore(given, saved, "c"), HALO_FORMAT);
    json_object_set_new(saved, "count", json_string("many"));
    CU_ASSERT_EQUAL(app_options_restore(given, saved, "c"), HALO_FORMAT);
    json_object_del(saved, "count");
    CU_ASSERT_EQUAL(app_options_restore(given, saved, "c"), HALO_FORMAT);
    app_options_destroy(&given);
    json_decref(saved);
}

/* ---- numbers that may be missing --------------------------------------------------------------
 */

typedef struct {
    halo_optional_integer reach;
    halo_optional_real level, part;
} optional_options;

#define OPTIONAL_ROW(option, kind, member)                   \
    HALO_OPTION_ROW(optional_options, option, kind, member), \
        .flags = APP_SAVED | HALO_OPTION_OPTIONAL

static const halo_option optional_rows[] = {
    {OPTIONAL_ROW("reach", INTEGER, reach), .max = 9, .word = "any", .help = "How far"},
    {OPTIONAL_ROW("level", REAL, level), .min = -5, .max = 5, .help = "How high"},
    {OPTIONAL_ROW("part", SHARE, part), .help = "How much"},
    {.type = HALO_OPTION_END}};
static const halo_option *const optional_tables[] = {optional_rows, NULL};
static const app_syntax optional_syntax = {
    .name = "try", .tables = optional_tables, .bytes = sizeof(optional_options)};

static app_verdict parse_optional(const char *word, optional_options *into, app_options **given)
{
    static char program[] = "try", text[TEXT];
    char *argv[] = {program, text, NULL};
    snprintf(text, sizeof text, "%s", word);
    return app_options_parse(given, &optional_syntax, "try", *word != '\0' ? 2 : 1, argv, false,
                             into);
}

/* A number that is 0 differs from none, in JSON and in what a checkpoint restores. */
TEST("numbers that are not given")
{
    static const struct {
        const char *word, *echo;
        bool reach, level, part;
    } cases[] = {
        {"", "{\"reach\":null,\"level\":null,\"part\":null}", false, false, false},
        {"--reach=0", "{\"reach\":0,\"level\":null,\"part\":null}", true, false, false},
        {"--reach=any", "{\"reach\":0,\"level\":null,\"part\":null}", true, false, false},
        {"--level=0", "{\"reach\":null,\"level\":0.0,\"part\":null}", false, true, false},
        {"--part=25%", "{\"reach\":null,\"level\":null,\"part\":0.25}", false, false, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t k = 0; k < COUNT(cases); k++) {
            optional_options first, o;
            app_options *before, *given;
            json_t *saved = json_object();
            CU_ASSERT_EQUAL(parse_optional(cases[i].word, &first, &before), APP_PARSED);
            char *echo = echo_of(before);
            check(strcmp(echo, cases[i].echo) == 0, "%s: %s", cases[i].word, echo);
            check(first.reach.given == cases[i].reach && first.level.given == cases[i].level &&
                      first.part.given == cases[i].part,
                  "%s: which are given?", cases[i].word);
            CU_ASSERT_TRUE(app_options_save(before, saved));
            CU_ASSERT_EQUAL(parse_optional(cases[k].word, &o, &given), APP_PARSED);
            bool same = *cases[k].word == '\0' || strcmp(cases[i].echo, cases[k].echo) == 0;
            halo_status status = app_options_restore(given, saved, "c");
            check(status == (same ? HALO_OK : HALO_ARGUMENT), "%s after %s: %d", cases[k].word,
                  cases[i].word, (int)status);
            check(!same ||
                      (o.reach.given == first.reach.given && o.level.given == first.level.given &&
                       o.part.given == first.part.given && o.part.value == first.part.value),
                  "%s after %s: not what was saved", cases[k].word, cases[i].word);
            free(echo);
            json_decref(saved);
            app_options_destroy(&given);
            app_options_destroy(&before);
        }
    }
    optional_options o;
    app_options *given;
    CU_ASSERT_EQUAL(parse_optional("--reach=10", &o, &given), APP_REFUSED);
    app_options_destroy(&given);
    json_t *forged = json_pack("{s:i, s:n, s:n}", "reach", 10, "level", "part");
    CU_ASSERT_EQUAL(parse_optional("", &o, &given), APP_PARSED);
    CU_ASSERT_EQUAL(app_options_restore(given, forged, "c"), HALO_FORMAT);
    app_options_destroy(&given);
    json_decref(forged);
}

/* The example of base/option.h. */
typedef struct {
    double kept;
    int64_t seed;
    bool deep;
    const char *word;
    halo_optional_integer reach;
} plate_options;

static const halo_option plate_rows[] = {
    {HALO_OPTION_ROW(plate_options, "kept", REAL, kept), .max = 1, .standard = ".5"},
    {HALO_OPTION_ROW(plate_options, "seed", INTEGER, seed), .min = -3, .max = 9},
    {HALO_OPTION_ROW(plate_options, "deep", FLAG, deep)},
    {HALO_OPTION_ROW(plate_options, "word", TEXT, word)},
    {HALO_OPTION_ROW(plate_options, "reach", INTEGER, reach), .flags = HALO_OPTION_OPTIONAL},
    {0}};

TEST("options by name and value as text")
{
    static const char whose[] = "kernel plate";
    plate_options plate = {.seed = 7};
    SUCCEEDS(halo_options_set_defaults(plate_rows, &plate));
    CU_ASSERT_TRUE(NEAR(plate.kept, .5, 0) && plate.seed == 7 && !plate.reach.given);
    SUCCEEDS(halo_options_set(plate_rows, &plate, whose, "seed", "-3"));
    SUCCEEDS(halo_options_set(plate_rows, &plate, whose, "reach", "0"));
    CU_ASSERT_TRUE(plate.seed == -3 && plate.reach.given && plate.reach.value == 0);
    FAILS(HALO_ARGUMENT, "kernel plate: seed takes a whole number from -3 to 9, not \"10\"",
          halo_options_set(plate_rows, &plate, whose, "seed", "10"));
    FAILS(HALO_ARGUMENT, "kernel plate has no option 'sed'; it has kept, seed, deep, word, reach",
          halo_options_set(plate_rows, &plate, whose, "sed", "1"));
    FAILS(HALO_ARGUMENT, "deep takes true or false",
          halo_options_set(plate_rows, &plate, whose, "deep", "yes"));
    char text[] = "deep,word=a=b,kept=1e-1";
    SUCCEEDS(halo_options_read(plate_rows, &plate, whose, text));
    CU_ASSERT_TRUE(plate.deep && strcmp(plate.word, "a=b") == 0 && NEAR(plate.kept, .1, 0));
    SUCCEEDS(halo_options_set(plate_rows, &plate, whose, "deep", "false"));
    CU_ASSERT_FALSE(plate.deep);
    char wrong[] = "seed=1,,seed=2", alone[] = "-2";
    FAILS(HALO_ARGUMENT, "no option ''", halo_options_read(plate_rows, &plate, whose, wrong));
    const halo_option one[] = {plate_rows[1], {0}};
    SUCCEEDS(halo_options_read(one, &plate, whose, alone));
    CU_ASSERT_EQUAL(plate.seed, -2);
    FAILS(HALO_ARGUMENT, "it has none", halo_options_set(NULL, &plate, whose, "seed", "1"));
}

TEST("sizes")
{
    static const struct {
        const char *text, *behind;
        int count;
        int64_t n[3];
    } cases[] = {{"640x480", "", 2, {640, 480}}, {"7", "", 1, {7}},     {"1x2x3", "", 3, {1, 2, 3}},
                 {"5x6:1%", ":1%", 2, {5, 6}},   {"", NULL, 0, {0}},    {"5x", NULL, 0, {0}},
                 {"x5", NULL, 0, {0}},           {"0x5", NULL, 0, {0}}, {"5x1000", NULL, 0, {0}},
                 {"1x2x3x4", NULL, 0, {0}},      {"5xx6", NULL, 0, {0}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = cases[i].text;
        int64_t n[3] = {0};
        bool good = app_scan_sizes(&text, 999, 3, n) == cases[i].count;
        for (int a = 0; a < cases[i].count; a++) {
            good = good && n[a] == cases[i].n[a];
        }
        check(good && (cases[i].behind == NULL || strcmp(text, cases[i].behind) == 0), "%s",
              cases[i].text);
    }
}

static void expect_text(size_t row, const char *value, const char *text)
{
    char found[APP_VALUE_SIZE];
    char *help = app_option_text(&rows[row]);
    app_option_value(&rows[row], found);
    check(strcmp(found, value) == 0, "%s: value \"%s\"", rows[row].name, found);
    check(help != NULL && strcmp(help, text) == 0, "%s: \"%s\"", rows[row].name, help);
    free(help);
}

TEST("the help")
{
    expect_text(2, "N", "How many (default: 7)");
    expect_text(3, "auto|N", "How deep (default: auto)");
    expect_text(4, "SHARE", "How much");
    expect_text(5, "", "Whether");
    expect_text(6, "fast|slow", "Which way (default: fast)");
    expect_text(8, "FILE.png|.npy", "Where to");
}
