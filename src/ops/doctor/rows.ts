import type { Reader } from '../../storage/engine.ts'
import { type Finding, finding, namesFrom } from './finding.ts'
import { orphans } from './references.ts'

const ENTRIES = ['event', 'venue', 'organizer'] as const
const TERMS = ['category', 'tag'] as const

/** Resources whose every change is in the journal. */
const RECORDED = [...ENTRIES, ...TERMS, 'media'] as const

/** Faults in data that people entered, of which there is no other copy: they are reported and never changed. */
export async function examineRows(reader: Reader): Promise<Finding[]> {
  return [
    finding('integrity', await damage(reader)),
    finding('foreign keys', await orphans(reader)),
    finding('journal', await gaps(reader)),
    finding('journal and rows', await strays(reader)),
    finding('identifiers', await unregistered(reader)),
    finding('slugs', await slugs(reader)),
    finding('dates of series', await dates(reader)),
    finding('former slugs', await formerSlugs(reader)),
    finding('webhooks', await forgottenDeliveries(reader)),
  ]
}

/** SQLite looks into every page; PostgreSQL has no such question, but knows of indexes that could not be built. */
async function damage(reader: Reader): Promise<string[]> {
  if (reader.engine === 'postgres')
    return namesFrom(reader, 'select indexrelid::regclass::text as name from pg_index where not indisvalid')
  const said = await namesFrom(reader, 'select integrity_check as name from pragma_integrity_check')
  return said.filter((line) => line !== 'ok')
}

async function gaps(reader: Reader): Promise<string[]> {
  const [row] = await namesFrom(
    reader,
    `select case when count(*) = coalesce(max(seq), 0) and coalesce(max(seq), 0) = (select seq from journal_head)
      then '' else 'has ' || count(*) || ' entries up to ' || coalesce(max(seq), 0) || ', its head is at '
        || coalesce((select max(seq) from journal_head), 0) end as name from journal`,
  )
  return row === '' || row === undefined ? [] : [row]
}

async function strays(reader: Reader): Promise<string[]> {
  const found: string[] = []
  for (const table of RECORDED) {
    found.push(
      ...(await namesFrom(
        reader,
        `with last as (select id, max(seq) as seq from journal where resource = '${table}' group by id)
        select '${table} ' || journal.id as name from last inner join journal on journal.seq = last.seq
          left join ${table} as kept on kept.id = journal.id
          where (journal.action = 'delete') <> (kept.id is null) or kept.revision <> journal.revision
        union all select '${table} ' || id from ${table} where id not in (select id from last)`,
      )),
    )
  }
  return found
}

async function unregistered(reader: Reader): Promise<string[]> {
  const kinds = [...ENTRIES, 'media', 'ticket'].map(
    (table) => `select '${table} ' || id as name from ${table}
      where not exists (select 1 from entry where entry.id = ${table}.id and entry.kind = '${table}')`,
  )
  const terms = TERMS.map(
    (table) => `select '${table} ' || id as name from ${table}
      where not exists (select 1 from term where term.id = ${table}.id and term.taxonomy = '${table}')`,
  )
  const tickets = `select 'tickets of event ' || id as name from event where tickets is not null and exception is null
    and not exists (select 1 from ticket where ticket.event_id = event.id)`
  return namesFrom(reader, [...kinds, ...terms, tickets].join(' union all '))
}

/** Dates without an identifier or the row that they name, and exceptions that no date names. */
function dates(reader: Reader): Promise<string[]> {
  return namesFrom(
    reader,
    `select 'date ' || id as name from series_date
      where not exists (select 1 from entry where entry.id = series_date.id and entry.kind in ('event', 'occurrence'))
        or not exists (select 1 from event where event.id = series_id and event.recurrence is not null)
        or (exception_id is not null and not exists (select 1 from event where event.id = exception_id))
    union all select 'event ' || event.id from event where event.exception is not null
      and not exists (select 1 from series_date where series_date.exception_id = event.id)
    union all select 'event ' || event.id from event where event.recurrence is not null
      and not exists (select 1 from series_date where series_date.id = event.id)`,
  )
}

/** Former slugs of what is no event and no date, and without a slug. */
function formerSlugs(reader: Reader): Promise<string[]> {
  return namesFrom(
    reader,
    `select 'entry ' || entry_id as name from former_slug
      where slug = '' or (not exists (select 1 from event where event.id = entry_id)
        and not exists (select 1 from series_date where series_date.id = entry_id))`,
  )
}

/** Messages to webhooks that wait for nothing, and would never be sent. */
function forgottenDeliveries(reader: Reader): Promise<string[]> {
  return namesFrom(
    reader,
    `select 'delivery ' || waiting.id as name from webhook_delivery as waiting
      where waiting.state = 'pending' and waiting.next_at is null and not exists (
        select 1 from webhook_delivery as other where other.state = 'pending' and other.next_at is not null
          and other.webhook_id = waiting.webhook_id and other.resource = waiting.resource
          and other.item_id = waiting.item_id)`,
  )
}

async function slugs(reader: Reader): Promise<string[]> {
  const entries = ENTRIES.map(
    (table) => `select '${table} ' || id as name from ${table}
      where slug = '' or (status = 'trash') <> (trashed_from is not null)`,
  )
  const terms = TERMS.map((table) => `select '${table} ' || id as name from ${table} where slug = ''`)
  return namesFrom(reader, [...entries, ...terms].join(' union all '))
}
