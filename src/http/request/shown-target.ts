/** Longest address in a log line, in characters. */
const MOST = 1000

/** Names of parameters whose values may be secrets. */
const SECRET = /passw|pwd|secret|token|nonce|signature|session|credential|auth|api_?key|jwt/i

/**
 * The URL of a request for a log: the values of passwords, tokens and the like are `***`, user and password before a
 * host are removed, and more than 1,000 characters are cut with `…`.
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
    // A URL inside a URL has parameters of its own.
    return /[&;?]/.test(decoded(pair)) && SECRET.test(decoded(pair)) ? hidden : pair
  })
}

/** Decoded twice, for what is encoded in a URL inside a URL. */
function decoded(text: string): string {
  return decodedOnce(decodedOnce(text))
}

function decodedOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
