import type { Dice } from './dice.ts'

/** Values that a client in order would send, by what their names say. */
const SOUND: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [
    /^(start_date|starts_.*|date|date_utc|after|modified_after)$/,
    ['2027-03-01 10:00:00', '2026-12-24', 'today', 1803891600],
  ],
  [/^(end_date|ends_.*|before|modified_before)$/, ['2027-03-01 12:00:00', '2027-12-24 23:00', '2027-03-02T01:00:00Z']],
  [/^(title|venue|organizer|name)$/, ['Fair', 'Harbour fair', 'Jazz & "Blues"', 'Fête <b>x</b>', 'fair']],
  [/^(description|excerpt|content)$/, ['One\n\ntwo', '<p>x <b>y</b></p>', '<ul><li>a<li>b', '']],
  [/^(slug)$/, ['fair', 'fair-2', 'jazz-blues', 'new-slug']],
  [/^status$/, ['publish', 'draft', 'pending', 'private', 'future', 'trash', 'any']],
  [/^(timezone)$/, ['Europe/Berlin', 'UTC', 'America/New_York', 'UTC+5:30']],
  [/^(website|url)$/, ['https://a.example/?x=1&y=2', 'http://b.example', '']],
  [/^image$/, ['', false, 7]],
  [/^author$/, [1, 2, '3']],
  [/^email$/, ['a@b.example', 'ö@ü.example']],
  [/^(categories|tags)$/, ['c1', ['c2', 't3'], [], 1, 'new & old']],
  [/^(include|exclude|post|event)$/, [1, 2, 5, '3,4', [1, 2]]],
  [/^(parent|post_parent)$/, [0, 0, '', 1, 2, 4]],
  [/^id$/, [1, 2, 3]],
  [/^(page|per_page|offset)$/, [1, 2, 10, 50, 1000]],
  [/^(geo.*)$/, [52.5, 13.4, -33.9, '10']],
  [/^(search)$/, ['fair', 'jazz -blues', '"harbour fair"', 'é']],
  [/^(order|orderby)$/, ['asc', 'desc', 'name', 'id', 'count']],
  [/^cost$/, ['5', '£5-£9', 'free', 0, 7.5, '1,000.50']],
  [/^tickets$/, [[{ name: 'Seat', price: '5', currency: 'EUR' }], []]],
  [/^password$/, ['open', 'sesame', null]],
]

/** Links of an event, which share their names with the names of venues and organizers. */
const LINKS = [[], 1, '2,5', { id: 1 }, { venue: 'Hall', organizer: 'Club' }, [{ venue: 'Pier', organizer: 'Crew' }]]

const FLAGS = [true, false, 'true', '0', 'yes', 1]

/** A value that the declared name and type allow, most of the time. */
export function soundValue(dice: Dice, name: string, type: unknown): unknown {
  if (type === 'boolean') return dice.pick(FLAGS)
  if (type === 'array' && /^(venue|organizer)$/.test(name)) return dice.pick(LINKS)
  const known = SOUND.find(([names]) => names.test(name))?.[1]
  if (known !== undefined) return dice.pick(known)
  if (type === 'integer' || type === 'number') return dice.below(60)
  return dice.pick(['word', '12 Main Street', '+1 555 0100', 'Berlin', 'true'])
}
