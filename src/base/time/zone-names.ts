import { readLetters } from './abbreviations.ts'

/** What a zone text names: a place of the tz database, or an offset (seconds ahead of UTC) that never changes. */
export type ZoneName =
  | { readonly kind: 'place'; readonly resolved: string }
  | { readonly kind: 'fixed'; readonly offset: number; readonly letters: string }

const LOWEST_MINUTES = -12 * 60
const HIGHEST_MINUTES = 14 * 60

/**
 * Letters that stand for an offset. Source: the abbreviations of the tz database (files
 * northamerica, europe, africa, asia, australasia). Where several regions share letters (BST, CST, IST, AST, PST), the
 * reading is the one most people would mean. CET, EET, MET and WET are left out: these are places of the tz database.
 */
const LETTERS = new Map(
  [
    ...readLetters(
      'Z+0 EST-5 EDT-4 CST-6 CDT-5 MST-7 MDT-6 PST-8 PDT-7 AKST-9 AKDT-8 HST-10 HDT-9 AST-4 ADT-3 NST-3:30 NDT-2:30 ' +
        'SST-11 ChST+10 BST+1 WEST+1 CEST+2 MEST+2 EEST+3 MSK+3 WAT+1 CAT+2 SAST+2 EAT+3 IDT+3 PKT+5 IST+5:30 WIB+7 ' +
        'WITA+8 WIT+9 HKT+8 SGT+8 KST+9 JST+9 AWST+8 ACST+9:30 ACDT+10:30 AEST+10 AEDT+11 NZST+12 NZDT+13',
    ),
  ].map(([letters, offset]) => [letters.toUpperCase(), { letters, offset }]),
)

/** Letters the runtime takes for places although the tz database has none of them (leavings of old Java). */
const NOT_PLACES = /^(?:ACT|AET|AGT|ART|BET|CNT|CTT|ECT|IET|MIT|NET|PLT|PNT|PRT|VST|SystemV\/.*)$/i

/**
 * Reads a zone text: a place of the tz database in any letter case, letters such as `EST`, `Z`, `UTC+5.5`,
 * `UTC+5:30`, `GMT+3`, `+05:30`, `-0300`, all between -12 and +14 hours. `undefined` for everything else, among it
 * `utc+3`, `UTC+`, `UTC+99`, `UTC+0530` and `''` (wire: events 4.1).
 */
export function readZoneName(text: string): ZoneName | undefined {
  if (text.length < 1 || text.length > 64) return undefined
  const letters = LETTERS.get(text.toUpperCase())
  if (letters) return { kind: 'fixed', ...letters }
  const named = readUtcName(text) ?? readOffset(text)
  if (named) return named
  // The runtime would also take offsets, in forms and ranges of its own.
  if (!/^[A-Za-z]/.test(text) || NOT_PLACES.test(text)) return undefined
  const resolved = resolveZone(text)
  if (resolved !== undefined) return { kind: 'place', resolved }
  return readGmtName(text)
}

/** Whether the clock of a zone always shows UTC, whatever the zone is called: `UTC`, `GMT`, `UTC+0`, `Z`. */
export function isLikeUtc(zone: string): boolean {
  const named = readZoneName(zone)
  return named?.kind === 'fixed' ? named.offset === 0 : named?.resolved === 'UTC'
}

/** `UTC+3`, `UTC-3`, `UTC+5.5`, `UTC+5:30`: the letters shown are the text itself. */
function readUtcName(text: string): ZoneName | undefined {
  const match = /^UTC([+-])(\d{1,2})(?:\.(0|00|25|5|50|75)|:([0-5]\d))?$/.exec(text)
  if (!match) return undefined
  const [, sign, hours, fraction, minutes] = match
  const part = fraction === undefined ? Number(minutes ?? 0) : Number(`0.${fraction}`) * 60
  return fixed(signed(sign, Number(hours) * 60 + part), text)
}

/** `+05:30`, `-0300`, `+05`: shown as `+05:30`. */
function readOffset(text: string): ZoneName | undefined {
  const match = /^([+-])(\d\d)(?::?([0-5]\d))?$/.exec(text)
  if (!match) return undefined
  const [, sign, hours, minutes = '00'] = match
  return fixed(signed(sign, Number(hours) * 60 + Number(minutes)), `${sign}${hours}:${minutes}`)
}

/** `GMT+3`, `GMT+0300`, `GMT-3:30`: three hours ahead for `GMT+3` (not so `Etc/GMT+3`), shown as `GMT+0300`. */
function readGmtName(text: string): ZoneName | undefined {
  const match = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text)
  if (!match) return undefined
  const [, sign, hours = '', minutes = '00'] = match
  return fixed(signed(sign, Number(hours) * 60 + Number(minutes)), `GMT${sign}${hours.padStart(2, '0')}${minutes}`)
}

function signed(sign: string | undefined, minutes: number): number {
  return sign === '-' ? 0 - minutes : minutes
}

function fixed(minutes: number, letters: string): ZoneName | undefined {
  if (minutes < LOWEST_MINUTES || minutes > HIGHEST_MINUTES) return undefined
  return { kind: 'fixed', offset: minutes * 60, letters }
}

/**
 * The name under which the runtime keeps a zone (`Europe/Kyiv` and `europe/kiev` are one), `undefined` for names the
 * tz database lacks.
 */
export function resolveZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
