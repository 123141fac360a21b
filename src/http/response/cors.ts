const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'

/**
 * The CORS headers for a request from an origin: any origin may read, credentials only from those of the configuration
 * (decisions: CORS). `{}` without an Origin header.
 */
export function corsHeaders(origin: string | undefined, trusted: readonly string[]): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  const methods = { 'access-control-allow-methods': METHODS }
  if (!trusted.includes(origin)) return { 'access-control-allow-origin': '*', ...methods }
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', ...methods }
}
