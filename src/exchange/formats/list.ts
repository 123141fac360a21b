import { nextTurn } from '../../base/background.ts'
import { freshnessWith } from '../../calendar/events/index.ts'
import { type Paging, pageHeadersOf, pagingOf } from '../../http/paging.ts'
import type { Reply } from '../../http/route.ts'
import type { EventFormat, FileContext, FileParts, FormatContext, FormattedEvent } from './format.ts'

/** Events of a file that is made at once, and of a page of a longer one's list, which is read when what came before has been sent. */
export const FILE_SIZE = 1000

/** Most events of one file. */
const MOST_EVENTS = 1_000_000

/** Events that are read and written at a time, and bytes of their descriptions: then others have their turn. */
const CHUNK = { events: 100, bytes: 512 * 1024 } as const

/** Bytes of descriptions of a file that is made at once. */
const LARGEST = 4 * 1024 ** 2

type ResolvedList = Awaited<ReturnType<FormatContext['events']['resolveList']>>

/** A list to write. */
export interface WrittenList {
  readonly format: EventFormat
  /** Of the collection in its links: `/events.csv`. */
  readonly path: string
  readonly resolved: ResolvedList
  /** Which page of it; the whole list if absent. */
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
  const { ids, secret = false, freshness, ...counted } = await events.page(call, { resolved, paging })
  const shown = list.paging ?? { ...paging, perPage: Math.max(FILE_SIZE, counted.total) }
  const address = call.urls.api(path)
  // The links of the collection itself end in a slash, in whichever form it is shown.
  const linked = path.includes('.') ? address : `${address}/`
  const headers = pageHeadersOf({ address: linked, ...counted, paging: shown }, ids.length)
  const reply = { ...replyOf(format, `events.${format.ending}`, headers), secret }
  const file = { ...context, address }
  const isWhole = list.paging !== undefined || counted.total <= FILE_SIZE
  if (!isWhole || (await isLarge(context, ids))) {
    const pages = isWhole ? only(ids) : events.pages(call, { resolved, size: FILE_SIZE })
    return { ...reply, chunks: streamed(format, file, partsOf(format, context, atMost(MOST_EVENTS, pages))) }
  }
  const texts: FormattedEvent[] = []
  for await (const some of textsOf(format, context, partsOf(format, context, only(ids)))) {
    texts.push(...some)
    await nextTurn()
  }
  const text = Buffer.from(fileText(format, texts, file))
  return { ...reply, text, freshness: freshnessWith(freshness, dependenciesOf(texts)) }
}

/** Whether events have more text than a file that is made at once. */
export async function isLarge({ events }: Pick<FormatContext, 'events'>, ids: readonly number[]): Promise<boolean> {
  const sizes = [...(await events.sizes(ids)).values()]
  return sizes.reduce((sum, bytes) => sum + bytes, 0) > LARGEST
}

async function* partsOf(
  format: EventFormat,
  context: FormatContext,
  pages: AsyncIterable<readonly number[]>,
): AsyncGenerator<FileParts> {
  if (format.parts !== undefined) yield* format.parts(context, pages)
  else for await (const ids of pages) yield ids.map((id) => ({ kind: 'event', id }))
}

/** The texts of parts, a chunk at a time. */
async function* textsOf(
  format: EventFormat,
  context: FormatContext,
  pages: AsyncIterable<FileParts>,
): AsyncGenerator<readonly FormattedEvent[]> {
  for await (const parts of pages) {
    const sizes = await context.events.sizes(parts.map(({ id }) => id))
    for (const chunk of chunksOf(parts, sizes)) yield await format.texts(context, chunk)
  }
}

/** Parts that are written together: few where they have much text. */
function* chunksOf(parts: FileParts, sizes: ReadonlyMap<number, number>): Generator<FileParts> {
  let chunk: FileParts[number][] = []
  let bytes = 0
  for (const part of parts) {
    const own = sizes.get(part.id) ?? 0
    if (chunk.length > 0 && (chunk.length === CHUNK.events || bytes + own > CHUNK.bytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(part)
    bytes += own
  }
  if (chunk.length > 0) yield chunk
}

async function* only(ids: readonly number[]): AsyncGenerator<readonly number[]> {
  yield ids
}

/** The first pages of a list, with so many events in all. */
async function* atMost(count: number, pages: AsyncIterable<readonly number[]>): AsyncGenerator<readonly number[]> {
  let left = count
  for await (const ids of pages) {
    yield ids.slice(0, left)
    left -= ids.length
    if (left <= 0) return
  }
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

/** The zones come last: which ones there are is known when all events have been read. */
async function* streamed(
  format: EventFormat,
  file: FileContext,
  pages: AsyncIterable<FileParts>,
): AsyncGenerator<Buffer> {
  const named = new Set<string>()
  let written = 0
  const joined = (items: readonly string[]): string => {
    const text = (written > 0 && items.length > 0 ? format.between : '') + items.join(format.between)
    written += items.length
    return text
  }
  yield Buffer.from(format.begin(file))
  for await (const texts of textsOf(format, file, pages)) {
    for (const { zones } of texts) if (zones !== undefined) named.add(zones)
    const first = written + 1
    yield Buffer.from(joined(texts.map(({ text }, index) => format.placed?.(text, first + index) ?? text)))
  }
  yield Buffer.from(joined(format.zones?.(named, file) ?? []) + format.end(file))
}
