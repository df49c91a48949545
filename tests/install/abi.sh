#!/usr/bin/env bash
# Programs that were built with the last release run with these libraries: abi.py compares the two. Without a release,
# a tag v1.0 or later, it compares with nothing but what abi.py must find; HALOBEAT_ABI_SINCE names another commit.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
has abidiff abigail-tools 'what a program built earlier would notice' || exit 77
here=$(cd "$(dirname "$0")" && pwd)

sizes='#define halo_x(...)                                       \
    halo_x_sized(__VA_ARGS__, sizeof(halo_x_options), \
                 sizeof(halo_x_report))
static inline halo_v_report halo_v(void)
{
    halo_v_report v;
    halo_v_sized(&v, sizeof(halo_v_report));
    return v;
}'
# library FOLDER TYPES FUNCTIONS: with one header, and debug information.
library() {
    mkdir -p "$work/$1"
    printf '%s\n' "$2" "$sizes" >"$work/$1/sample.h"
    printf '#include "sample.h"\n%s\n' "$3" >"$work/$1/sample.c"
    "$CC" -g -shared -fPIC "$work/$1/sample.c" -o "$work/$1/libhalobeat-sample.so"
}
sized='typedef struct { int a; } halo_x_options;
typedef struct { int r; } halo_x_report;
typedef struct { int v; } halo_v_report;
void halo_v_sized(halo_v_report *v, unsigned long n);'
fixed='typedef struct { int a; } halo_fixed;'
functions='typedef struct { int inner; } secret;
int halo_x_sized(const halo_x_options *o, halo_x_report *r, unsigned long n, unsigned long m)
{ r->r = (int)m; return (int)o->a + (int)n; }
void halo_v_sized(halo_v_report *v, unsigned long n) { v->v = (int)n; }
int halo_y(int a) { return a; }
int halo_z(halo_fixed *f, void *s) { return f->a + ((secret *)s)->inner; }'
choices='typedef enum { ONE, TWO, SOME_KINDS } halo_choice;'
table='extern const int *const halo_table;'
rows='static const int rows[] = {1, 2}; const int *const halo_table = rows;'
functions="$functions $rows"
functions+=' int halo_u(halo_choice c) { return c; }'
library old "$choices $sized $fixed $table" "$functions"
# changed HOW TYPES FUNCTIONS EXPECTED WORDS
changed() {
    local status=0
    library "$1" "$2" "$3"
    what="a library that is $1"
    "$python" "$here/abi.py" "$work/old" "$work/$1" "$work/old" "$work/$1" >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "status $status" [ "$status" = "$4" ]
    holds "it is not said" grep -q -e "$5" "$work/stdout"
}
changed longer-table "$choices $sized $fixed $table" "${functions/1, 2/1, 2, 3}" 0 ' 0 changes'
changed of-more-choices "${choices/TWO,/TWO, THREE,} $sized $fixed $table" "$functions" 0 ' 0 changes'
changed of-turned-choices "${choices/ONE, TWO/TWO, ONE} $sized $fixed $table" "$functions" 1 'halo_choice'
changed of-choices-between "${choices/TWO/HALF, TWO} $sized $fixed $table" "$functions" 1 'TWO'
new='int halo_new(void) { return 1; }'
changed equal "$choices $sized $fixed $table" "$functions" 0 ' 0 changes'
changed larger "$choices ${sized/a;/a, b;} $fixed $table" "$functions $new" 0 ' 0 changes'
changed of-larger-reports "$choices ${sized/int r;/int r, s;} $fixed $table" "$functions" 0 ' 0 changes'
changed of-larger-returned-reports "$choices ${sized/int v;/int v, w;} $fixed $table" "$functions" 0 ' 0 changes'
changed of-turned-reports "$choices ${sized/int v;/int w, v;} $fixed $table" "$functions" 1 'offset 0'
changed other-inside "$choices $sized $fixed $table" "${functions/int inner/long more, inner}" 0 ' 0 changes'
changed turned "$choices ${sized/a;/b, a;} $fixed $table" "$functions" 1 'offset 0'
changed widened "$choices ${sized/int/long} $fixed $table" "$functions" 1 "'long int'"
changed shorter "$choices $sized $fixed $table" "${functions/int halo_y(int a)/static int unused(int a)}" 1 'halo_y'
changed retyped "$choices $sized $fixed $table" "${functions/halo_y(int/halo_y(long}" 1 'halo_y'
changed of-named-structures "$choices $sized ${fixed/struct/struct halo_fixed} $table" "$functions" 0 ' 0 changes'
changed grown "$choices $sized ${fixed/a;/a, b;} $table" "$functions" 1 'halo_fixed'

since=${HALOBEAT_ABI_SINCE:-$(git -C "$SOURCE" describe --tags --abbrev=0 --match 'v[1-9]*' HEAD^ 2>/dev/null || true)}
if [ -z "$since" ]; then
    echo 'not compared with a release: this history has no tag v1.0.0 or later before its last commit'
elif more; then # it builds both
    # build TREE OUT: shared libraries with debug information, and the headers.
    build() {
        "$CMAKE" -S "$1" -B "$2" -G "$GENERATOR" -D CMAKE_BUILD_TYPE=None -D CMAKE_C_FLAGS='-g -O1' \
            -D BUILD_TESTING=OFF -D CMAKE_C_COMPILER="$CC" &&
            "$CMAKE" --build "$2" &&
            "$CMAKE" --install "$2" --prefix "$2/prefix"
    }
    mkdir "$work/tree"
    git -C "$SOURCE" archive "$since" | tar -x -C "$work/tree"
    what="libraries since $since"
    holds 'the earlier ones cannot be built' build "$work/tree" "$work/before" >"$work/log" 2>"$work/stderr"
    holds 'they cannot be built' build "$SOURCE" "$work/now" >"$work/log" 2>"$work/stderr"
    folder() { dirname "$(find "$work/$1/prefix" -name libhalobeat-app.so)"; }
    holds 'they have changed' "$python" "$here/abi.py" "$(folder before)" "$(folder now)" \
        "$work"/{before,now}/prefix/include/halobeat >"$work/stderr"
    cat "$work/stderr"
fi
finish
