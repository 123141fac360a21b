import zoneLetters from './zone-letters.json' with { type: 'json' }

/** Letters by offset (seconds ahead of UTC), valid before a wall clock reading; `''` for no end. */
interface Era {
  readonly until: string
  readonly letters: ReadonlyMap<number, string>
}

let erasByZone: ReadonlyMap<string, readonly Era[]> | undefined

/**
 * The letters shown in a place of the tz database at a wall clock reading with a known offset in seconds: `EST`,
 * `CEST`, `JST`, or the offset itself (`+0545`, `-03`) where the tz database has no letters. Days of local mean time,
 * with seconds in their offset, give `LMT`. (wire: events 1.1 row 27)
 */
export function placeLetters(zone: string, local: string, offset: number): string {
  if (offset % 60 !== 0) return 'LMT'
  erasByZone ??= readTables()
  const eras = erasByZone.get(zone.toLowerCase()) ?? []
  const era = eras.find(({ until }) => until === '' || local < until)
  if (era === undefined) return numericLetters(offset)
  // A runtime with older rules than the table may give an offset the era lacks; a neighboring era then knows it.
  const known = [era, ...eras].find(({ letters }) => letters.has(offset))
  return known?.letters.get(offset) || numericLetters(offset)
}

/** An offset in seconds as the tz database shows it: `+0545`, `-03`, `+00`. */
function numericLetters(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  const rest = minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hours}${rest}`
}

/** Reads `'ACST+9:30 HST-10'`: letters with their offset in seconds, in the order of the text; `''` for an offset alone. */
export function readLetters(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [, letters = '', sign, hours, minutes = '0'] of text.matchAll(/([A-Za-z]*)([+-])(\d+)(?::(\d+))?/g)) {
    const seconds = Number(hours) * 3600 + Number(minutes) * 60
    found.set(letters, sign === '-' ? 0 - seconds : seconds)
  }
  return found
}

/**
 * The table has the letters by offset (`'CET+1 CEST+2'`) and the zones that have shown them: `now` by the rules of today,
 * `earlier` up to a wall clock reading. Source: tz database, release 2026c, the FORMAT column compiled by zic, 1970 to
 * 2037. An offset alone (`EET+2 +3`) has no letters; zones that never had letters are absent.
 */
function readTables(): ReadonlyMap<string, readonly Era[]> {
  const eras = new Map<string, Era[]>()
  const rows = [...zoneLetters.earlier, ...zoneLetters.now.map((entry) => ({ ...entry, until: '' }))]
  for (const { until, letters, zones } of rows) {
    const era = { until, letters: byOffset(letters) }
    for (const zone of zones.toLowerCase().split(' ')) eras.set(zone, [...(eras.get(zone) ?? []), era])
  }
  return eras
}

/** Not through readLetters: one entry may have the same letters at two offsets (`MSK+3 MSK+4`, `+3 +4`). */
function byOffset(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const item of text.split(' ')) for (const [letters, offset] of readLetters(item)) found.set(offset, letters)
  return found
}
