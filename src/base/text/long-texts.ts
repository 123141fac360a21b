/** Characters from which on a text is cleaned and folded in another thread: some milliseconds. */
export const LONG_TEXT = 65_536

/** Characters of texts and results that are remembered, all together. */
const ROOM = 32_000_000

/** Derived from a text: clean HTML, its visible text, and that folded. */
export type DerivedText = 'clean' | 'seen' | 'folded'

type Results = { [making in DerivedText]?: string }

// By the text itself: a key that is put together of it would be another copy for the garbage collector each time.
const made = new Map<string, Results>()
let taken = 0

/** What another thread derived from a long text; undefined if that is still to do. */
export function recallMade(making: DerivedText, text: string): string | undefined {
  return text.length < LONG_TEXT ? undefined : made.get(text)?.[making]
}

/** Remembers what was derived from a long text until newer ones need its room. */
export function rememberMade(making: DerivedText, text: string, result: string): void {
  const results = made.get(text)
  if (text.length < LONG_TEXT || results?.[making] !== undefined) return
  if (results === undefined) taken += text.length
  taken += result.length
  made.set(text, { ...results, [making]: result })
  for (const [oldest, values] of made) {
    if (taken <= ROOM) return
    made.delete(oldest)
    taken -= [oldest, ...Object.values(values)].reduce((sum, one) => sum + one.length, 0)
  }
}
