import type { PageRequest } from './page-request.ts'

/** Where somebody goes on: only pages of the administration are led to, since whoever writes a link could name any other one. */
export function nextOf(request: PageRequest): string {
  const wanted = request.sent('next') || request.query('next')
  return /^\/admin(?:[/?][\w./?&=%+~-]*)?$/.test(wanted) && !wanted.includes('..') ? wanted : '/admin'
}
