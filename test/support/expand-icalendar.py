"""Expands iCalendar files with engines that are not ours, for test/icalendar-engines.nightly.test.ts.

Reads a JSON list of {"text", "from", "to"} (days) from standard input and writes for each what two engines make of it:
"rules" by python-dateutil, which reads the rules, and the zones as the file defines them; "calendar" by
recurring-ical-events, which knows zones by their names. Each is a sorted list of [UID, start, end], times in UTC and whole
days as they are, or the text of an error. The second engine gives one date a day only.
"""

import datetime
import io
import json
import sys

import icalendar
import recurring_ical_events
from dateutil import rrule, tz

UTC = datetime.timezone.utc


def told(value):
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(UTC)
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return value.isoformat()


def by_calendar(text, begin, end):
    found = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(begin, end)
    return [[str(one["UID"]), told(one["DTSTART"].dt), told(end_of(one))] for one in found]


def end_of(event):
    if "DTEND" in event:
        return event["DTEND"].dt
    start = event["DTSTART"].dt
    return start + event["DURATION"].dt if "DURATION" in event else start


class Clock:
    """The clock that a property names, as the file defines it."""

    def __init__(self, zones, prop):
        self.zone = prop.params.get("TZID")
        self.tzinfo = zones.get(self.zone) if self.zone else None

    def utc(self, value):
        """UTC of a naive reading; days and readings in UTC as they are."""
        if not isinstance(value, datetime.datetime) or self.tzinfo is None:
            return value
        offset, before = (self.offset(value - datetime.timedelta(days)) for days in (0, 1))
        # What the clock skips counts from before that. dateutil's own test for it fails in the hours after other changes.
        skipped = offset > before and self.offset(value - (offset - before)) == before
        return value - (before if skipped else offset)

    def offset(self, value):
        return value.replace(tzinfo=self.tzinfo).utcoffset()

    def local(self, value):
        """The naive reading of a value that is in UTC or on this clock; of a day its first second."""
        if not isinstance(value, datetime.datetime):
            return datetime.datetime.combine(value, datetime.time())
        if value.tzinfo is UTC or str(value.tzinfo) == "UTC":
            return value.astimezone(self.tzinfo).replace(tzinfo=None) if self.tzinfo else value.replace(tzinfo=None)
        return value.replace(tzinfo=None)


def listed(event, name):
    props = event.get(name, [])
    return [one.dt for prop in (props if isinstance(props, list) else [props]) for one in prop.dts]


def starts_of(event, clock, end):
    first = clock.local(event["DTSTART"].dt)
    dates = rrule.rruleset()
    dates.rdate(first)
    if "RRULE" in event:
        rule = event["RRULE"]
        parts = {name: value for name, value in rule.items() if name != "UNTIL"}
        text = icalendar.vRecur(parts).to_ical().decode()
        until = [clock.local(one) for one in rule.get("UNTIL", [])]
        dates.rrule(rrule.rrulestr(text, dtstart=first).replace(until=until[0]) if until else rrule.rrulestr(text, dtstart=first))
    for one in listed(event, "RDATE"):
        dates.rdate(clock.local(one))
    for one in listed(event, "EXDATE"):
        dates.exdate(clock.local(one))
    for start in dates:
        if start >= end:
            return
        yield start


def by_rules(text, begin, end):
    zones = {}
    if "BEGIN:VTIMEZONE" in text:
        plain = text.replace("\r\n ", "")
        defined = tz.tzical(io.StringIO("".join(part + "END:VTIMEZONE\r\n" for part in zone_parts(plain))))
        zones = {name: defined.get(name) for name in defined.keys()}
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    own = {}
    for event in events:
        if "RECURRENCE-ID" in event:
            prop = event["RECURRENCE-ID"]
            own[(str(event["UID"]), Clock(zones, prop).local(prop.dt))] = event
    found = []
    for event in events:
        uid, prop = str(event["UID"]), event["DTSTART"]
        clock = Clock(zones, prop)
        isDay = not isinstance(prop.dt, datetime.datetime)
        length = clock_length(zones, event)
        if "RECURRENCE-ID" in event:
            found.append([uid, *span(clock, clock.local(prop.dt), length, isDay)])
            continue
        for start in starts_of(event, clock, datetime.datetime.combine(end, datetime.time())):
            if (uid, start) not in own:
                found.append([uid, *span(clock, start, length, isDay)])
    return [one for one in found if begin.isoformat() <= one[1] < end.isoformat()]


def zone_parts(text):
    return [part[part.index("BEGIN:VTIMEZONE") :] for part in text.split("END:VTIMEZONE\r\n") if "BEGIN:VTIMEZONE" in part]


def clock_length(zones, event):
    """The exact length of the first date (RFC 5545 section 3.8.5.3)."""
    if "DTEND" not in event:
        return event["DURATION"].dt if "DURATION" in event else datetime.timedelta()
    start, end = event["DTSTART"], event["DTEND"]
    one, other = Clock(zones, start), Clock(zones, end)
    return other.utc(end.dt.replace(tzinfo=None) if hasattr(end.dt, "hour") else end.dt) - one.utc(
        start.dt.replace(tzinfo=None) if hasattr(start.dt, "hour") else start.dt
    )


def span(clock, start, length, isDay):
    if isDay:
        return told(start.date()), told(start.date() + length)
    begin = clock.utc(start)
    return told(begin), told(begin + length)


def outcome(engine, file):
    try:
        return sorted(engine(file["text"], *(datetime.date.fromisoformat(file[name]) for name in ("from", "to"))))
    except Exception as error:  # What it cannot read is what the test is about.
        return repr(error)


json.dump(
    [{"rules": outcome(by_rules, file), "calendar": outcome(by_calendar, file)} for file in json.load(sys.stdin)],
    sys.stdout,
)
