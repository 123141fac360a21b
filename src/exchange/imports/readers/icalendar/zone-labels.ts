import { isZone } from '../../../../base/time/zones.ts'
import windows from './windows-zones.json' with { type: 'json' }
import labels from './zone-labels.json' with { type: 'json' }

/**
 * Zones of the tz database by other names, in small letters: those of Windows and Exchange, where no country is named
 * (source: windowsZones of the Unicode CLDR), and those that their users see, unless a place of the tz database is called so.
 */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries({ ...windows, ...labels }))

/** Where places of the tz database are; `US/Hawaii` is one of its names as well. */
const AREAS = [
  'Europe',
  'America',
  'Asia',
  'Africa',
  'Australia',
  'Pacific',
  'Atlantic',
  'Indian',
  'US',
  'Canada',
] as const

/** Characters of a label that are read. */
const LONGEST = 200

/** An offset at the start of a label, in brackets or not: `(UTC+01:00)`, `GMT-5`, `+0530`. */
const OFFSET = /^\(?(?:(?:UTC|GMT) ?(?:([+-]) ?(\d\d?)(?:[:.]?(\d\d))?)?|([+-]\d\d):?(\d\d))(?:\)|(?![\w+-]))/i

/**
 * The zone that a label stands for: a name of the tz database, also at the end of a path or with blanks, one of Windows, or
 * what Windows shows, such as `(UTC+01:00) Amsterdam, Berlin`. An offset counts only if nothing else stands there, since
 * it does not say when clocks change. Undefined for any other label.
 */
export function zoneCalled(label: string): string | undefined {
  const text = label
    .slice(0, LONGEST)
    .trim()
    .replace(/["\\]/g, '')
    .replace(/^tzone:\/\/microsoft\//i, '')
  const named = known(text)
  if (named !== undefined) return named
  const [whole = '', sign, hours, minutes = '00', signedHours, otherMinutes] = OFFSET.exec(text) ?? []
  const name = text.slice(whole.length).trim()
  if (name !== '') return known(name) ?? known(name.replace(/[\s(]+\d+\)?$/, '')) ?? firstPlace(name)
  if (whole === '') return undefined
  if (signedHours !== undefined) return offsetZone(signedHours, otherMinutes)
  return hours === undefined ? 'UTC' : offsetZone(`${sign}${hours.padStart(2, '0')}`, minutes)
}

function offsetZone(hours: string, minutes: string | undefined): string | undefined {
  const zone = `UTC${hours}:${minutes}`
  return isZone(zone) ? zone : undefined
}

function known(text: string): string | undefined {
  // `EST5EDT` and offsets are zones here, but `1` or `-3` of some programs are none.
  if (/^[A-Za-z]/.test(text) && isZone(text)) return /^utc$/i.test(text) ? 'UTC' : text
  const name = text.toLowerCase().replace(/^coordinated universal time/, 'utc')
  const short = name.replace(/ \(.*\)$/, '').replace(/(?: standard| daylight| summer)? time$/, '')
  const windows = NAMES.get(name) ?? NAMES.get(short)
  if (windows !== undefined) return windows
  const blankless = text.replaceAll(' ', '_')
  const parts = blankless.split('/')
  const ends = [3, 2].filter((count) => count < parts.length).map((count) => parts.slice(-count).join('/'))
  const dashed = /^[A-Za-z]+-[A-Za-z]/.test(text) ? [blankless.replace('-', '/')] : []
  return [blankless, ...dashed, ...ends].find((one) => /^[A-Za-z]/.test(one) && isZone(one))
}

/** The zone of the first place that is known in a list of places. */
function firstPlace(name: string): string | undefined {
  for (const part of name.split(/[,/;:]|\s-\s/)) {
    const place = part.replace(/\(.*\)| (?:islands?|is\.)\s*$/gi, '').trim()
    const zone = known(place) ?? AREAS.map((area) => `${area}/${place.replaceAll(' ', '_')}`).find(isZone)
    if (zone !== undefined) return zone
  }
  return undefined
}
