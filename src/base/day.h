/* The calendar. */
#ifndef GP_BASE_DAY_H
#define GP_BASE_DAY_H

#include <stdint.h>

/* Days from 1970-01-01 to a date of the Gregorian calendar, month 1 to 12. */
int64_t gp_days_of(int64_t year, int64_t month, int64_t day);
/* Days of a month; 0: there is no such month. */
int64_t gp_days_in_month(int64_t year, int64_t month);

#endif
