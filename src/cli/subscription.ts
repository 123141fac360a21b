import { fail } from '../base/errors.ts'
import { type CommandGroup, declare, group, type Invocation } from './command.ts'
import { table } from './output.ts'
import { secondsOf } from './seconds.ts'
import type { Subscription, SubscriptionInput } from './types.ts'

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

/** `kalends subscription ...`: calendars elsewhere that are followed. */
export function declareSubscription(shell: CommandGroup): void {
  const commands = group(shell, 'subscription', 'subscribe to calendars (iCalendar) of other sites')
  declare(commands, { usage: 'add <url>', summary: 'subscribe to a calendar', optional: OPTIONS }, async (called) => {
    const added = await called.operate('addSubscription', { ...inputOf(called), url: called.argument(0) })
    called.show(await called.operate('syncSubscription', { id: added.id }), outcome)
  })
  declare(commands, { usage: 'list', summary: 'list all subscriptions' }, async (called) => {
    const subscriptions = await called.operate('listSubscriptions', {})
    called.show({ sources: subscriptions }, (shown) => table(HEADING, shown.sources.map(cells)))
  })
  declare(commands, { usage: 'sync [id]', summary: 'sync one subscription now, or all' }, async (called) => {
    const named = called.argument(0)
    const all = named === '' ? await called.operate('listSubscriptions', {}) : []
    const ids = named === '' ? all.filter(({ paused }) => !paused).map(({ id }) => id) : [idOf(called)]
    const subscriptions: Subscription[] = []
    for (const id of ids) subscriptions.push(await called.operate('syncSubscription', { id }))
    if (subscriptions.some(({ failures }) => failures > 0)) called.exitWith(1)
    called.show({ sources: subscriptions }, (shown) => shown.sources.map(outcome).join(''))
  })
  declare(commands, { usage: 'change <id>', summary: 'change a subscription', optional: CHANGES }, async (called) => {
    const change = { ...inputOf(called), url: called.option('url'), id: idOf(called) }
    called.show(await called.operate('changeSubscription', change), outcome)
  })
  declare(commands, { usage: 'pause <id>', summary: 'pause a subscription' }, async (called) => {
    const changed = await called.operate('changeSubscription', { id: idOf(called), paused: true })
    called.show(changed, ({ name }) => `${name} is paused.\n`)
  })
  declare(commands, { usage: 'resume <id>', summary: 'resume a paused subscription' }, async (called) => {
    const changed = await called.operate('changeSubscription', { id: idOf(called), paused: false })
    called.show(changed, ({ name }) => `${name} is active again.\n`)
  })
  declare(commands, REMOVE, async (called) => {
    const events = called.option('events') ?? 'keep'
    if (events !== 'keep' && events !== 'trash')
      throw fail('wrong_usage', { reason: `--events must be keep or trash, not ${events}` })
    const removed = await called.operate('removeSubscription', { id: idOf(called), events })
    called.show(removed, ({ name }) => `Removed the subscription ${name}.\n`)
  })
}

function inputOf(called: Invocation): SubscriptionInput {
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

function cells({ id, name, url, every, status, last_success, paused, failures, problem }: Subscription): string[] {
  const failed = failures === 0 ? 'active' : `failed ${failures} times: ${problem}`
  const waiting = problem === '' ? 'paused' : `paused: ${problem}`
  return [String(id), name, url, `${every} s`, status, last_success ?? 'never', paused ? waiting : failed]
}

function outcome({ id, name, failures, problem, report, visiting }: Subscription): string {
  if (visiting) return `${id} ${name} is being synced.\n`
  if (failures > 0) return `${id} ${name} could not be read: ${problem}\n`
  if (report === null) return `${id} ${name} has not been synced yet.\n`
  const { created, updated, unchanged, trashed, skipped, notes } = report
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${trashed} trashed, ${skipped.length} skipped`
  return `${id} ${name}: ${counts}\n${[...skipped, ...notes].map(({ what, why }) => `  ${what}: ${why}\n`).join('')}`
}
