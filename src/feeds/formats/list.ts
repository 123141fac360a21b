import { freshnessWith, type ListedPage } from '../../events/index.ts'
import { type Paging, pageHeadersOf, pagingOf } from '../../http/pages.ts'
import type { Reply } from '../../http/route.ts'
import type { EventFormat, FileContext, FileParts, FormatContext, FormattedEvent } from './format.ts'

/** Events of a file that is made at once, and of one page of a longer one. */
export const FILE_SIZE = 1000

/** Most events of one file. */
const MOST_EVENTS = 100_000

/** Events that are read at a time while a file is sent. */
const CHUNK = 200

type ResolvedList = Awaited<ReturnType<FormatContext['events']['resolveList']>>

/** A list to write. */
export interface WrittenList {
  readonly format: EventFormat
  /** Of the collection in its links: `/events.csv`. */
  readonly path: string
  readonly resolved: ResolvedList
  /** Which page of it; the whole list when absent. */
  readonly paging: Paging | undefined
}

/** The page that a call names, if it names one. A password is tried on one page at a time. */
export function pageAsked({ call }: FormatContext, most: number): Paging | undefined {
  const { page, per_page, password } = call.sent
  const isPage = page !== undefined || per_page !== undefined || password !== undefined
  return isPage ? pagingOf({ ...call.values, per_page: call.values.per_page ?? most }, most) : undefined
}

/** A list as a file: at once when it is short, and so cached; while it is sent when it is long. */
export async function writeList(context: FormatContext, list: WrittenList): Promise<Reply> {
  const { events, call } = context
  const { format, path, resolved } = list
  const paging = list.paging ?? { page: 1, perPage: FILE_SIZE, offset: 0 }
  const found = await events.page(call, { resolved, paging })
  const { ids, secret = false, freshness, ...counted } = found
  const shown = list.paging ?? { ...paging, perPage: Math.max(FILE_SIZE, counted.total) }
  const headers = pageHeadersOf(call, { path, ...counted, paging: shown }, ids.length)
  const reply = { ...replyOf(format, `events.${format.ending}`, headers), secret }
  const address = call.urls.api(path)
  const file = { ...context, address }
  if (list.paging === undefined && counted.total > FILE_SIZE) {
    const parts = await partsOf(format, context, await idsOfAll(context, list, found))
    return { ...reply, chunks: streamed(format, file, parts) }
  }
  const texts = await format.texts(context, await partsOf(format, context, ids))
  const text = Buffer.from(fileText(format, texts, file))
  return { ...reply, text, freshness: freshnessWith(freshness, dependenciesOf(texts)) }
}

async function partsOf(format: EventFormat, context: FormatContext, ids: readonly number[]): Promise<FileParts> {
  return (await format.parts?.(context, ids)) ?? ids.map((id) => ({ kind: 'event', id }))
}

/** A reply in a format, without its body. */
export function replyOf(format: EventFormat, name: string, headers: Reply['headers'] = {}): Reply {
  return {
    status: 200,
    body: undefined,
    type: format.type + format.parameters,
    headers: { ...headers, 'Content-Disposition': `inline; filename="${name}"` },
  }
}

/** What the texts were made of. */
export function dependenciesOf(texts: readonly FormattedEvent[]) {
  return texts.flatMap(({ dependencies }) => dependencies)
}

/** A file of events. */
export function fileText(format: EventFormat, texts: readonly FormattedEvent[], file: FileContext): string {
  const named = new Set(texts.flatMap(({ zones }) => zones ?? []))
  const items = texts.map(({ text }, index) => format.placed?.(text, index + 1) ?? text)
  return format.begin(file) + [...(format.zones?.(named, file) ?? []), ...items].join(format.between) + format.end(file)
}

/** The ids of the whole list; what moves between its pages while they are read is in it once. */
async function idsOfAll(
  { events, call }: FormatContext,
  { resolved }: WrittenList,
  first: ListedPage,
): Promise<number[]> {
  const ids = new Set(first.ids)
  const end = Math.min(first.total, MOST_EVENTS)
  for (let offset = FILE_SIZE; offset < end; offset += FILE_SIZE) {
    const paging = { page: offset / FILE_SIZE + 1, perPage: FILE_SIZE, offset }
    for (const id of (await events.page(call, { resolved, paging })).ids) ids.add(id)
  }
  return [...ids]
}

/** The zones come last: which ones there are is known when all events have been read. */
async function* streamed(format: EventFormat, file: FileContext, parts: FileParts): AsyncGenerator<Buffer> {
  const named = new Set<string>()
  let written = 0
  const joined = (items: readonly string[]): string => {
    const text = (written > 0 && items.length > 0 ? format.between : '') + items.join(format.between)
    written += items.length
    return text
  }
  yield Buffer.from(format.begin(file))
  for (let at = 0; at < parts.length; at += CHUNK) {
    const texts = await format.texts(file, parts.slice(at, at + CHUNK))
    for (const { zones } of texts) if (zones !== undefined) named.add(zones)
    const first = written + 1
    yield Buffer.from(joined(texts.map(({ text }, index) => format.placed?.(text, first + index) ?? text)))
  }
  yield Buffer.from(joined(format.zones?.(named, file) ?? []) + format.end(file))
}
