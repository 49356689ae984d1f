/* Days of the calendar: their number, and as they are written. */
#include "base/day.h"

#include <stdbool.h>

static bool is_leap(int64_t year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int64_t gp_days_in_month(int64_t year, int64_t month) {
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month < 1 || month > 12 ? 0 : days[month - 1] + (is_leap(year) && month == 2);
}

int64_t gp_days_of(int64_t year, int64_t month, int64_t day) {
    static const int64_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    static const int64_t days_before_1970 = 719162;
    const int64_t past = year - 1;
    const int64_t days = past * 365 + past / 4 - past / 100 + past / 400;
    return days - days_before_1970 + before[month - 1] + (is_leap(year) && month > 2 ? 1 : 0) +
           day - 1;
}
