#!/usr/bin/env python3
"""Prints the current or next event of a Kalends calendar as JSON, as sensors of home automation poll.

    python3 poller.py https://calendar.example.org --once

    {"state": "next", "id": 10, "title": "Choir rehearsal", "start": "2031-03-04T18:30:00Z",
     "end": "2031-03-04T20:30:00Z", "venue": "Parish hall", "url": "https://calendar.example.org/event/..."}

`state` is `current`, `next`, or `none` when nothing is coming up. Canceled and postponed events are left out. Further
parameters of the list narrow it down: `--filter categories=music --filter venue=12`. Without `--once` it polls every minute and prints a
line whenever something changes.

A file (--store) keeps the ETag and the last events between runs. An unchanged calendar answers 304 without a body; when the
server is away, the last events are used, and `"stale": true` says so, with the reason on standard error. After a Retry-After no request is sent until
that time has passed, in later runs neither. Only the standard library of Python 3.9 or newer is needed.
"""

import argparse
import datetime
import email.utils
import html
import http.client
import json
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ASKED = [
    ("ends_after", "now"),
    ("strict_dates", "true"),
    ("event_status", "scheduled,rescheduled,moved_online"),
    # The first few, because the server may be away when the first of them has ended.
    ("per_page", "20"),
    ("_fields", "events.id,events.url,events.title,events.utc_start_date,events.utc_end_date,events.venue.venue"),
]


def poll(site, filters, store):
    """Brings the store up to date, if the server may be asked by now."""
    if time.time() < store.get("not_before", 0):
        return
    url = f"{site.rstrip('/')}/cal/events/v1/events?{urllib.parse.urlencode([*ASKED, *filters])}"
    request = urllib.request.Request(url, headers={"User-Agent": "kalends-poller"})
    # The tag belongs to this address: with another one everything is read again.
    if "etag" in store and store.get("url") == url:
        request.add_header("If-None-Match", store["etag"])
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            store.update(url=url, etag=response.headers["ETag"], events=json.load(response)["events"], stale=False)
    except urllib.error.HTTPError as error:
        store["not_before"] = time.time() + seconds_until(error.headers.get("Retry-After", "0"))
        store["stale"] = error.code != 304
        if error.code != 304:
            print(f"{site}: {error}", file=sys.stderr)
    except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
        store["stale"] = True
        print(f"{site}: {error!r}", file=sys.stderr)


def seconds_until(retry_after):
    """Retry-After is in seconds, or a date."""
    if retry_after.isdigit():
        return int(retry_after)
    return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()


def state_of(store):
    """What to print of the events that are stored."""
    now = datetime.datetime.now(datetime.timezone.utc)
    stale = {"stale": True} if store.get("stale") else {}
    for event in store.get("events", []):
        start, end = (moment(event[f"utc_{name}_date"]) for name in ("start", "end"))
        if end <= now:
            continue
        return {
            "state": "current" if start <= now else "next",
            "id": event["id"],
            "title": html.unescape(event["title"]),
            "start": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "end": end.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "venue": html.unescape(venue_of(event)),
            "url": event["url"],
            **stale,
        }
    return {"state": "none", **stale}


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=datetime.timezone.utc)


def venue_of(event):
    """An event has one venue, several, or an empty list."""
    venue = event.get("venue") or {}
    return (venue[0] if isinstance(venue, list) else venue).get("venue", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", help="address of the calendar")
    parser.add_argument("--once", action="store_true", help="print the event and end")
    parser.add_argument("--interval", type=float, default=60, help="seconds between polls (60)")
    parser.add_argument("--store", type=pathlib.Path, default=pathlib.Path("poller.json"), help="file (poller.json)")
    parser.add_argument("--filter", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    options = parser.parse_args()
    filters = [tuple(one.split("=", 1)) for one in options.filter]
    store = json.loads(options.store.read_text("utf-8")) if options.store.exists() else {}
    printed = None
    while True:
        poll(options.site, filters, store)
        draft = options.store.with_name(options.store.name + ".new")
        draft.write_text(json.dumps(store), "utf-8")
        draft.replace(options.store)
        state = state_of(store)
        if state != printed:
            print(json.dumps(state, ensure_ascii=False), flush=True)
            printed = state
        if options.once:
            return 0
        time.sleep(options.interval)


if __name__ == "__main__":
    sys.exit(main())
