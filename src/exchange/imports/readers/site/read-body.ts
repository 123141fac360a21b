/** Where JSON may start behind what a program has written before it. */
const MOST_BEGINNINGS = 20

/**
 * The JSON of a body, behind a byte order mark and behind notices that the site has written before or after it;
 * undefined if there is none, or only a part of it.
 */
export function readJson(bytes: Buffer): unknown {
  const text = new TextDecoder().decode(bytes)
  const whole = parsed(text)
  if (whole !== undefined) return whole
  let tries = 0
  for (const { index } of text.matchAll(/(?<=^|[>\s])[[{]/g)) {
    tries += 1
    if (tries > MOST_BEGINNINGS) return undefined
    const found = parsed(text.slice(index)) ?? parsed(untilEnd(text, index))
    if (typeof found === 'object') return found
  }
  return undefined
}

function untilEnd(text: string, start: number): string {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return text.slice(start, end + 1)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
