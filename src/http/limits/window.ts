/** Longest text that stands for a client as it is, in characters. */
const LONGEST_KEY = 100

/** A text as a key in the tables of limits: strangers choose it, so it is cut to 100 characters. */
export function textKey(text: string): string {
  return text.length <= LONGEST_KEY ? text : text.slice(0, LONGEST_KEY)
}

/**
 * The end of the present window of a client, Unix milliseconds. Windows of a client follow each other without gaps;
 * those of different clients end at different moments, so that not all of them return at once.
 */
export function windowEnd(client: string, { now, length }: { readonly now: number; readonly length: number }): number {
  const shift = hashOf(client) % length
  return (Math.floor((now + shift) / length) + 1) * length - shift
}

/** A whole number of 31 bits; equal for equal texts, in every process. */
function hashOf(text: string): number {
  let hash = 7
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) & 0x7fffffff
  return hash
}
