import { breaksLine } from './html-vocabulary.ts'
import { htmlTokens, type Token } from './tokens.ts'

/** Elements with an empty line before and after them. */
const SPACED: ReadonlySet<string> = new Set(
  'address article aside blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre section table ul'.split(' '),
)

/** Text that is being written, line by line. */
interface Writing {
  /** Never ends with a space. */
  text: string
  /** New lines that come before the next word. */
  breaks: number
  /** Whether a space comes before the next word of the same line. */
  isSpaced: boolean
  /** Whether the line has nothing but the mark of an item so far. */
  isMarked: boolean
  /** Where the link that is open leads, and where its text starts. */
  link: { readonly href: string; readonly from: number } | undefined
}

/**
 * The text that readers see in HTML, for programs that show plain text alone: entities decoded, tags, scripts and styles
 * removed, a line for each block and an empty one between paragraphs, `- ` before the items of lists, and behind the text
 * of a link its address where the text is another one. No line starts or ends with a space; `''` when nothing is seen.
 */
export function linesOfHtml(html: string): string {
  return linesOfTokens(htmlTokens(html))
}

/** The same of HTML that was read already, or of a part of it. */
export function linesOfTokens(tokens: readonly Token[]): string {
  const writing: Writing = { text: '', breaks: 0, isSpaced: false, isMarked: false, link: undefined }
  for (const token of tokens) {
    if (token.kind === 'text') write(writing, token.text.replace(/\s+/g, ' '))
    else if (token.name === 'a') follow(writing, token)
    else if (breaksLine(token.name)) breakLine(writing, token)
  }
  return writing.text
}

/** @param text with single spaces only */
function write(writing: Writing, text: string): void {
  const words = text.trim()
  if (text.startsWith(' ')) writing.isSpaced = true
  if (words === '') return
  const { breaks, isSpaced } = writing
  if (writing.text !== '') writing.text += breaks > 0 ? '\n'.repeat(breaks) : isSpaced ? ' ' : ''
  writing.text += words
  writing.breaks = 0
  writing.isSpaced = text.endsWith(' ')
  writing.isMarked = false
}

function breakLine(writing: Writing, { kind, name }: Tag): void {
  const isItem = name === 'li' && kind === 'open'
  // A paragraph at the start of an item stands beside its mark.
  if (writing.isMarked && kind === 'open' && !isItem) return
  writing.breaks = Math.max(writing.breaks, SPACED.has(name) ? 2 : 1)
  if (!isItem) return
  write(writing, '- ')
  writing.isMarked = true
}

type Tag = Exclude<Token, { kind: 'text' }>

function follow(writing: Writing, token: Tag): void {
  const { link, text } = writing
  if (token.kind === 'open') {
    const href = token.attributes.get('href') ?? ''
    writing.link = /^(https?|mailto):/i.test(href) ? { href, from: text.length } : undefined
    return
  }
  writing.link = undefined
  if (link === undefined) return
  const address = link.href.replace(/^mailto:/i, '')
  const isTold = text.length === link.from || text.slice(link.from).includes(address)
  if (!isTold) write(writing, ` (${address})`)
}
