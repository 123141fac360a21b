import { trimSpaceEnd, trimSpaceStart } from './characters.ts'
import { isBlock } from './html-vocabulary.ts'
import type { Element, Node } from './tree.ts'

const BLANK_LINE = /\n[ \t]*(?:\n[ \t]*)+/

/** Elements whose content is no running text: a newline between sources is no line break. */
const OPAQUE: ReadonlySet<string> = new Set(['audio', 'iframe', 'ruby', 'video'])

const NO_ATTRIBUTES: Element['attributes'] = new Map()

/**
 * The nodes with paragraphs around running text (wire: events 1.4): blank lines separate `<p>` blocks, a single
 * newline is a `<br />`, blocks stay as they are, one newline stands between any two blocks. Text that is inside a
 * block already is never touched, so doing it twice changes nothing.
 */
export function paragraphs(nodes: readonly Node[]): Node[] {
  const blocks: Node[] = []
  let run: Node[] = []
  for (const node of nodes) {
    if (!standsAlone(node)) {
      run.push(node)
      continue
    }
    endRun(blocks, run)
    if (!isEmptyParagraph(node)) pushBlock(blocks, node)
    run = []
  }
  endRun(blocks, run)
  return blocks
}

function pushBlock(blocks: Node[], block: Element): void {
  if (blocks.length > 0) blocks.push('\n')
  blocks.push(block)
}

function standsAlone(node: Node): node is Element {
  return typeof node !== 'string' && (isBlock(node.name) || node.holdsBlock)
}

function isEmptyParagraph(node: Element): boolean {
  return node.name === 'p' && node.children.every((child) => typeof child === 'string' && trimSpaceEnd(child) === '')
}

/** Appends the paragraphs of running text, one for each part between blank lines; none for white space only. */
function endRun(blocks: Node[], run: readonly Node[]): void {
  let part: Node[] = []
  for (const node of run) {
    if (typeof node !== 'string') {
      part.push(node)
      continue
    }
    for (const [index, text] of node.split(BLANK_LINE).entries()) {
      if (index > 0) {
        pushParagraph(blocks, part)
        part = []
      }
      part.push(text)
    }
  }
  pushParagraph(blocks, part)
}

function pushParagraph(blocks: Node[], part: readonly Node[]): void {
  const children = withBreaks(trimmed(part))
  if (children.length > 0) pushBlock(blocks, { name: 'p', attributes: NO_ATTRIBUTES, children, holdsBlock: false })
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

/** The one `<br />` that stands for all: a description of short lines has half a million of them. */
const LINE_BREAK: Element = { name: 'br', attributes: NO_ATTRIBUTES, children: [], holdsBlock: false }

/** The nodes with a `<br />` before each newline of the text, except where one stands there already. */
function withBreaks(nodes: readonly Node[]): Node[] {
  const broken: Node[] = []
  for (const [index, node] of nodes.entries()) {
    if (typeof node === 'string') {
      breakLines(broken, node, { after: isBreak(nodes[index - 1]), before: isBreak(nodes[index + 1]) })
      continue
    }
    const stays = node.children.length === 0 || OPAQUE.has(node.name)
    broken.push(stays ? node : { ...node, children: withBreaks(node.children) })
  }
  return broken
}

/** Appends the lines of a text that stands `after` or `before` a line break. */
function breakLines(broken: Node[], text: string, beside: { readonly after: boolean; readonly before: boolean }): void {
  const lines = text.split('\n')
  const last = lines.length - 1
  for (const [at, line] of lines.entries()) {
    const start = at === 0 ? line : trimSpaceStart(line)
    const trimmed = at === last ? start : trimSpaceEnd(start)
    if (at === 0) {
      if (trimmed !== '') broken.push(trimmed)
      continue
    }
    const isThere =
      (at === 1 && beside.after && trimSpaceEnd(lines[0] ?? '') === '') ||
      (at === last && beside.before && trimmed === '')
    if (!isThere) broken.push(LINE_BREAK)
    broken.push(`\n${trimmed}`)
  }
}

function isBreak(node: Node | undefined): boolean {
  return typeof node === 'object' && node.name === 'br'
}
