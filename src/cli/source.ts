import { fail } from '../base/errors.ts'
import { type CommandGroup, declare, group, type Invocation } from './command.ts'
import { table } from './output.ts'
import { secondsOf } from './seconds.ts'
import type { Source, SourceInput } from './types.ts'

const OPTIONS = {
  '--name <NAME>': 'name to show',
  '--every <TIME>': 'shortest time between two syncs: 30m, 6h, 1d (default 1h)',
  '--status <STATUS>': 'status of new events: publish (default), pending, draft, private',
  '--category <NAMES>': 'categories for every event, separated by commas',
  '--zone <ZONE>': 'time zone of times without one',
} as const

const CHANGES = { '--url <URL>': 'new URL', ...OPTIONS } as const

const REMOVE = {
  usage: 'remove <id>',
  summary: 'remove a subscription; its events stay',
  optional: { '--events <keep|trash>': 'trash moves its upcoming events to the trash' },
} as const

/** `kalends source ...`: calendars elsewhere that are followed. */
export function declareSource(shell: CommandGroup): void {
  const source = group(shell, 'source', 'subscribe to calendars (iCalendar) of other sites')
  declare(source, { usage: 'add <url>', summary: 'subscribe to a calendar', optional: OPTIONS }, async (called) => {
    const added = await called.operate('addSource', { ...inputOf(called), url: called.argument(0) })
    called.show(await called.operate('syncSource', { id: added.id }), outcome)
  })
  declare(source, { usage: 'list', summary: 'list all subscriptions' }, async (called) => {
    const sources = await called.operate('listSources', {})
    called.show({ sources }, (shown) => table(HEADING, shown.sources.map(cells)))
  })
  declare(source, { usage: 'sync [id]', summary: 'sync one subscription now, or all' }, async (called) => {
    const named = called.argument(0)
    const all = named === '' ? await called.operate('listSources', {}) : []
    const ids = named === '' ? all.filter(({ paused }) => !paused).map(({ id }) => id) : [idOf(called)]
    const sources: Source[] = []
    for (const id of ids) sources.push(await called.operate('syncSource', { id }))
    if (sources.some(({ failures }) => failures > 0)) called.exitWith(1)
    called.show({ sources }, (shown) => shown.sources.map(outcome).join(''))
  })
  declare(source, { usage: 'change <id>', summary: 'change a subscription', optional: CHANGES }, async (called) => {
    const change = { ...inputOf(called), url: called.option('url'), id: idOf(called) }
    called.show(await called.operate('changeSource', change), outcome)
  })
  declare(source, { usage: 'pause <id>', summary: 'pause a subscription' }, async (called) => {
    const changed = await called.operate('changeSource', { id: idOf(called), paused: true })
    called.show(changed, ({ name }) => `${name} is paused.\n`)
  })
  declare(source, { usage: 'resume <id>', summary: 'resume a paused subscription' }, async (called) => {
    const changed = await called.operate('changeSource', { id: idOf(called), paused: false })
    called.show(changed, ({ name }) => `${name} is active again.\n`)
  })
  declare(source, REMOVE, async (called) => {
    const events = called.option('events') ?? 'keep'
    if (events !== 'keep' && events !== 'trash')
      throw fail('wrong_usage', { reason: `--events must be keep or trash, not ${events}` })
    const removed = await called.operate('removeSource', { id: idOf(called), events })
    called.show(removed, ({ name }) => `Removed the subscription ${name}.\n`)
  })
}

function inputOf(called: Invocation): SourceInput {
  const every = called.option('every')
  const names = called.option('category')
  const categories = names?.split(',').map((one) => one.trim())
  return {
    name: called.option('name'),
    every: every === undefined ? undefined : secondsOf(every),
    status: called.option('status'),
    categories: categories?.filter((one) => one !== ''),
    timezone: called.option('zone'),
  }
}

/** @throws wrong_usage */
function idOf(called: Invocation): number {
  const text = called.argument(0)
  if (!/^\d{1,9}$/.test(text)) throw fail('wrong_usage', { reason: `${text} is not the number of a subscription` })
  return Number(text)
}

const HEADING = ['id', 'name', 'address', 'every', 'status', 'last success', 'state'] as const

function cells({ id, name, url, every, status, last_success, paused, failures, problem }: Source): string[] {
  const failed = failures === 0 ? 'active' : `failed ${failures} times: ${problem}`
  const waiting = problem === '' ? 'paused' : `paused: ${problem}`
  return [String(id), name, url, `${every} s`, status, last_success ?? 'never', paused ? waiting : failed]
}

function outcome({ id, name, failures, problem, report, visiting }: Source): string {
  if (visiting) return `${id} ${name} is being synced.\n`
  if (failures > 0) return `${id} ${name} could not be read: ${problem}\n`
  if (report === null) return `${id} ${name} has not been synced yet.\n`
  const { created, updated, unchanged, trashed, skipped, notes } = report
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${trashed} trashed, ${skipped.length} skipped`
  return `${id} ${name}: ${counts}\n${[...skipped, ...notes].map(({ what, why }) => `  ${what}: ${why}\n`).join('')}`
}
