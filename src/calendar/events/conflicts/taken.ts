/** A time at a venue, from its start up to its end, which is free again; UTC text `YYYY-MM-DD HH:MM:SS`. */
export interface VenueTime {
  /** Identifier of the event, or of the date of a recurring one. */
  readonly id: number
  readonly venue: number
  readonly start: string
  readonly end: string
}

/** A time that overlaps another one at the same venue. */
export interface Overlap<Asked extends VenueTime, Taken extends VenueTime> {
  readonly asked: Asked
  readonly taken: Taken
}

/** Whether two times have a second in common; one without length overlaps those that it lies within. */
function areOverlapping(one: VenueTime, other: VenueTime): boolean {
  return one.venue === other.venue && one.start < other.end && other.start < one.end
}

/**
 * The times that overlap those asked for, by the start of these: at most `limit`, as there may be the product of both.
 * Times of both are passed once in order, and only those that have not ended are compared.
 */
export function overlapsOf<Asked extends VenueTime, Taken extends VenueTime>(
  asked: readonly Asked[],
  taken: readonly Taken[],
  limit: number,
): Overlap<Asked, Taken>[] {
  const waiting = taken.toSorted(byStart)
  const found: Overlap<Asked, Taken>[] = []
  let open: Taken[] = []
  let next = 0
  for (const one of asked.toSorted(byStart)) {
    for (let other = waiting[next]; other !== undefined && other.start < one.end; other = waiting[next]) {
      open.push(other)
      next += 1
    }
    // What is asked later starts no earlier.
    open = open.filter((other) => other.end > one.start)
    for (const other of open) {
      if (!areOverlapping(one, other)) continue
      if (found.length >= limit) return found
      found.push({ asked: one, taken: other })
    }
  }
  return found
}

function byStart(one: VenueTime, other: VenueTime): number {
  return one.start < other.start ? -1 : Number(one.start > other.start)
}

/**
 * Times of one event that overlap each other at the same venue, by their start; pairs of which none is among `fresh` do not
 * count. Each of these overlaps one that starts no later, which is not always among them. `[]` for none.
 */
export function ownOverlaps<Time extends VenueTime>(times: readonly Time[], fresh: ReadonlySet<Time>): Time[] {
  const found: Time[] = []
  for (const atVenue of Map.groupBy(times, ({ venue }) => venue).values()) {
    let [busyUntil, freshUntil] = ['', '']
    for (const one of atVenue.toSorted((a, b) => byStart(a, b) || (a.end < b.end ? -1 : Number(a.end > b.end)))) {
      if (one.start < (fresh.has(one) ? busyUntil : freshUntil)) found.push(one)
      if (one.end > busyUntil) busyUntil = one.end
      if (fresh.has(one) && one.end > freshUntil) freshUntil = one.end
    }
  }
  return found.sort(byStart)
}
