function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code === 32 || code === 9 || code === 10
}

/** The text without spaces, tabs and newlines at its start; a no-break space stays. */
export function trimSpaceStart(text: string): string {
  let start = 0
  while (start < text.length && isSpace(text, start)) start += 1
  return text.slice(start)
}

/** The text without spaces, tabs and newlines at its end; a no-break space stays. */
export function trimSpaceEnd(text: string): string {
  // Not a regular expression: an anchored one takes quadratic time on long runs of spaces inside the text.
  let end = text.length
  while (end > 0 && isSpace(text, end - 1)) end -= 1
  return text.slice(0, end)
}
