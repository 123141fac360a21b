import type { PageRequest } from './page-request.ts'

/** Logs a change of someone's rights; `about` never holds a password or a link. */
export function auditRights(
  { deps, incoming }: PageRequest,
  change: string,
  about: Readonly<Record<string, string | number>>,
): void {
  // Whoever opens a link has not signed in.
  deps.log.info({ change, by: incoming.caller.id === 0 ? 'link' : incoming.caller.name, ...about }, 'audit')
}
