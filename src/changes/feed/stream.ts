import { rest } from '../../base/background.ts'
import { Failure } from '../../base/errors.ts'
import type { StreamSink } from '../../http/response/event-streams.ts'
import { type AnyRoute, type Reply, route } from '../../http/route.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { ItemTexts } from './item-texts.ts'
import { type ChangePage, requireReach, type SeenChange } from './read.ts'
import {
  audienceKey,
  CHANGE_FIELDS,
  CHANGES_GROUP,
  type ChangesCall,
  type ChangesDeps,
  itemOf,
  pageFor,
} from './routes.ts'
import { CHANGE_STREAM } from './schema.ts'
import { CommitSignal } from './signal.ts'
import { viewKey } from './visibility.ts'

/** Changes that are read together; fewer with their items, which may be long. */
const TOGETHER = { plain: 100, expanded: 10 } as const

/** Pages that are kept for other streams. */
const PAGES = 100

/** Milliseconds after which clients connect again. */
const RETRY = 2000

/** The route that sends changes as they happen. */
export function changeStreamRoute(deps: ChangesDeps): AnyRoute {
  const streams = new ChangeStreams(deps)
  return route({
    method: 'GET',
    path: '/changes/stream',
    operation: 'streamChanges',
    summary: 'api.changes.streamChanges',
    description: 'api.changes.streamsChangesAfterCursor',
    group: CHANGES_GROUP,
    pathFields: [],
    fields: CHANGE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: CHANGE_STREAM, type: EVENT_STREAM },
    errors: ['cursor_expired'],
    scope: 'read',
    open: () => true,
    handle: (call) => streams.open(call),
  })
}

/** Media type of Server-Sent Events. */
const EVENT_STREAM = 'text/event-stream'

class ChangeStreams {
  readonly #deps: ChangesDeps
  readonly #commits: CommitSignal
  /** Pages since the last commit, the oldest first: streams that see the same share them. */
  readonly #pages = new Map<string, Promise<ChangePage>>()
  readonly #texts = new ItemTexts()

  constructor(deps: ChangesDeps) {
    this.#deps = deps
    this.#commits = new CommitSignal(deps.storage)
  }

  /** @throws cursor_expired */
  async open(call: ChangesCall): Promise<Reply> {
    const asked = sinceOf(call)
    if (asked !== undefined) await this.#deps.reach(asked)
    const since = asked ?? (await headSeq(this.#deps.storage))
    // A cursor that has expired is refused before anything is sent.
    await requireReach(this.#deps.storage, since)
    return {
      status: 200,
      body: undefined,
      text: Buffer.alloc(0),
      type: `${EVENT_STREAM}; charset=utf-8`,
      headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      stream: (sink) => this.#follow(call, since, sink),
    }
  }

  async #follow(call: ChangesCall, since: number, sink: StreamSink): Promise<void> {
    await sink.send(`retry: ${RETRY}\nid: ${writeCursor(since)}\n\n`)
    let seq = since
    while (!sink.signal.aborted) {
      const { count } = this.#commits
      const retry = (error: unknown): Promise<undefined> => waitAfter(error, sink.signal)
      const isSame = await sink.isSameCaller().catch(retry)
      if (isSame === false) return
      const page = isSame && (await this.#read(call, seq, count).catch(retry))
      if (page === undefined) continue
      if (!(await this.#sendAll(call, page.changes, sink))) return
      // What the caller does not see need not be read again after a break.
      if (page.changes.at(-1)?.seq !== page.seq && page.seq > seq) await sink.send(`id: ${writeCursor(page.seq)}\n\n`)
      seq = page.seq
      if (!page.more) await this.#commits.after(count, sink.signal)
    }
  }

  /** Whether all were sent; false where the stream is to end. */
  async #sendAll(call: ChangesCall, changes: readonly SeenChange[], sink: StreamSink): Promise<boolean> {
    if (call.values.expand === undefined) {
      await sink.send(...changes.map(eventOf))
      return true
    }
    for (const change of changes) {
      let isSent: boolean | undefined
      while (isSent === undefined && !sink.signal.aborted)
        isSent = await this.#sendExpanded(call, change, sink).catch((error) => waitAfter(error, sink.signal))
      if (isSent !== true) return false
    }
    return true
  }

  /**
   * Sends a change with its item, which is made when the client has read what came before; false where its credentials
   * are no longer those of the same user.
   */
  async #sendExpanded(call: ChangesCall, change: SeenChange, sink: StreamSink): Promise<boolean> {
    const { storage } = this.#deps
    const { client, signal } = sink
    const key = (): string =>
      `${audienceKey(call)} ${change.seq} ${change.resource} ${change.id} ${storage.dataVersion()}`
    const make = async (): Promise<Buffer> => Buffer.from(JSON.stringify(await itemOf(this.#deps, call, change)) ?? '')
    let isSame = false
    await this.#texts.send({ key, client, signal }, make, async (item) => {
      isSame = await sink.isSameCaller()
      if (isSame) await sink.send(...(item.length === 0 ? [eventOf(change)] : eventAround(change, item)))
    })
    return isSame
  }

  /** The next page as of a count of commits; the client that shares its read may disconnect, and then it is read here. */
  #read(call: ChangesCall, since: number, count: number): Promise<ChangePage> {
    const { caller, values } = call
    const limit = values.expand === undefined ? TOGETHER.plain : TOGETHER.expanded
    const extent = values.include_hidden === true ? 'all' : 'listed'
    const key = `${viewKey(caller)} ${extent} ${values.resource?.join() ?? ''} ${since} ${limit} ${count}`
    const read = (): Promise<ChangePage> => pageFor(this.#deps, call, { since, limit })
    const shared = this.#pages.get(key)
    if (shared !== undefined) return shared.catch(read)
    const [oldest] = this.#pages.keys()
    if (oldest !== undefined && this.#pages.size >= PAGES) this.#pages.delete(oldest)
    const page = read()
    this.#pages.set(key, page)
    page.catch(() => this.#pages.delete(key))
    return page
  }
}

/** A database that is away or busy for a moment ends no stream. */
async function waitAfter(error: unknown, signal: AbortSignal): Promise<undefined> {
  if (!(error instanceof Failure) || error.status !== 503) throw error
  await rest(RETRY, signal)
}

/** Where to start: browsers that connect again repeat the first address. A cursor that is none counts as not sent. */
function sinceOf({ lastEventId, values }: ChangesCall): number | undefined {
  if (lastEventId === undefined) return values.since
  return readCursor(lastEventId) ?? values.since
}

function eventOf(change: SeenChange): string {
  return `id: ${writeCursor(change.seq)}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`
}

/** The event of a change whose item is its last member. */
function eventAround(change: SeenChange, item: Buffer): readonly (string | Buffer)[] {
  return [`${eventOf(change).slice(0, -'}\n\n'.length)},"item":`, item, '}\n\n']
}
