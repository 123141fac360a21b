import { rm } from 'node:fs/promises'
import { copyOf, type DataFolder } from '../data.ts'
import type { Lab, Target } from '../lab.ts'
import { residentMegabytes, startKalends } from '../processes.ts'

/** Characters of a text of the attack: nearly what a body may have. */
const LENGTH = 880_000

/** Drafts of one word, and then of many. */
const DRAFTS = 4

/** Small writes before and after. */
const WRITES = 40

/** Milliseconds after the attack until the server must be as before. */
const CALM = 5_000

/**
 * Measures a plain list, another one each time, while a writer stores drafts of one long word and then descriptions in
 * which every word is another one; and small writes before, and 5 s after all of it was deleted.
 */
export async function attackWords(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  const copy = await copyOf(folder)
  const server = await startKalends(copy, [], 'all cores')
  const site: Site = { base: `${server.origin}${ground.base}`, authorization: copy.authorization }
  const note = (unit: string, value: number): void => lab.book.add(`attack-words/kalends/${unit}`, value)
  try {
    await medianOfWrites(site)
    const before = await medianOfWrites(site)
    // Made beforehand: making them would hold up the lists of this process as well.
    const texts = ['', ' '].flatMap((separator) =>
      Array.from({ length: DRAFTS }, (_, draft) => longText(separator, draft)),
    )
    const { slowest, list } = await besideLists(site, () => attack(site, texts))
    await new Promise((resolve) => setTimeout(resolve, CALM))
    const after = await medianOfWrites(site)
    const memory = (await residentMegabytes(server.pid)) ?? Number.NaN
    note('list-p99', list)
    note('list-slowest', slowest)
    note('write-before', before)
    note('write-after', after)
    note('memory', memory)
    const shown = [list, slowest, before, after, memory].map((one) => one.toFixed(1))
    lab.say(
      `attack-words: list p99 ${shown[0]} ms, slowest ${shown[1]} ms; writes ${shown[2]} ms before, ${shown[3]} after; ${shown[4]} MB`,
    )
  } finally {
    await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
}

interface Site {
  readonly base: string
  readonly authorization: string
}

async function attack(site: Site, texts: readonly string[]): Promise<void> {
  const ids: number[] = []
  for (const text of texts) ids.push(await create(site, text))
  for (const id of ids) await send(site, `DELETE /events/${id}?force=true`)
}

/** Words that are all different. */
function longText(separator: string, seed: number): string {
  let text = ''
  for (let number = seed * 1_000_000; text.length < LENGTH; number += 1)
    text += ((number * 2_654_435_761) % 4_294_967_296).toString(36) + separator
  return text
}

async function create(site: Site, description: string): Promise<number> {
  const times = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' }
  const response = await send(site, 'POST /events', { title: 'Draft', status: 'draft', description, ...times })
  return ((await response.json()) as { readonly id: number }).id
}

async function send(site: Site, request: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: site.authorization, 'content-type': 'application/json' }
  const response = await fetch(site.base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`)
  return response
}

/** The middle one of the times of small writes, in milliseconds. */
async function medianOfWrites(site: Site): Promise<number> {
  const times: number[] = []
  for (let write = 0; write < WRITES; write += 1) {
    const began = performance.now()
    await create(site, `a few words of number ${write}`)
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[WRITES / 2] ?? Number.NaN
}

/** Asks for lists one after the other while something goes on; the slowest and the 99th of a hundred, in milliseconds. */
async function besideLists(site: Site, step: () => Promise<void>): Promise<{ slowest: number; list: number }> {
  const going = { on: true }
  const times: number[] = []
  const lists = (async () => {
    for (let number = 0; going.on; number += 1) {
      const began = performance.now()
      await (await fetch(`${site.base}/events?per_page=10&n=${number}`)).arrayBuffer()
      times.push(performance.now() - began)
    }
  })()
  await step().finally(() => {
    going.on = false
  })
  await lists
  times.sort((one, other) => one - other)
  return { slowest: times.at(-1) ?? Number.NaN, list: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}
