import { fail } from '../../base/errors.ts'
import { translate } from '../../base/i18n/translate.ts'
import type { RawInput } from '../../http/request/body.ts'
import { type ListPlace, readCursor, writeCursor } from '../cursor.ts'
import { type ArgumentNames, RefusedRequest } from '../failures.ts'
import { fittingRows } from '../fit.ts'
import type { ToolContext } from '../tool.ts'

/** A list of the API, and what of it is wanted. */
export interface ListRequest {
  readonly path: string
  /** Its name in the response. */
  readonly member: string
  readonly query: RawInput
  readonly names?: ArgumentNames
}

/** The arguments of a tool that lists. */
export interface ListArguments {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of rows, and where the next one starts. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly cursor?: string
}

/** The place that the cursor of a call names. @throws rest_invalid_param for the cursor of other arguments */
export function placeOf({ now, language }: ToolContext, tool: string, args: ListArguments): ListPlace {
  const place = readCursor(tool, { ...args }, now)
  if (place !== undefined) return place
  const params = { cursor: `cursor ${translate(language, 'reasons.bad_cursor')}` }
  throw fail('rest_invalid_param', { params: 'cursor' }, { params })
}

/** Reads the rows of a list from a place on, as many as are wanted and fit into a result. */
export async function readRows<Item, Row extends object>(
  context: ToolContext,
  list: ListRequest,
  {
    tool,
    args,
    place,
    rowOf,
  }: {
    readonly tool: string
    readonly args: ListArguments
    readonly place: ListPlace
    rowOf(item: Item): Row
  },
): Promise<RowPage<Row>> {
  const { items, total } = await readItems<Item>(context, list, { offset: place.offset, limit: args.limit })
  const rows = fittingRows(items.map(rowOf))
  const offset = place.offset + rows.length
  const cursor = rows.length > 0 && offset < total ? writeCursor(tool, { ...args }, { ...place, offset }) : undefined
  return { rows, total, ...(cursor !== undefined && { cursor }) }
}

/** Lists have pages, so that rows from anywhere may be on two of them. */
async function readItems<Item>(
  context: ToolContext,
  { path, member, query, names }: ListRequest,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly items: readonly Item[]; readonly total: number }> {
  const size = Math.min(limit, context.site.perPageMax)
  const page = Math.floor(offset / size) + 1
  const read = async (number: number) => {
    const asked = { ...query, page: String(number), per_page: String(size) }
    const { body } = await context.request({ method: 'GET', path, query: asked }, names)
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
