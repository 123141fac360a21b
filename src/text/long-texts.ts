/** Characters from which on a text is cleaned and folded in another thread: some milliseconds. */
export const LONG_TEXT = 65_536

/** Characters of texts and results that are remembered, all together. */
const ROOM = 32_000_000

/** What is made of a text: clean HTML, what readers see of it, and that folded. */
export type DerivedText = 'clean' | 'seen' | 'folded'

const made = new Map<string, string>()
let taken = 0

/** What was made of a long text, in another thread; undefined where that is to be made now. */
export function recallMade(making: DerivedText, text: string): string | undefined {
  return text.length < LONG_TEXT ? undefined : made.get(making + text)
}

/** Remembers what was made of a long text until so many others were that it has no room any more. */
export function rememberMade(making: DerivedText, text: string, result: string): void {
  const key = making + text
  if (text.length < LONG_TEXT || made.has(key)) return
  made.set(key, result)
  taken += key.length + result.length
  for (const [oldest, value] of made) {
    if (taken <= ROOM) return
    made.delete(oldest)
    taken -= oldest.length + value.length
  }
}
