import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Flags } from '../../src/base/config.ts'
import { openTestApp, type TestApp } from './app.ts'
import { atEnd, type TestScope } from './at-end.ts'
import { freePort } from './free-port.ts'
import { type Behaviour, CLIENT, startProvider, type TestProvider } from './oidc-provider.ts'

/** What the site says about a provider, and how the provider behaves. */
export interface Set {
  readonly behaviour?: Behaviour
  readonly member?: Readonly<Record<string, unknown>>
}

/** A calendar whose people sign in at providers, by the IDs of those. A base URL without a host is a path of its own, and one without a port gets it. The issuer of access tokens is named by its ID. */
export async function siteWith(t: TestScope, sets: Readonly<Record<string, Set>>, flags: Flags = {}) {
  const port = await freePort()
  const path = flags.baseUrl?.startsWith('/') === true ? flags.baseUrl : ''
  const host = flags.baseUrl === 'http://localhost' ? 'localhost' : '127.0.0.1'
  const origin = `http://${host}:${port}${path}`
  const started: [string, TestProvider][] = []
  for (const [id, { behaviour }] of Object.entries(sets))
    started.push([id, await startProvider(t, { origin, id }, behaviour)])
  const providers = Object.fromEntries(started)
  const entries = started.map(([id, { issuer }]) => ({
    id,
    label: id[0]?.toUpperCase() + id.slice(1),
    issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    ...sets[id]?.member,
  }))
  const folder = await mkdtemp(join(tmpdir(), 'kalends-oidc-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const oidc = join(folder, 'oidc.json')
  await writeFile(oidc, JSON.stringify(entries))
  const given = {
    port: String(port),
    baseUrl: origin,
    fetchAllow: '127.0.0.1',
    oidc,
    ...flags,
    ...(flags.mcpOauthIssuer && { mcpOauthIssuer: providers[flags.mcpOauthIssuer]?.issuer }),
    ...((path !== '' || host === 'localhost') && { baseUrl: origin }),
  }
  const site = await openTestApp(t, given)
  // Providers read the clock of the machine.
  site.clock.now = Date.now()
  return { site: host === 'localhost' ? { ...site, origin } : site, providers }
}

/** Where a page leads on by itself. */
function refreshIn(text: string): string | undefined {
  return /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}

/** A browser without scripts that follows redirects, and keeps cookies by site. */
export class Surfer {
  readonly site: TestApp
  readonly #cookies = new Map<string, Map<string, string>>()
  /** Addresses that were visited. */
  readonly visited: string[] = []

  constructor(site: TestApp) {
    this.site = site
  }

  cookies(address: string): Map<string, string> {
    const { origin } = new URL(address)
    const known = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, known)
    return known
  }

  /** Asks for an address without following where it leads. */
  async ask(address: string, form?: Readonly<Record<string, string>>) {
    const url = new URL(address, this.site.origin)
    const jar = this.cookies(url.href)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    this.visited.push(url.href)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), ...(form && { origin: url.origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '' || /Max-Age=0/i.test(set) || /expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    const text = await response.text()
    const onward = response.headers.get('location') ?? refreshIn(text)
    return {
      url: url.href,
      status: response.status,
      headers: response.headers,
      text,
      ...(onward && { to: new URL(onward, url).href }),
    }
  }

  /** Goes to an address, and on to wherever that leads. */
  async go(address: string, form?: Readonly<Record<string, string>>) {
    let answer = await this.ask(address, form)
    for (let steps = 0; answer.to !== undefined && steps < 15; steps++) answer = await this.ask(answer.to)
    return answer
  }

  /** Goes on until an address would be asked for next, which is returned. */
  async until(address: string, pattern: RegExp): Promise<string> {
    let next: string | undefined = address
    while (next !== undefined && !pattern.test(next)) next = (await this.ask(next)).to
    return next ?? ''
  }

  /** Sends the only form of a page as it is. */
  sendForm(
    { url, text }: { readonly url: string; readonly text: string },
    form: Readonly<Record<string, string>> = {},
  ) {
    const action = /<form [^>]*action="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? url
    const inputs = [...text.matchAll(/<input [^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)]
    const shown = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
    return this.go(new URL(action, url).href, { ...shown, ...form })
  }

  signIn(provider: string, query = '') {
    return this.go(`/admin/oidc/${provider}${query}`)
  }

  /** The name of whoever is signed in; '' for nobody. */
  async user(): Promise<string> {
    const { text } = await this.ask('/admin/profile')
    return /Your username is ([^<]*)\.</.exec(text)?.[1] ?? ''
  }

  async token(): Promise<string> {
    return /name="_csrf" value="([\w-]+)"/.exec((await this.ask('/admin/profile')).text)?.[1] ?? ''
  }

  async send(path: string, form: Readonly<Record<string, string>>) {
    return this.go(path, { _csrf: await this.token(), ...form })
  }
}
