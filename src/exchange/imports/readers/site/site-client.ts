import { Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { translate } from '../../../../base/i18n/translate.ts'
import type { AddressGate } from '../../../../base/outgoing/addresses.ts'
import { mayGoTo } from '../../../../base/outgoing/credentials.ts'
import { type Outgoing, type OutgoingResponse, sendRequest } from '../../../../base/outgoing/request.ts'
import { retryAfter } from '../../../../base/outgoing/retry-after.ts'
import { PROBLEMS } from '../fetch-calendar.ts'
import { openPace, wait } from './pace.ts'
import { readJson } from './read-body.ts'

/** What a site is asked with. */
export interface SiteClientDeps {
  readonly gate: AddressGate
  readonly rate: number
  readonly concurrency: number
  /** Unix milliseconds. */
  now(): number
  /** Milliseconds of the first pause after a failure; the next ones are longer. */
  readonly backoff: number
  /** Milliseconds for the first try; the next ones have more. */
  readonly patience: number
  /** The address that credentials were entered for: they go nowhere else, whatever a site names. */
  readonly home: string
}

/** A question to a site. */
export interface SiteQuestion {
  /** `page` and `bytes` are accepted as they are. */
  readonly want: 'json' | 'page' | 'bytes'
  /** Most bytes; those of a page of a list if absent. */
  readonly limit?: number
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined
  /** Whether JSON is what was asked for: other JSON is asked for again, as garbage is. */
  isUsable?(json: unknown, status: number): boolean
  /** Tries; 7 if absent. */
  readonly tries?: number
}

/** The response that counts, or why there is none. */
export type SiteReply =
  | { readonly ok: true; readonly response: OutgoingResponse; readonly json: unknown }
  | { readonly ok: false; readonly why: string }

/** Asks a site politely and stubbornly. */
export interface SiteClient {
  ask(url: string, question: SiteQuestion): Promise<SiteReply>
  /** Requests that were sent. */
  sent(): number
  close(): void
}

/** Most bytes of a page of a list, or of a web page. */
const PAGE_LIMIT = 32 * 1024 ** 2
const TRIES = 7
/** Milliseconds: longest pause between tries, longest one that a site may ask for, and for each question together. */
const LONGEST = { backoff: 20_000, asked: 300_000, waited: 1_800_000 } as const

/** Opens what asks a site: every response that is not what was asked for is asked for again, within bounds. */
export function openSiteClient(deps: SiteClientDeps): SiteClient {
  const ended = new AbortController()
  const pace = openPace({ ...deps, signal: ended.signal })
  const options = { keepAlive: true, maxSockets: deps.concurrency }
  const agents = { http: new PlainAgent(options), https: new SecureAgent(options) }
  let sent = 0
  const send = (url: string, question: SiteQuestion, tried: number): Promise<Verdict> =>
    pace.inTurn(async () => {
      sent += 1
      const { authorization, limit = PAGE_LIMIT, want } = question
      const { gate, patience, home } = deps
      const isAtHome = authorization !== undefined && mayGoTo(url, home)
      const headers = { accept: ACCEPT[want], ...(isAtHome && { authorization }) }
      // Refused once, a persistent connection is not tried again.
      const kept = tried === 0 ? { agents } : {}
      const sending = { gate, limit, headers, ...kept, patience: patience * (1 + Math.min(tried, 3)) }
      const verdict = judge(await sendRequest(url, sending), question, deps.now())
      // Before the next one has its turn.
      if (verdict.kind === 'wait') pace.pause(verdict.pause)
      return verdict
    })
  return {
    sent: () => sent,
    close: () => {
      ended.abort()
      for (const agent of Object.values(agents)) agent.destroy()
    },
    ask: async (url, question) => {
      let why = ''
      let waited = 0
      for (let tried = 0; tried < (question.tries ?? TRIES); ) {
        const verdict = await send(url, question, tried)
        if (verdict.kind === 'done') return verdict.asked
        why = verdict.why
        if (verdict.kind === 'wait' && verdict.pause > 0) {
          waited += Math.max(verdict.pause, deps.backoff)
          if (waited > LONGEST.waited) break
          continue
        }
        tried += 1
        if (tried < (question.tries ?? TRIES)) await wait(pauseAfter(deps.backoff, tried), ended.signal)
      }
      return { ok: false, why }
    },
  }
}

const ACCEPT = { json: 'application/json', page: 'text/html, application/json;q=0.9', bytes: 'image/*' } as const

function pauseAfter(backoff: number, tried: number): number {
  return Math.min(backoff * 2 ** (tried - 1), LONGEST.backoff)
}

type Verdict =
  | { readonly kind: 'done'; readonly asked: SiteReply }
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'wait'; readonly why: string; readonly pause: number }

const FINAL = ['closed_address', 'too_many_bytes', 'too_many_redirects', 'bad_redirect']

function judge(outgoing: Outgoing, { want, isUsable }: SiteQuestion, now: number): Verdict {
  if (!outgoing.ok) {
    const why = translate('en', PROBLEMS[outgoing.reason])
    return FINAL.includes(outgoing.reason) ? { kind: 'done', asked: { ok: false, why } } : { kind: 'again', why }
  }
  const { response } = outgoing
  const { status } = response
  const pause = status === 429 || status === 503 ? retryAfter(response.headers, now) : undefined
  if (pause !== undefined && pause > LONGEST.asked)
    return {
      kind: 'done',
      asked: { ok: false, why: `the site asks to come back in ${Math.ceil(pause / 1000)} seconds` },
    }
  if (pause !== undefined) return { kind: 'wait', why: `the site answered ${status}`, pause }
  if (status >= 500 || status === 429 || status === 408) return { kind: 'again', why: `the site answered ${status}` }
  const isPage = /^\s*text\/html/i.test(response.headers['content-type'] ?? '')
  if (want === 'bytes' && status === 200 && isPage) return { kind: 'again', why: 'the site answered with a page' }
  if (want !== 'json') return { kind: 'done', asked: { ok: true, response, json: undefined } }
  const json = readJson(response.bytes)
  if (json === undefined || isUsable?.(json, status) === false)
    return { kind: 'again', why: `the site answered ${status} with something else than was asked for` }
  return { kind: 'done', asked: { ok: true, response, json } }
}
