import { trimSpaceEnd, trimSpaceStart } from './characters.ts'
import { isBlock } from './html-vocabulary.ts'
import type { Element, Node } from './tree.ts'

const BLANK_LINE = /\n[ \t]*(?:\n[ \t]*)+/

/** Elements whose content is no running text: a newline between sources is no line break. */
const OPAQUE: ReadonlySet<string> = new Set(['audio', 'iframe', 'ruby', 'video'])

/**
 * The nodes with paragraphs around running text (wire: events 1.4): blank lines separate `<p>` blocks, a single
 * newline is a `<br />`, blocks stay as they are, one newline stands between any two blocks. Text that is inside a
 * block already is never touched, so doing it twice changes nothing.
 */
export function paragraphs(nodes: readonly Node[]): Node[] {
  const groups: Element[][] = []
  let run: Node[] = []
  for (const node of nodes) {
    if (!standsAlone(node)) {
      run.push(node)
      continue
    }
    groups.push(paragraphsOf(run), isEmptyParagraph(node) ? [] : [node])
    run = []
  }
  groups.push(paragraphsOf(run))
  return groups.flat().flatMap((block, index) => (index === 0 ? [block] : ['\n', block]))
}

function standsAlone(node: Node): node is Element {
  return typeof node !== 'string' && (isBlock(node.name) || node.holdsBlock)
}

function isEmptyParagraph(node: Element): boolean {
  return node.name === 'p' && node.children.every((child) => typeof child === 'string' && trimSpaceEnd(child) === '')
}

/** The paragraphs of running text, one for each part between blank lines; `[]` for white space only. */
function paragraphsOf(run: readonly Node[]): Element[] {
  const parts: Node[][] = [[]]
  for (const node of run) {
    const [first, ...rest] = typeof node === 'string' ? node.split(BLANK_LINE) : [node]
    if (first !== undefined) parts.at(-1)?.push(first)
    for (const text of rest) parts.push([text])
  }
  return parts.flatMap((part) => {
    const children = withBreaks(trimmed(part))
    return children.length === 0 ? [] : [{ name: 'p', attributes: new Map(), children, holdsBlock: false }]
  })
}

/** The nodes without white space at both ends and without empty texts. */
function trimmed(nodes: readonly Node[]): Node[] {
  return nodes
    .map((node, index) => {
      if (typeof node !== 'string') return node
      const text = index === 0 ? trimSpaceStart(node) : node
      return index === nodes.length - 1 ? trimSpaceEnd(text) : text
    })
    .filter((node) => node !== '')
}

/** The nodes with a `<br />` before each newline of the text, except where one stands there already. */
function withBreaks(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node, index) => {
    if (typeof node !== 'string') {
      return [OPAQUE.has(node.name) ? node : { ...node, children: withBreaks(node.children) }]
    }
    const lines = node.split('\n')
    return lines.flatMap((line, at): Node[] => {
      const start = at === 0 ? line : trimSpaceStart(line)
      const text = at === lines.length - 1 ? start : trimSpaceEnd(start)
      if (at === 0) return text === '' ? [] : [text]
      const broken =
        (at === 1 && isBreak(nodes[index - 1]) && trimSpaceEnd(lines[0] ?? '') === '') ||
        (at === lines.length - 1 && isBreak(nodes[index + 1]) && text === '')
      return broken ? [`\n${text}`] : [lineBreak(), `\n${text}`]
    })
  })
}

function isBreak(node: Node | undefined): boolean {
  return typeof node === 'object' && node.name === 'br'
}

function lineBreak(): Element {
  return { name: 'br', attributes: new Map(), children: [], holdsBlock: false }
}
