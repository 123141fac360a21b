import type { z } from 'zod'
import type { FIELDS } from '../schemas.ts'

/** Fields of an event as arguments; null clears. */
export type EventArguments = {
  readonly [Name in keyof typeof FIELDS]?: z.infer<(typeof FIELDS)[Name]> | null | undefined
} & Readonly<Partial<Record<'title' | 'start' | 'end' | 'status', string | undefined>>>

/** Arguments by the fields that stand for them in the API. */
export const ARGUMENTS = {
  ...{ start_date: 'start', end_date: 'end', organizer: 'organizers' },
  ...{ is_virtual: 'online', virtual_url: 'online', virtual_type: 'online' },
}

/** The body of a write; what was not sent is not in it. */
export function bodyOf(args: EventArguments): Readonly<Record<string, unknown>> {
  const { start, end, venue, organizers, online, ...same } = args
  const body = {
    ...same,
    ...{ start_date: start, end_date: end },
    venue: typeof venue === 'object' && venue !== null ? [linked('venue', venue)] : venue,
    organizer: organizers?.map((one) => (typeof one === 'object' ? linked('organizer', one) : one)) ?? organizers,
    ...(online !== undefined && attendanceOf(online)),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

function linked(key: 'venue' | 'organizer', { name, ...others }: { readonly name: string }) {
  return { [key]: name, ...others }
}

function attendanceOf(online: NonNullable<EventArguments['online']> | null) {
  if (online === null) return { is_virtual: false, virtual_url: null, virtual_type: null }
  return { is_virtual: true, virtual_url: online.url, virtual_type: online.type }
}

/** The value of `If-Match` for the version of an event, whose quotes may be missing. */
export function ifMatchOf(version: string): Readonly<Record<'if-match', string>> {
  return { 'if-match': `"${version.replaceAll('"', '')}"` }
}
