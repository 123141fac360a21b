import type { Role } from '../../src/http/auth/rights.ts'
import type { TestApp } from './app.ts'
import { knowPassword, PASSWORD } from './known-password.ts'

/** Someone with a browser that runs no scripts. */
export type Visitor = Awaited<ReturnType<typeof visitorAt>>

/** The user of a role. */
export function visitor(site: TestApp, role: Role): Promise<Visitor> {
  return visitorNamed(site, role)
}

/** A user by name. */
export async function visitorNamed(site: TestApp, name: string): Promise<Visitor> {
  await knowPassword(site.app, name)
  return visitorAt(site.origin, name)
}

/** A user at an address, whose password is known. */
export async function visitorAt(origin: string, name: string) {
  const login = await fetch(`${origin}/admin/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ login: name, password: PASSWORD }),
  })
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const show = async (path: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { cookie }, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Sends a form that was shown, with what is filled in. */
  const send = async (path: string, text: string, form: Readonly<Record<string, string>>) => {
    const body = new FormData()
    for (const [, tag = ''] of text.matchAll(/<input ([^>]*)>/g)) {
      const [name, value, type] = ['name', 'value', 'type'].map(
        (one) => new RegExp(`\\b${one}="([^"]*)"`).exec(tag)?.[1],
      )
      const isTicked = !/checkbox|radio/.test(type ?? '') || / checked/.test(tag)
      if (name !== undefined && type !== 'file' && isTicked)
        body.append(name, (value ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    }
    for (const [, name = '', value = ''] of text.matchAll(/<textarea [^>]*\bname="([^"]*)"[^>]*>\n?([^<]*)/g))
      body.append(name, value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
    for (const [, name = '', options = ''] of text.matchAll(/<select [^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
      body.append(name, /value="([^"]*)" selected/.exec(options)?.[1] ?? /value="([^"]*)"/.exec(options)?.[1] ?? '')
    for (const [name, value] of Object.entries(form)) body.set(name, value)
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { cookie, origin },
      body,
      redirect: 'manual',
    })
    return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
  }
  const submit = async (path: string, form: Readonly<Record<string, string>>) =>
    send(path, (await show(path)).text, form)
  return { cookie, show, send, submit }
}

/** What a test fills into the form of an event. */
export const FORM = {
  title: 'Regatta',
  start_date: '2026-12-05',
  start_date_time: '10:00',
  end_date: '2026-12-05',
  end_date_time: '12:00',
}
