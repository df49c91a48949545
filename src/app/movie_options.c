#include "app/movie_options.h"

const app_option app_movie_rows[] = {{.name = "movie",
                                      .type = APP_OUTPUT,
                                      .offset = offsetof(movie_arguments, path),
                                      .choices = ".gif|.mp4|.png|.apng",
                                      .help = "The beats as a movie (needs ffmpeg)"},
                                     {.name = "every",
                                      .type = APP_INTEGER,
                                      .offset = offsetof(movie_arguments, every),
                                      .min = 1,
                                      .unit = "beats",
                                      .needs = "movie",
                                      .help = "Take a picture every N beats",
                                      .unless = "as often as makes at most 600"},
                                     {.name = "fps",
                                      .type = APP_INTEGER,
                                      .offset = offsetof(movie_arguments, frames_per_second),
                                      .min = 1,
                                      .max = 60,
                                      .unit = "pictures per second",
                                      .needs = "movie",
                                      .help = "Pictures per second of the movie",
                                      .unless = "25"},
                                     {.type = APP_END}};

schedule_event movie_event(const movie_arguments *arguments, int64_t beats)
{
    return (schedule_event){.every = arguments->path == NULL ? 0
                                     : arguments->every > 0  ? arguments->every
                                                             : schedule_pictures_every(beats),
                            .begin = SCHEDULE_ALWAYS,
                            .end = true};
}
