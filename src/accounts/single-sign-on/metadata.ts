import type { JSONWebKeySet } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { type Failure, fail } from '../../base/errors.ts'
import type { ProviderFetch } from './outgoing.ts'
import type { Provider } from './providers.ts'

/** How long discovery and keys are used unless something else is said, milliseconds. */
const LIFETIME = 3_600_000

/** How often keys are read again for one that is unknown, milliseconds. */
const REFRESH = 60_000

/** What a provider publishes about itself. */
export interface Published {
  /** @throws provider_unavailable, provider_not_usable */
  metadata(): Promise<ServerMetadata>
  /** Its keys, as they were read within their lifetime. @throws as `metadata` */
  keys(): Promise<JSONWebKeySet>
  /** Its keys, read again; undefined where that was done within a minute. @throws as `metadata` */
  newKeys(): Promise<JSONWebKeySet> | undefined
}

/** Reads what a provider publishes on first use; requests that come at once share what is read. */
export function publishedBy(
  provider: Pick<Provider, 'issuer' | 'label'>,
  fetch: ProviderFetch,
  { now, lifetime = LIFETIME }: { readonly now: () => number; readonly lifetime?: number },
): Published {
  const metadata = cached({ now, lifetime }, () => discover(provider, fetch))
  const keys = cached({ now, lifetime }, async () => readKeys(provider, fetch, (await metadata()).jwks_uri))
  let refreshedAt = Number.NEGATIVE_INFINITY
  return {
    metadata,
    keys,
    newKeys: () => {
      if (now() - refreshedAt < REFRESH) return undefined
      refreshedAt = now()
      return keys(true)
    },
  }
}

/** The value of `read`, which is called again after its lifetime, after it has failed, and where a new one is asked for. */
function cached<Value>(
  { now, lifetime }: { readonly now: () => number; readonly lifetime: number },
  read: () => Promise<Value>,
): (isNew?: boolean) => Promise<Value> {
  let held: { readonly at: number; readonly value: Promise<Value> } | undefined
  return (isNew = false) => {
    if (held !== undefined && !isNew && now() - held.at < lifetime) return held.value
    const value = read()
    held = { at: now(), value }
    value.catch(() => {
      if (held?.value === value) held = undefined
    })
    return value
  }
}

async function discover({ issuer, label }: Pick<Provider, 'issuer' | 'label'>, fetch: ProviderFetch) {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await readJson(label, address, fetch)
  if (found['issuer'] !== issuer) throw differs(label, { what: 'issuer', ours: issuer, theirs: found['issuer'] })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    if (typeof found[name] !== 'string') throw notUsable(label, `${address} has no ${name}`)
  return found as unknown as ServerMetadata
}

async function readKeys(
  { label }: Pick<Provider, 'label'>,
  fetch: ProviderFetch,
  address = '',
): Promise<JSONWebKeySet> {
  const found = await readJson(label, address, fetch)
  if (!Array.isArray(found['keys'])) throw notUsable(label, `${address} has no keys`)
  return found as unknown as JSONWebKeySet
}

async function readJson(label: string, address: string, fetch: ProviderFetch): Promise<Record<string, unknown>> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  const { status } = response
  if (status !== 200) throw notUsable(label, `${address} answers ${status}`)
  const found: unknown = await response.json().catch(() => undefined)
  if (typeof found !== 'object' || found === null) throw notUsable(label, `${address} is not JSON`)
  return found as Record<string, unknown>
}

/** The failure of a provider that is set up in another way than this site expects. */
export function notUsable(provider: string, reason: string): Failure {
  return fail('provider_not_usable', { provider, reason })
}

/** The failure of a value that is not what was expected; it names both. */
export function differs(
  provider: string,
  { what, ours, theirs }: { readonly what: string; readonly ours: unknown; readonly theirs: unknown },
): Failure {
  const text = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
  return notUsable(provider, `${what} is ${text(ours)}, the provider says ${text(theirs)}`)
}
