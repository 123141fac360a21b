import { plainText } from '../../../base/text/html.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import { areValuesOf, missingFields, readFields } from '../../../http/params.ts'
import type { AnyRoute } from '../../../http/route.ts'
import { type AnyField, field } from '../../../model/kinds/field.ts'
import type { FieldContext } from '../../../model/kinds/kind.ts'
import { html, slug } from '../../../model/kinds/text.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import { type Images, withChosenImage } from '../image.ts'
import type { Scheduled } from '../schedule.ts'
import type { AnyLinkedFilter } from './filters.ts'
import type { InlineReading, LinkedLookup } from './lookup.ts'
import { presentLinked } from './present.ts'
import { type LinkedQueries, linkedQueries } from './queries.ts'
import type { LinkedRoom } from './room.ts'
import { linkedRoutes } from './routes.ts'
import type { LinkedDeps } from './routes-write.ts'
import type { LinkedContent, LinkedDraft, LinkedRow } from './row.ts'
import { conflictsOf, draftOf } from './rules.ts'
import { findRow } from './store.ts'
import { type Accepted, checkInline, publishDue, publishPending, saveLinked } from './write.ts'

/** What events take and the interface does not of venues and organizers. */
const WIDER_FIELDS = [
  field('slug', slug, 'api.slugItem'),
  field('excerpt', html, 'api.summaryAsHtml', { cleared: '' }),
] as const

/** An open module for linked items. */
export interface OpenLinked<Content extends LinkedContent> {
  readonly routes: readonly AnyRoute[]
  /** The same routes, whose writes take slugs and excerpts as well, as those of events do. */
  readonly widerRoutes: readonly AnyRoute[]
  /** What the events module uses. */
  readonly lookup: LinkedLookup<LinkedRow<Content>, LinkedDraft<Content>>
  /** Its items for other forms than that of the interface, whose lists may have further filters. */
  queries(further?: readonly AnyLinkedFilter[]): LinkedQueries<Content>
  /** What waits for its publication date. */
  readonly schedule: Scheduled
  /** Publishes those of these items that wait for review. */
  publishPending(tx: Transaction, ids: readonly number[], when: Accepted): Promise<void>
}

/** Opens a module of linked items. */
export function openLinked<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  deps: LinkedDeps,
): OpenLinked<Content> {
  const { storage } = deps
  return {
    routes: linkedRoutes(room, deps),
    widerRoutes: linkedRoutes({ ...room, writeFields: [...room.writeFields, ...WIDER_FIELDS] }, deps),
    lookup: lookupOf(room, deps),
    queries: (further) => linkedQueries(room, deps, further),
    publishPending: (tx, ids, when) => publishPending(tx, room, { ids, ...when }),
    schedule: { publishDue: (at) => storage.write((tx) => publishDue(tx, room, at)) },
  }
}

function lookupOf<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  { site, pictures }: LinkedDeps,
): LinkedLookup<LinkedRow<Content>, LinkedDraft<Content>> {
  return {
    byIds: async (reader, ids) => {
      const rows = ids.length === 0 ? [] : await room.rows(reader, ids)
      return new Map(rows.map((row) => [row.id, row]))
    },
    find: (reader, selector) => findRow(reader, room, selector),
    present: (row, showing) => presentLinked(room, row, showing),
    readInline: (reader, data, call) => readInline({ room, reader, pictures }, data, call),
    saveInline: async (tx, draft, cause) => {
      const asked = { draft, cause, zone: site.zone, ...(cause.fetched && { fetched: cause.fetched }) }
      await checkInline(tx, room, asked)
      return saveLinked(tx, room, asked)
    },
  }
}

interface InlineReader<WriteFields extends readonly AnyField[], Content extends LinkedContent> {
  readonly room: LinkedRoom<WriteFields, Content>
  readonly reader: Reader
  readonly pictures: Images
}

async function readInline<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  { room, reader, pictures }: InlineReader<WriteFields, Content>,
  data: Readonly<Record<string, unknown>>,
  { caller, context }: { readonly caller: Caller; readonly context: FieldContext },
): Promise<InlineReading<LinkedDraft<Content>>> {
  if (missingFields(room.writeFields, data).length > 0) return { ok: false, problem: 'refused' }
  const { values, refusals } = readFields(room.writeFields, { sent: data, context, fillsDefaults: true })
  const name = data[room.key]
  const isBlank = refusals.length > 0 && typeof name === 'string' && plainText(name) === ''
  if (refusals.some((one) => one.name !== room.key || !isBlank)) return { ok: false, problem: 'refused' }
  if (isBlank) return { ok: false, problem: 'blank' }
  if (!areValuesOf(room.writeFields, values)) return { ok: false, problem: 'refused' }
  const { entry, content } = draftOf(room, values, data)
  const { image } = entry
  const choosing = { values: entry, row: undefined, caller, pictures }
  const chosen = image === undefined ? entry : await withChosenImage(reader, { image, ...choosing })
  if (chosen === 'refused' || conflictsOf(room, content, undefined).length > 0) return { ok: false, problem: 'refused' }
  return { ok: true, draft: { entry: chosen, content }, image: chosen.image }
}
