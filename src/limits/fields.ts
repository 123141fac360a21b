import type { Draw } from './budget.ts'

/** The header fields of a response for which something was drawn; `{}` for nothing. */
export type LimitFields = Readonly<Record<string, string>>

const NO_FIELDS: LimitFields = Object.freeze({})

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): of each policy the budget with the least
 * left, where something was drawn from several, such as that of the address and that of the user.
 */
export function limitFields(draws: readonly Draw[]): LimitFields {
  const [first] = draws
  if (first === undefined) return NO_FIELDS
  if (draws.length === 1) return { 'ratelimit-policy': policyItem(first), ratelimit: limitItem(first) }
  const least = new Map<string, Draw>()
  for (const draw of draws) {
    const other = least.get(draw.policy.name)
    if (other === undefined || draw.left < other.left) least.set(draw.policy.name, draw)
  }
  const shown = [...least.values()]
  return { 'ratelimit-policy': shown.map(policyItem).join(', '), ratelimit: shown.map(limitItem).join(', ') }
}

function policyItem({ policy: { name, count, seconds } }: Draw): string {
  return `"${name}";q=${count};w=${seconds}`
}

function limitItem({ policy: { name }, left, seconds }: Draw): string {
  return `"${name}";r=${left};t=${seconds}`
}
