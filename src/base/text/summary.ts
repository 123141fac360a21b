import { singleSpaced } from './fold.ts'
import { breaksLine } from './html-vocabulary.ts'
import { htmlTokens } from './tokens.ts'

/** Ends of a block after which a sentence has ended, or goes on. */
const ENDED = /[.!?…:;,،؛؟。！？：；、)\]»”’"]$/u

const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff]$/u

/** Characters of HTML from which a summary is made: texts may be very long. */
const LOOKED_AT = 20_000

/** The text of HTML, or the beginning of a very long one, as sentences on one line: a block that ends without punctuation gets a full stop. */
export function sentencesOfHtml(html: string): string {
  let text = ''
  let isBlockOver = false
  const read = html.length <= LOOKED_AT ? html : html.slice(0, LOOKED_AT).replace(/<[^>]*$/, '')
  for (const token of htmlTokens(read)) {
    if (token.kind === 'text') {
      const isBlank = token.text.trim() === ''
      if (isBlockOver && !isBlank) text = `${withStop(text.trimEnd())} `
      text += token.text
      isBlockOver &&= isBlank
    } else if (breaksLine(token.name)) {
      text += ' '
      isBlockOver ||= token.name !== 'br' && text.trim() !== ''
    }
  }
  return singleSpaced(text)
}

function withStop(text: string): string {
  if (ENDED.test(text)) return text
  return WITHOUT_SPACES.test(text) ? `${text}。` : `${text}.`
}

/** The beginning of a text, at most so many characters, which ends behind a word: `An evening of jazz…`. */
export function cutAtWord(text: string, limit: number): string {
  const characters = [...text]
  if (characters.length <= limit) return text
  const start = characters.slice(0, limit).join('')
  const end = /^.*[\s、。，！？]/su.exec(start + characters[limit])?.[0].length ?? 0
  // Scripts without spaces, and very long words, are cut within.
  const kept = end > start.length * 0.6 ? start.slice(0, end) : start
  return `${kept.replace(/[\s.,;:–—-]+$/u, '')}…`
}
