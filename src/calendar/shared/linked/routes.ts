import { type ErrorCode, fail } from '../../../base/errors.ts'
import { plainText } from '../../../base/text/html.ts'
import { type Caller, mayCreateEntries, mayDelete, mayEdit, mayRead, maySetAuthor } from '../../../http/auth/rights.ts'
import { listReply, pagingOf } from '../../../http/paging.ts'
import { type Intent, resourceRoutes } from '../../../http/resource.ts'
import type { AnyRoute, Call, InvalidParam, Reply } from '../../../http/route.ts'
import type { AnyField, ValuesOf } from '../../../model/kinds/field.ts'
import { RESOURCES } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import { lineagesOf } from '../../../storage/entry-texts.ts'
import { inLinkOrder, linkParameters } from '../filters.ts'
import { FORCE_FIELD, withForceOnDelete } from '../force.ts'
import { withChosenImage } from '../image.ts'
import { statusLink } from '../listing.ts'
import { mayAskStatus } from '../publication.ts'
import { imagesOf } from '../stored-image.ts'
import type { Viewer } from '../viewer.ts'
import { type LinkedListValues, type LinkedQuery, linkedListFields } from './filters.ts'
import { presentLinked } from './present.ts'
import { freshnessOfItem, type LinkedQueries, linkedQueries } from './queries.ts'
import type { LinkedRoom } from './room.ts'
import { type LinkedDeps, linkedWrites, versionOf } from './routes-write.ts'
import type { LinkedContent, LinkedDraft, LinkedRow } from './row.ts'
import { conflictsOf, draftOf } from './rules.ts'
import { findRow } from './store.ts'

type ListValues = LinkedListValues

/** The routes of a linked resource (interface: Venues, Organizers). */
export function linkedRoutes<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  deps: LinkedDeps,
): AnyRoute[] {
  const { storage } = deps
  const responses = responsesOf(room, deps)
  const routes = resourceRoutes({
    resource: room.key,
    schema: room.schema,
    about: room.about,
    bySlug: true,
    listFields: linkedListFields(room.filters),
    writeFields: room.writeFields,
    itemFields: [FORCE_FIELD] as const,
    errors: {
      list: [room.errors.pastEnd],
      create: [room.errors.notCreated],
      read: [room.errors.notAccessible],
      update: [],
      remove: [room.errors.inTrash],
    },
    find: (selector) => findRow(storage, room, selector),
    mayWrite: mayCreateEntries,
    resolveList: (call, _item, refusals) => responses.queries.resolveList(call, refusals),
    list: (call, _item, query) => responses.list(call, query),
    shown: (call, row: LinkedRow<Content>) => responses.shown(call, row, false),
    resolve: (call, row, refusals) => resolveDraft(room, deps, { call, row, refusals }),
    permit: (call, intent) => permit(room, call, intent),
    ...linkedWrites(room, deps, responses.written),
    read: async (call, row) => {
      const freshness = freshnessOfItem(room.key, row)
      return { status: 200, body: await responses.shown(call, row, true), freshness, version: versionOf(room.key, row) }
    },
  })
  return withForceOnDelete(routes)
}

interface Responses<Content extends LinkedContent> {
  readonly queries: LinkedQueries<Content>
  shown(call: Call<unknown>, row: LinkedRow<Content>, withJsonLd: boolean): Promise<Readonly<Record<string, unknown>>>
  /** The response to a write, with what its validators are made of. */
  written(reader: Reader, call: Call<unknown>, row: LinkedRow<Content>): Promise<Reply>
  list(call: Call<ListValues>, query: LinkedQuery): Promise<Reply>
}

function responsesOf<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  { storage, site }: LinkedDeps,
): Responses<Content> {
  const viewerOf = ({ caller, urls }: Call<unknown>): Viewer => ({ caller, urls, site })
  const showing = async (reader: Reader, call: Call<unknown>, row: LinkedRow<Content>) => {
    const lineages = await lineagesOf(reader, [row.id])
    const picture = (await imagesOf(reader, [row])).get(row.id)
    return { viewer: viewerOf(call), lineage: lineages.get(row.id), picture }
  }
  const inOrder = inLinkOrder(room.filters)
  const queries = linkedQueries(room, { storage, site })
  return {
    queries,
    shown: async (call, row, withJsonLd) =>
      presentLinked(room, row, { ...(await showing(storage, call, row)), withJsonLd }),
    written: async (reader, call, row) => {
      const shared = await showing(reader, call, row)
      const read = presentLinked(room, row, { ...shared, withJsonLd: true })
      const { json_ld: _, ...body } = read
      return { status: 200, body, read, version: versionOf(room.key, row) }
    },
    list: async (call, query) => {
      const paging = pagingOf(call.values, site.perPageMax)
      const { items, total, freshness } = await queries.page(call, { query, paging })
      const { collection } = RESOURCES[room.key]
      const { values } = call
      // A boolean that defaults to no is repeated only where it is yes.
      const upcoming = values.only_with_upcoming === true || undefined
      const effective = { ...values, only_with_upcoming: upcoming, status: statusLink(call.caller, values.status) }
      const filters = linkParameters(inOrder, effective, call.sent)
      const address = call.urls.api(`/${collection}/`)
      const list = { address, member: collection, items, total, paging, filters, freshness }
      return listReply({ ...list, pastEnd: room.errors.pastEnd })
    },
  }
}

/** A write as it arrives; `row` is undefined on create. */
interface Arriving<WriteFields extends readonly AnyField[], Content extends LinkedContent> {
  readonly call: Call<ValuesOf<WriteFields>>
  readonly row: LinkedRow<Content> | undefined
  readonly refusals: InvalidParam[]
}

async function resolveDraft<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  { isUser, storage, pictures }: LinkedDeps,
  { call, row, refusals }: Arriving<WriteFields, Content>,
): Promise<LinkedDraft<Content>> {
  const draft = draftOf(room, call.values, call.sent)
  const { author, image } = draft.entry
  const refuse = (name: string, reason: InvalidParam['reason'], detail?: string): unknown =>
    refusals.push({ name, code: 'rest_invalid_param', reason, ...(detail !== undefined && { detail }) })
  if (author !== undefined && !(await isUser(author))) refuse('author', 'unknown_user')
  const choosing = { values: draft.entry, row, caller: call.caller, pictures }
  const chosen = image === undefined ? draft.entry : await withChosenImage(storage, { image, ...choosing })
  if (chosen === 'refused') refuse('image', 'bad_image')
  for (const { name, reason, detail } of conflictsOf(room, draft.content, row))
    if (refusals.every((one) => one.name !== detail)) refuse(name, reason, detail)
  if (row === undefined && isBlankName(call.sent[room.key]) && refusals.every((one) => one.name === room.key)) {
    throw fail(room.errors.notCreated)
  }
  return chosen === 'refused' ? draft : { ...draft, entry: chosen }
}

/** A name of which nothing remains, although something was sent (wire: rest 3.2). */
function isBlankName(sent: unknown): boolean {
  return typeof sent === 'string' && sent !== '' && plainText(sent) === ''
}

function permit<Content extends LinkedContent>(
  room: Pick<LinkedRoom<readonly AnyField[], Content>, 'errors'>,
  { caller }: Call<unknown>,
  intent: Intent<LinkedRow<Content>, LinkedDraft<Content>>,
): true | ErrorCode {
  if (intent.to === 'create') return mayWrite(caller, intent.loaded)
  const row = { authorId: intent.item.author_id, status: intent.item.status }
  if (intent.to === 'remove') return mayDelete(caller, row) || 'rest_forbidden'
  if (intent.to === 'update') return mayEdit(caller, row) ? mayWrite(caller, intent.loaded) : 'rest_forbidden'
  return mayRead(caller, row) || room.errors.notAccessible
}

/** Whether the caller may give an item the author and the status that were sent. */
function mayWrite(caller: Caller, { entry }: LinkedDraft<LinkedContent>): true | ErrorCode {
  if (entry.author !== undefined && !maySetAuthor(caller, entry.author)) return 'rest_forbidden'
  return mayAskStatus(caller, entry.status)
}
