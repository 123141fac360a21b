import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { sendRequest } from '../../base/outgoing/request.ts'

/** What became of an address of the former site. */
export interface CheckedLink {
  readonly address: string
  /** `ok` and `moved` are found; `elsewhere` leads to another site, which is not asked. */
  readonly outcome: 'ok' | 'moved' | 'elsewhere' | 'broken'
  /** Status or reason of the last request. */
  readonly status: number | string
  /** Where the last redirect leads. */
  readonly location?: string
}

/** How addresses are checked. */
export interface LinkChecking {
  /** Origin of the server that is asked, without a slash at its end. */
  readonly base: string
  /** Origins whose redirects lead to the same server. */
  readonly own: readonly string[]
  /** Requests at a time. */
  readonly concurrency: number
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

const MOST_REDIRECTS = 10

const MOVED = [301, 302, 303, 307, 308]

/** Asks the server for the path of every address; the results are in the same order. */
export async function checkLinks(addresses: readonly string[], checking: LinkChecking): Promise<CheckedLink[]> {
  const results: CheckedLink[] = []
  const options = { keepAlive: true, maxSockets: checking.concurrency }
  const agents = { http: new Agent(options), https: new SecureAgent(options) }
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    for (let index = next++; index < addresses.length; index = next++) {
      results[index] = await checkLink(addresses[index] ?? '', checking, agents)
      done += 1
      checking.onProgress({ done, total: addresses.length })
    }
  }
  try {
    await Promise.all(Array.from({ length: checking.concurrency }, work))
  } finally {
    agents.http.destroy()
    agents.https.destroy()
  }
  return results
}

type Agents = { readonly http: Agent; readonly https: SecureAgent }

async function checkLink(address: string, { base, own }: LinkChecking, agents: Agents): Promise<CheckedLink> {
  let path = pathOf(address)
  if (path === undefined) return { address, outcome: 'broken', status: 'no address' }
  let location: string | undefined
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const request = { method: 'HEAD', redirects: 0, gate: () => true, limit: 10_000_000, patience: 60_000, agents }
    const sent = await sendRequest(base + path, request)
    const to = location === undefined ? {} : { location }
    if (!sent.ok) return { address, outcome: 'broken', status: sent.reason.replaceAll('_', ' '), ...to }
    const { status, headers } = sent.response
    if (status === 200) return { address, outcome: location === undefined ? 'ok' : 'moved', status, ...to }
    if (!MOVED.includes(status) || headers.location === undefined) return { address, outcome: 'broken', status, ...to }
    const target = new URL(headers.location, base + path)
    location = target.href
    if (!own.includes(target.origin)) return { address, outcome: 'elsewhere', status, location }
    // What moves for a while is no lasting place for links.
    if (status !== 301 && status !== 308) return { address, outcome: 'broken', status, location }
    path = target.pathname + target.search
  }
  return { address, outcome: 'broken', status: 'too many redirects', ...(location !== undefined && { location }) }
}

/** Path and query of an address, or of a path; undefined otherwise. */
function pathOf(address: string): string | undefined {
  const url = URL.canParse(address, 'http://localhost') ? new URL(address, 'http://localhost') : undefined
  return url === undefined || !/^https?:$/.test(url.protocol) ? undefined : url.pathname + url.search
}
