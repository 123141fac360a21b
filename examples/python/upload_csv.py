#!/usr/bin/env python3
"""Creates and updates events of a Kalends calendar from a CSV file.

    pip install requests
    KALENDS_TOKEN=kal_... python3 upload_csv.py https://calendar.example.org events.csv

The column `ref` names a row and never changes. All other columns are fields of events as the API has them: title,
start_date, end_date, all_day, timezone, venue, organizer, categories, tags, description, cost, website, status ...
Cells of `categories`, `tags` and `organizer` separate names by `;`. The token needs the scopes `events:write` and
`terms:write`.

What was sent is stored beside the file, in events.csv.json: a second run sends only cells that have changed, and nothing
if none has. Before a request is sent, its Idempotency-Key is stored there, too. Whatever happens, the next run repeats a
request without an answer with the same key, so that no event is created twice (keys work for a day).

Updates have If-Match: what somebody has changed in the calendar since, in the columns of the file, is reported and left
alone. Rows that are removed from the file stay events. The exit code is 1 if a row was not uploaded.
"""

import argparse
import csv
import email.utils
import json
import os
import pathlib
import random
import sys
import time
import uuid

import requests

TRIES = 5
LONGEST_WAIT = 60  # seconds


class Refused(Exception):
    """The server has refused a row; the text says why."""


class Calendar:
    """Sends requests until there is an answer."""

    def __init__(self, site, token):
        self.events = f"{site.rstrip('/')}/cal/events/v1/events"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def ask(self, method, path="", **request):
        """The response; RequestException without one. Writes may be repeated like reads: each has an Idempotency-Key."""
        for attempt in range(TRIES):
            wait = random.uniform(0, 0.5 * 2**attempt)
            is_last = attempt == TRIES - 1
            try:
                response = self.session.request(method, self.events + path, timeout=30, **request)
                wait = max(wait, seconds_until(response.headers.get("Retry-After", "0")))
                if not is_temporary(response):
                    return response
                if is_last or wait > LONGEST_WAIT:
                    raise requests.HTTPError(f"status {response.status_code}")
            except (requests.ConnectionError, requests.Timeout):
                if is_last:
                    raise
            time.sleep(wait)


def seconds_until(retry_after):
    """Retry-After is in seconds, or a date."""
    if retry_after.isdigit():
        return int(retry_after)
    return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()


def is_temporary(response):
    in_progress = response.status_code == 409 and response.json().get("code") == "idempotency_in_progress"
    return in_progress or response.status_code == 429 or response.status_code >= 500


class Store:
    """What was sent of each row, in a file that is replaced as a whole."""

    def __init__(self, path, site):
        self.path = path
        self.sites = json.loads(path.read_text("utf-8")) if path.exists() else {}
        self.rows = self.sites.setdefault(site, {})

    def save(self):
        draft = self.path.with_name(self.path.name + ".new")
        draft.write_text(json.dumps(self.sites, indent=1), "utf-8")
        draft.replace(self.path)


def upload(calendar, store, cells):
    """Uploads a row: what was done with it. Raises Refused."""
    row = store.rows.setdefault(cells.pop("ref"), {})
    if "pending" in row:
        finish(calendar, store, row)
    known = row.get("cells", {})
    body = {name: value_of(name, text) for name, text in cells.items() if known.get(name, "") != text}
    if not body:
        return "unchanged"
    path = f"/{row['id']}" if "id" in row else ""
    row["pending"] = {"key": str(uuid.uuid4()), "path": path, "body": body, "cells": cells, "etag": row.get("etag")}
    store.save()
    finish(calendar, store, row)
    return "updated" if path else "created"


def value_of(name, text):
    names = [part.strip() for part in text.split(";") if part.strip()]
    if name in ("categories", "tags"):
        return names
    if name == "organizer":
        return [{"organizer": one} for one in names]
    if name == "venue" and text:
        return {"venue": text}
    return text or None


def finish(calendar, store, row):
    """Sends what is pending, and stores what came of it. Raises Refused."""
    pending = row["pending"]
    response = send(calendar, pending)
    if response.status_code == 412 and is_same(calendar, row):
        pending.update(key=str(uuid.uuid4()), etag=row["etag"])
        store.save()
        response = send(calendar, pending)
    if response.ok:
        event = response.json()
        row.update(id=event["id"], etag=response.headers["ETag"], cells=pending["cells"])
        row["seen"] = seen(event, row["cells"])
    del row["pending"]
    store.save()
    if response.status_code == 412:
        raise Refused("somebody has changed this event in the calendar")
    if not response.ok:
        problem = response.json()
        details = problem.get("data", {}).get("params", {}).values()
        raise Refused("; ".join([f"{response.status_code} {problem.get('message', '')}", *details]))


def send(calendar, pending):
    headers = {"Idempotency-Key": pending["key"]}
    if pending["etag"]:
        headers["If-Match"] = pending["etag"]
    return calendar.ask("POST", pending["path"], json=pending["body"], headers=headers)


def is_same(calendar, row):
    """Whether an event that has changed is still what was sent, in the columns of the file; its ETag is stored then."""
    response = calendar.ask("GET", f"/{row['id']}")
    if not response.ok or seen(response.json(), row["cells"]) != row["seen"]:
        return False
    row["etag"] = response.headers["ETag"]
    return True


def seen(event, cells):
    """The columns of the file as an event has them; of venues, organizers and terms their IDs."""
    return {name: ids_of(event.get(name)) for name in cells}


def ids_of(value):
    if isinstance(value, dict):
        return value.get("id")
    return [ids_of(one) for one in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", help="address of the calendar")
    parser.add_argument("file", type=pathlib.Path, help="CSV file in UTF-8, with a line of column names")
    options = parser.parse_args()
    if "KALENDS_TOKEN" not in os.environ:
        parser.error("set the variable KALENDS_TOKEN")
    calendar = Calendar(options.site, os.environ["KALENDS_TOKEN"])
    store = Store(options.file.with_name(options.file.name + ".json"), options.site)
    refused = 0
    with options.file.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, restval="")
        if "ref" not in (rows.fieldnames or []):
            parser.error("the first line of the file needs the column ref; columns are separated by commas")
        for cells in rows:
            ref = cells["ref"]
            try:
                print(f"{ref}: {upload(calendar, store, cells)}")
            except Refused as problem:
                refused += 1
                print(f"{ref}: {problem}", file=sys.stderr)
            except requests.RequestException as problem:
                print(f"{ref}: no answer, run this again later ({problem})", file=sys.stderr)
                return 1
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
