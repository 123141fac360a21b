import { address, flag, id, integer, list, moment, named, object, text, word } from '../../http/openapi/parts.ts'

const AT = '2027-04-17 09:30:00'

const TOLD = object('Something of an event', {
  what: text('What it is about', 'Regatta'),
  why: text('What became of it', 'title was changed here and stays'),
})

const count = (description: string) => integer(description, 0, { minimum: 0 })

const REPORT = object('What the last visit that brought a file did', {
  created: count('Events that were new'),
  updated: count('Events that were changed'),
  unchanged: count('Events that were as they are'),
  trashed: count('Events that went to the trash because the source has them no longer'),
  skipped: list('What was left out', TOLD),
  kept: list('What was changed here and stays', TOLD),
})

/** A source as responses show it. */
export const SOURCE = named(
  'Source',
  object('A calendar elsewhere that is followed; moments are in UTC', {
    id: id('Identifier of the source', 1),
    name: text('Name of the source', 'Rowing club'),
    url: address('Address of its iCalendar file', 'https://rowers.example/diary.ics'),
    every: integer('Seconds between two visits, at least', 3600, { minimum: 300 }),
    status: word('Status of events that are new', ['publish', 'pending', 'draft', 'private']),
    categories: list('Names of categories that every event gets', text('A name', 'Water sports')),
    timezone: text('Zone of times that are of none; empty for that of the calendar', 'Europe/Berlin'),
    paused: flag('Whether it is not visited'),
    next_visit: moment('When it is due', AT),
    last_visit: { ...moment('When it was visited last', AT), type: ['string', 'null'] },
    last_success: { ...moment('When a visit last succeeded', AT), type: ['string', 'null'] },
    failures: count('Visits in a row that failed'),
    problem: text('Why the last one failed; empty when it did not', 'the server answered 503'),
    report: { ...REPORT, type: ['object', 'null'] },
    events: count('Events that it brought and still has'),
    visiting: flag('Whether it is being visited now'),
    modified_at: moment('When it was last changed, in UTC', AT),
  }),
)

/** The sources. */
export const SOURCES = named(
  'Sources',
  object('All sources', { sources: list('By identifier', { $ref: '#/components/schemas/Source' }) }),
  [SOURCE],
)

/** The visits of a source. */
export const VISITS = named(
  'SourceVisits',
  object('The last visits of a source', {
    visits: list(
      'Newest first',
      object('Visits in a row that came to the same; the numbers are those of one', {
        first_at: moment('When the first of them was', AT),
        last_at: moment('When the last of them was', AT),
        times: integer('How many they were', 1, { minimum: 1 }),
        outcome: word('What they came to', ['changed', 'unchanged', 'failed']),
        created: count('Events that were new'),
        updated: count('Events that were changed'),
        unchanged: count('Events that were as they are'),
        trashed: count('Events that went to the trash because the source has them no longer'),
        skipped: count('What was left out, up to 100'),
        kept: count('What was changed here and stays, up to 100'),
        problem: text('Why they failed; empty when they did not', 'the server answered 503'),
      }),
    ),
  }),
)
