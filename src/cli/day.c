/*
 * The one date that enters: --now, else SOURCE_DATE_EPOCH, else today.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/day.h"

enum { YEAR = 10000, MONTH = 100, TM_YEAR = 1900 };

int64_t gp_day_of(time_t moment) {
    struct tm parts;
    if (gmtime_r(&moment, &parts) == NULL)
        return 0;
    return (int64_t)(parts.tm_year + TM_YEAR) * YEAR + (int64_t)(parts.tm_mon + 1) * MONTH +
           parts.tm_mday;
}

int64_t gp_day_parse(const char *text) {
    static const char form[] = "dddd-dd-dd";
    int64_t day = 0;
    if (strlen(text) != sizeof form - 1)
        return 0;
    for (size_t i = 0; form[i] != '\0'; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == 'd' ? !digit : text[i] != form[i])
            return 0;
        day = digit ? day * 10 + (text[i] - '0') : day;
    }
    const int64_t last = gp_days_in_month(day / YEAR, day / MONTH % MONTH);
    return day % MONTH >= 1 && day % MONTH <= last ? day : 0;
}

int64_t gp_day_find(gp_cli *cli) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const char *now = cli->settings.now;
    int64_t day = now == NULL ? 0 : gp_day_parse(now);
    char *end = NULL;
    if (now != NULL && day == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --now 2027-03-31",
                         "--now %s: expected a date", now);
    if (day > 0)
        return day;
    if (epoch == NULL || *epoch == '\0')
        return gp_day_of(time(NULL));
    long long seconds = strtoll(epoch, &end, 10);
    day = *end == '\0' && seconds >= 0 ? gp_day_of((time_t)seconds) : 0;
    if (day == 0)
        gp_complain(cli, GP_EXIT_USAGE, "SOURCE_DATE_EPOCH=%s: not a number of seconds since 1970",
                    epoch);
    return day;
}

const char *gp_day_text(gp_arena *arena, int64_t day) {
    return gp_arena_printf(arena, "%04d-%02d-%02d", (int)(day / YEAR), (int)(day / MONTH % MONTH),
                           (int)(day % MONTH));
}
