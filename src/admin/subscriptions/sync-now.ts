import { setTimeout as wait } from 'node:timers/promises'
import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { type PageRequest, redirect } from '../page-request.ts'
import { API_PATH } from './words.ts'

/** Milliseconds that a page waits for a sync; a longer one continues by itself. */
const PATIENCE = 8_000

/** Syncs a subscription and shows a page, which says that it is synced unless it failed or continues. @throws subscription-not-found */
export async function syncNow(
  request: PageRequest,
  { id, back }: { readonly id: string; readonly back: string },
): Promise<PageResponse> {
  const { deps, incoming } = request
  const ended = new AbortController()
  const sync = deps.api(incoming, { method: 'POST', path: `${API_PATH}/${id}/sync` })
  sync.catch((err: unknown) => {
    if (ended.signal.aborted) deps.log.error({ err }, 'syncing a calendar subscription')
  })
  const late = wait(PATIENCE, undefined, { signal: ended.signal }).catch(() => undefined)
  try {
    const reply = await Promise.race([sync, late])
    const { problem, visiting } = (reply?.body ?? {}) as RawInput
    return redirect(problem === '' && visiting === false ? `${back}?done=synced` : back)
  } finally {
    ended.abort()
  }
}
