import type { PageRequest } from './page-request.ts'

/** Where somebody goes on: only pages of the administration are led to, since whoever writes a link could name any other one. */
export function nextOf(request: PageRequest): string {
  const wanted = request.sent('next') || request.query('next')
  if (!/^\/admin(?:[/?][\w./?&=%+~-]*)?$/.test(wanted)) return '/admin'
  // Browsers resolve dots, also percent-encoded ones.
  const { pathname } = new URL(wanted, 'http://localhost')
  return /^\/admin(\/|$)/.test(pathname) ? wanted : '/admin'
}
