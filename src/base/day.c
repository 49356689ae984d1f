/* Days of the calendar: their number, and as they are written. */
#include "base/day.h"

#include <stdbool.h>

int64_t gp_days_of(int64_t year, int64_t month, int64_t day) {
    static const int64_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    static const int64_t days_before_1970 = 719162;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const int64_t past = year - 1;
    const int64_t days = past * 365 + past / 4 - past / 100 + past / 400;
    return days - days_before_1970 + before[month - 1] + (leap && month > 2 ? 1 : 0) + day - 1;
}
