/** Longest address in a log line, in characters. */
const MOST = 1000

/** Names of parameters whose values may open something. */
const SECRET = /passw|pwd|secret|token|nonce|signature|session|credential|auth|api_?key|jwt/i

/**
 * The address of a request as a log may hold it: the values of passwords, tokens and the like are `***`, user and password
 * in front of a host are gone, and what is longer than 1,000 characters ends in `…`.
 */
export function shownTarget(url: string): string {
  const cut = url.indexOf('?')
  const path = withoutUser(cut < 0 ? url : url.slice(0, cut))
  const shown = cut < 0 ? path : `${path}?${shownQuery(url.slice(cut + 1))}`
  return shown.length <= MOST ? shown : `${shown.slice(0, MOST)}…`
}

function withoutUser(path: string): string {
  return path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}

function shownQuery(query: string): string {
  // Pairs are split wherever some reader of queries would.
  return query.replace(/[^&;?]+/g, (pair) => {
    const cut = pair.indexOf('=')
    const name = cut < 0 ? pair : pair.slice(0, cut)
    const hidden = `${name}=***`
    if (SECRET.test(decoded(name))) return cut < 0 ? pair : hidden
    // An address inside an address has parameters of its own.
    return /[&;?]/.test(decoded(pair)) && SECRET.test(decoded(pair)) ? hidden : pair
  })
}

/** Decoded twice: what is encoded in an address inside an address counts as well. */
function decoded(text: string): string {
  return decodedOnce(decodedOnce(text))
}

function decodedOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
