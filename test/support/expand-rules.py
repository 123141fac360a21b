"""Dates of recurrences as python-dateutil reads them.

Reads JSON from standard input: [{id, near, tzid, rrule, rdate?, exdate?}], `near` and dates as local times (20270104T100000) or
days (20270104). Writes the same with `dtstart`, the first date of the rule from `near` on, `expected`, the first 50 dates as
{local, utc}, days without `utc`, and `count_total` for rules that end.
"""

import json
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rruleset, rrulestr

MOST = 50
TIME, DAY = "%Y%m%dT%H%M%S", "%Y%m%d"


def read(text):
    return datetime.strptime(text, TIME if "T" in text else DAY)


def expanded(one):
    is_day = "T" not in one["near"]
    start = next(iter(rrulestr(one["rrule"], dtstart=read(one["near"]))))
    dates = rruleset()
    dates.rrule(rrulestr(one["rrule"], dtstart=start))
    for text in one.get("rdate", []):
        dates.rdate(read(text))
    for text in one.get("exdate", []):
        dates.exdate(read(text))
    ends = "COUNT=" in one["rrule"] or "UNTIL=" in one["rrule"]
    found = []
    total = 0
    for date in dates:
        total += 1
        if total <= MOST:
            found.append(date)
        elif not ends:
            break
    zone = ZoneInfo(one["tzid"])

    def shown(date):
        if is_day:
            return {"local": date.strftime(DAY)}
        utc = date.replace(tzinfo=zone).astimezone(timezone.utc)
        return {"local": date.strftime(TIME), "utc": f"{utc.strftime(TIME)}Z"}

    result = {**one, "dtstart": start.strftime(DAY if is_day else TIME), "expected": [shown(date) for date in found]}
    return {**result, "count_total": total} if ends else result


json.dump([expanded(one) for one in json.load(sys.stdin)], sys.stdout)
