import { storedJson } from '../../base/text/stored-json.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import { line, rawLine } from './lines.ts'

/** What an imported event was known by, and the properties that were kept of it. */
interface Origin {
  /** UID; undefined where it is ours. */
  readonly uid: string | undefined
  /** Properties that have no place here, as they were written; `[]` for none. */
  readonly lines: readonly string[]
}

/** What an imported event was known by, and the properties that were kept of it, see `planEvent`; of a date, those of its event. */
export function originOf({ extra }: Pick<EventWithRelations['row'], 'extra'>): Origin {
  const kept = extra === null ? undefined : storedJson<Readonly<Record<string, unknown>>>(extra)['icalendar']
  if (typeof kept !== 'object' || kept === null) return { uid: undefined, lines: [] }
  const { uid, lines } = kept as { readonly uid?: unknown; readonly lines?: unknown }
  // Other imports may contain a member of this name.
  const texts = Array.isArray(lines) ? lines.filter((one) => typeof one === 'string') : []
  return { uid: typeof uid === 'string' && uid !== '' ? uid : undefined, lines: texts }
}

/** Properties that stand at their own places where they were kept, in the order of these; all others follow. */
export const PLACED_KEPT: readonly string[] = ['STATUS', 'CONFERENCE', 'CLASS', 'TRANSP']

/** The complete line of a property that was kept; undefined where none was. */
export function keptOf(name: string, lines: readonly string[]): string | undefined {
  const found = lines.find((kept) => kept.startsWith(`${name}:`) || kept.startsWith(`${name};`))
  return found === undefined ? undefined : rawLine(found) || undefined
}

/** The value of a property of one word that was kept, in capitals; '' where none was. */
export function keptWord(name: string, lines: readonly string[]): string {
  const [, word = ''] = /:\s*([\w-]+)\s*$/.exec(keptOf(name, lines) ?? '') ?? []
  return word.toUpperCase()
}

/** The complete lines of what else was kept and does not stand among the written lines already. */
export function furtherLines(written: string, lines: readonly string[]): string {
  const isPlaced = (kept: string): boolean => PLACED_KEPT.includes(kept.split(/[;:]/, 1)[0] ?? '')
  // The name of a program for meetings stood in for a place.
  const isReplaced = (kept: string): boolean => /^LOCATION[;:]/.test(kept) && written.includes('\r\nLOCATION')
  const others = lines.filter((kept) => !isPlaced(kept) && !isReplaced(kept)).map(rawLine)
  return others.filter((one) => !written.includes(`\r\n${one}`)).join('')
}

/**
 * Where people take part. What an import has kept of that is written as it was, but the first web address only while it
 * is that of the event.
 */
export function conferenceLines(
  { virtual_url }: Pick<EventWithRelations['row'], 'virtual_url'>,
  kept: readonly string[],
): string[] {
  const own = virtual_url === '' ? '' : new URL(virtual_url).href
  const lines = kept.filter((one) => /^CONFERENCE[;:]/.test(one))
  const addresses = lines.map((one) => URL.parse(/^(?:[^":]|"[^"]*")*:(.*)$/s.exec(one)?.[1] ?? ''))
  const first = addresses.findIndex((one) => one !== null && /^https?:$/.test(one.protocol))
  const isOwn = first >= 0 && addresses[first]?.href === own
  const others = isOwn ? lines : lines.filter((_one, index) => index !== first)
  return [...(isOwn || own === '' ? [] : [line('CONFERENCE;VALUE=URI', own)]), ...others.map(rawLine)]
}
