import { hash } from 'node:crypto'
import { fail } from '../../base/errors.ts'
import { translate } from '../../base/i18n/translate.ts'
import type { RawInput } from '../../http/request/body.ts'
import { RefusedRequest } from '../failures.ts'
import { fittingRows } from '../fit.ts'
import type { ToolContext } from '../tool.ts'

/** A list of the API, and what of it is wanted. */
export interface PagedList<Item, Row> {
  /** The tool that reads it. */
  readonly tool: string
  readonly path: string
  /** Its name in the response. */
  readonly member: string
  /** Its arguments, by the parameters that stand for them. */
  readonly names: Readonly<Record<string, string>>
  /** What is asked for; `now` stays the same on all pages. */
  query(now: number): RawInput
  rowOf(item: Item): Row
}

/** The arguments of a tool that lists, as its schema has read them, so that they are in one order. */
export interface ListArguments {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of rows, and where the next one starts. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly cursor: string | undefined
}

/**
 * Reads the rows of a list from the cursor of a call on, as many as are wanted and fit into a result.
 * @throws rest_invalid_param for the cursor of other arguments
 */
export async function readRows<Item, Row extends object>(
  context: ToolContext,
  list: PagedList<Item, Row>,
  args: ListArguments,
): Promise<RowPage<Row>> {
  const digest = digestOf(list.tool, args)
  const place = placeOf(context, args, digest)
  const { items, total } = await readItems(context, list, { ...place, limit: args.limit })
  const rows = fittingRows(items.map(list.rowOf))
  const offset = place.offset + rows.length
  const isMore = rows.length > 0 && offset < total && offset <= MOST
  return { rows, total, cursor: isMore ? `${offset}-${place.now}-${digest}` : undefined }
}

/** Where a list continues. */
interface ListPlace {
  /** Rows before it. */
  readonly offset: number
  /** When its first page was read, Unix milliseconds. */
  readonly now: number
}

/** Furthest place of a cursor. */
const MOST = 5_000

/** The place in the cursor of a call, or the start. */
function placeOf({ now, language }: ToolContext, { cursor }: ListArguments, digest: string): ListPlace {
  if (cursor === undefined) return { offset: 0, now }
  const [, offset, started, made] = /^(\d{1,4})-(\d{13})-(.{12})$/.exec(cursor) ?? []
  if (made === digest && Number(offset) <= MOST) return { offset: Number(offset), now: Number(started) }
  const params = { cursor: `cursor ${translate(language, 'reasons.bad_cursor')}` }
  throw fail('rest_invalid_param', { params: 'cursor' }, { params })
}

function digestOf(tool: string, { cursor: _, ...args }: ListArguments): string {
  return hash('sha256', JSON.stringify([tool, args]), 'base64url').slice(0, 12)
}

/** Lists have pages, so that rows from anywhere may be on two of them. */
async function readItems<Item>(
  context: ToolContext,
  { path, member, query, names }: PagedList<Item, unknown>,
  { offset, now, limit }: ListPlace & Pick<ListArguments, 'limit'>,
): Promise<{ readonly items: readonly Item[]; readonly total: number }> {
  const size = Math.min(limit, context.site.perPageMax)
  const page = Math.floor(offset / size) + 1
  const read = async (number: number) => {
    const asked = { ...query(now), page: number, per_page: size }
    const { body } = await context.request({ method: 'GET', path, query: asked, names })
    const { [member]: items, total } = body as { readonly total: number } & Readonly<Record<string, readonly Item[]>>
    return { items: items ?? [], total }
  }
  const { items, total } = await read(page).catch(async (error: unknown) => {
    // The list has become shorter since the cursor was given out.
    const isBeyond = page > 1 && error instanceof RefusedRequest && error.failure.status === 404
    if (!isBeyond) throw error
    return { items: [], total: (await read(1)).total }
  })
  const skipped = offset % size
  const isMore = skipped > 0 && page * size < total
  return { items: [...items.slice(skipped), ...(isMore ? (await read(page + 1)).items.slice(0, skipped) : [])], total }
}
