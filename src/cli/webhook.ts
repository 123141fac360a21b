import { fail } from '../base/errors.ts'
import { type CommandGroup, declare, group, type Invocation } from './command.ts'
import { table } from './output.ts'
import type { Audience, Delivery, Webhook, WebhookInput } from './types.ts'

const EVENTS = { '--events <NAMES>': 'event types, separated by commas: event.created, venue.deleted' } as const

const OPTIONS = {
  '--audience <public|administrators>': 'whose view of the calendar it gets (default public)',
  '--description <TEXT>': 'what it is for',
} as const

const ADD = {
  usage: 'add <url>',
  summary: 'add a webhook and show its secret',
  required: EVENTS,
  optional: OPTIONS,
} as const

const CHANGE = {
  usage: 'change <id>',
  summary: 'change a webhook',
  optional: { '--url <URL>': 'new URL', ...EVENTS, ...OPTIONS },
} as const

/** `kalends webhook ...`: programs elsewhere that are notified of changes. */
export function declareWebhook(shell: CommandGroup): void {
  const webhook = group(shell, 'webhook', 'notify other programs of changes')
  declare(webhook, ADD, async (called) => {
    const input = { ...inputOf(called), url: called.argument(0) }
    called.show(await called.operate('addWebhook', input), withSecret)
  })
  declare(webhook, { usage: 'list', summary: 'list all webhooks' }, async (called) => {
    const webhooks = await called.operate('listWebhooks', {})
    called.show({ webhooks }, () => table(HEADING, webhooks.map(cells)))
  })
  declare(webhook, CHANGE, async (called) => {
    const change = { ...inputOf(called), url: called.option('url'), id: idOf(called) }
    called.show(await called.operate('changeWebhook', change), ({ url }) => `Changed the webhook ${url}.\n`)
  })
  declare(webhook, { usage: 'test <id>', summary: 'send a test delivery now' }, async (called) => {
    const delivery = await called.operate('testWebhook', { id: idOf(called) })
    if (delivery.state !== 'delivered') called.exitWith(1)
    called.show(delivery, outcome)
  })
  declareSwitches(webhook)
}

function declareSwitches(webhook: CommandGroup): void {
  const pause = { usage: 'pause <id>', summary: 'pause a webhook and drop its pending deliveries' }
  declare(webhook, pause, async (called) => {
    const changed = await called.operate('changeWebhook', { id: idOf(called), active: false })
    called.show(changed, ({ url }) => `Paused the webhook ${url}.\n`)
  })
  declare(webhook, { usage: 'resume <id>', summary: 'resume a paused webhook, starting now' }, async (called) => {
    const changed = await called.operate('changeWebhook', { id: idOf(called), active: true })
    called.show(changed, ({ url }) => `Resumed the webhook ${url}.\n`)
  })
  declare(webhook, { usage: 'remove <id>', summary: 'remove a webhook and its log' }, async (called) => {
    const removed = await called.operate('removeWebhook', { id: idOf(called) })
    called.show(removed, ({ url }) => `Removed the webhook ${url}.\n`)
  })
  const rotate = { usage: 'rotate <id>', summary: 'create a new secret; the old one stays valid for a day' }
  declare(webhook, rotate, async (called) => {
    called.show(await called.operate('rotateWebhook', { id: idOf(called) }), withSecret)
  })
}

function inputOf(called: Invocation): WebhookInput {
  const names = called.option('events')
  return {
    description: called.option('description'),
    audience: audienceOf(called.option('audience')),
    ...(names !== undefined && { events: names.split(',').map((one) => one.trim()) }),
  }
}

/** @throws wrong_usage */
function audienceOf(text: string | undefined): Audience | undefined {
  if (text === undefined || text === 'public' || text === 'administrators') return text
  throw fail('wrong_usage', { reason: `--audience must be public or administrators, not ${text}` })
}

/** @throws wrong_usage */
function idOf(called: Invocation): number {
  const text = called.argument(0)
  if (!/^\d{1,9}$/.test(text)) throw fail('wrong_usage', { reason: `${text} is not the number of a webhook` })
  return Number(text)
}

const HEADING = ['id', 'address', 'events', 'audience', 'last success', 'state'] as const

function cells({ id, url, events, audience, last_success, active, failures, problem }: Webhook): string[] {
  const why = problem === '' ? '' : `: ${problem}`
  const told = failures === 0 && why === '' ? 'active' : `failed ${failures} times${why}`
  return [String(id), url, events.join(','), audience, last_success ?? 'never', active ? told : `paused${why}`]
}

function withSecret({ id, url, secret = '' }: Webhook): string {
  return `${id} ${url}\nSecret, shown only now: ${secret}\n`
}

function outcome({ state, status, problem }: Delivery): string {
  return state === 'delivered' ? `The receiver accepted it (${status}).\n` : `The delivery failed: ${problem}.\n`
}
