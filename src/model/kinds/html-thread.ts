import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fail } from '../../base/errors.ts'
import { cleanKey } from '../../base/text/html.ts'
import { LONG_TEXT, recallMade, rememberMade } from '../../base/text/long-texts.ts'
import type { LongHtml, MadeHtml } from './html-worker.ts'

/** Texts that wait for the thread; those of further requests are refused. */
const WAITING_LIMIT = 32

/** Levels of a body at which texts are searched for: an item and its inline items. */
const DEPTH = 3

/** Texts that were prepared or are being prepared, and those that wait. */
let thread: Worker | undefined
const waiting: { readonly long: LongHtml; readonly done: () => void }[] = []

/**
 * Sanitises and folds the long descriptions and excerpts of a body, and of a stored item, in a thread, so that reading
 * and storing them does not block this one.
 * @throws rest_unavailable when too many wait
 */
export async function prepareLongHtml(sent: unknown, stored: unknown, iframeHosts: readonly string[]): Promise<void> {
  const longs = [
    ...longTextsIn(sent, DEPTH).map((html): LongHtml => ({ html, iframeHosts })),
    ...longTextsIn(stored, 1).map((html): LongHtml => ({ html, iframeHosts: undefined })),
  ]
  for (const long of longs) if (!isPrepared(long)) await prepare(long)
}

/** The same for an import, which does itself what the thread has no room for. */
export async function prepareImported(sent: unknown, stored?: unknown): Promise<void> {
  await prepareLongHtml(sent, stored, []).catch(() => undefined)
}

function longTextsIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (typeof one !== 'string') return longTextsIn(one, depth - 1)
    return (name === 'description' || name === 'excerpt') && one.length >= LONG_TEXT ? [one.toWellFormed()] : []
  })
}

function isPrepared({ html, iframeHosts }: LongHtml): boolean {
  return iframeHosts === undefined
    ? recallMade('seen', html) !== undefined
    : recallMade('clean', cleanKey(html, iframeHosts)) !== undefined
}

async function prepare(long: LongHtml): Promise<void> {
  if (waiting.length >= WAITING_LIMIT) throw fail('rest_unavailable')
  await new Promise<void>((done) => {
    waiting.push({ long, done })
    if (waiting.length === 1) work()
  })
}

/** Has the thread make the first of those that wait. One that dies is replaced; its text is then made in this thread. */
function work(): void {
  const [first] = waiting
  if (first === undefined) return
  const worker = thread ?? startThread()
  worker.ref()
  worker.postMessage(first.long)
}

function startThread(): Worker {
  const file = new URL(`./html-worker${extname(import.meta.filename)}`, import.meta.url)
  const worker = new Worker(file, { execArgv: [], name: 'kalends-html' })
  thread = worker
  worker.on('message', (made: MadeHtml) => {
    const first = waiting[0]
    if (first !== undefined) cacheWhenRead(first.long, made)
    next()
  })
  // Its end follows, and is the end of what it worked on.
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    thread = undefined
    next()
  })
  return worker
}

function next(): void {
  waiting.shift()?.done()
  if (waiting.length > 0) work()
  else thread?.unref()
}

function cacheWhenRead({ html, iframeHosts }: LongHtml, { clean, seen, folded }: MadeHtml): void {
  if (iframeHosts !== undefined) rememberMade('clean', cleanKey(html, iframeHosts), clean)
  rememberMade('seen', clean, seen)
  rememberMade('folded', seen, folded)
}
