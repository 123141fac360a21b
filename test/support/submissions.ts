import type { TestContext } from 'node:test'
import type { Flags } from '../../src/base/config.ts'
import { openTestApp, type TestApp } from './app.ts'

/** What a visitor fills in. */
export const FORM = {
  title: 'Lantern walk',
  description: 'Bring a light.\n\nWe walk along the harbour.',
  start_date: '2026-12-05',
  start_date_time: '17:00',
  end_date: '2026-12-05',
  end_date_time: '18:30',
  submitter_name: 'Grace Hopper',
  submitter_email: 'grace@example.net',
}

/** Milliseconds. */
export const DAY = 86_400_000

/** A calendar with a form for visitors. */
export function openWithForm(t: TestContext, flags: Flags = {}): Promise<TestApp> {
  return openTestApp(t, { submissions: 'yes', ...flags })
}

/** What goes with a form. */
interface Enclosed {
  readonly file?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the form as a browser without scripts does. */
export async function submit(
  { origin }: TestApp,
  form: Readonly<Record<string, string>>,
  { file, headers = { origin } }: Enclosed = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(form)) body.append(name, value)
  if (file !== undefined) body.set('file', new File([new Uint8Array(file)], 'lanterns.png'))
  const response = await fetch(`${origin}/submit/`, { method: 'POST', headers, body, redirect: 'manual' })
  return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
}

/** Everything that is in the calendar, as an editor sees it. */
export async function everything({ call }: TestApp) {
  const query = { status: 'any', start_date: '1000-01-01', end_date: '9999-12-31' }
  const { body } = await call('editor', 'GET', '/events', { query })
  return (body.events ?? []) as Readonly<Record<string, unknown>>[]
}

/** Who sent events that nobody has decided about. */
export function rows({ app: { storage } }: TestApp) {
  return storage.all(storage.db.selectFrom('submission').selectAll().where('decided_at', 'is', null))
}

/** What became of submissions that somebody has decided about. */
export function decided({ app: { storage } }: TestApp) {
  return storage.all(storage.db.selectFrom('submission').selectAll().where('decided_at', 'is not', null))
}

/** The path of the page of whoever submitted an event, in a mail. */
export const linkIn = (text: string): string => /\/submit\/link\/[\w-]{43}\//.exec(text)?.[0] ?? ''

/** Whoever submitted an event, at the page of its link. */
export async function submitterAt({ origin }: TestApp, path: string) {
  const show = async (method = 'GET') => {
    const response = await fetch(origin + path, { method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const send = async (form: Readonly<Record<string, string>>, file?: Uint8Array) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(form)) body.append(name, value)
    if (file !== undefined) body.set('file', new File([new Uint8Array(file)], 'lanterns.png'))
    const response = await fetch(origin + path, { method: 'POST', headers: { origin }, body, redirect: 'manual' })
    return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
  }
  const { text } = await show()
  return { show, send, mark: markIn(text), text }
}

/** The state of the event that a form was shown with. */
export const markIn = (text: string): string => /name="mark" value="([^"]*)"/.exec(text)?.[1] ?? ''
