import { encodeText } from './entities.ts'
import { allowedAttributes, breaksLine, isBlock, isVoid, type Vocabulary } from './html-vocabulary.ts'
import type { Attributes, Token } from './tokens.ts'

/** A piece of a tree: plain text or an element. */
export type Node = string | Element

/** An element with its content; `holdsBlock` says that a block is somewhere below it. */
export interface Element {
  readonly name: string
  readonly attributes: Attributes
  readonly children: Node[]
  holdsBlock: boolean
}

/** Deepest nesting, in elements; the tags of deeper ones are dropped, their text stays. */
const DEPTH_LIMIT = 100

/** Elements that are read as a kin of theirs. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['acronym', 'abbr'],
  ['center', 'div'],
  ['dir', 'ul'],
  ['fieldset', 'div'],
  ['form', 'div'],
  ['legend', 'div'],
  ['listing', 'pre'],
  ['strike', 's'],
  ['tt', 'code'],
])

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/** Which open element a start tag ends, unless another block lies between the two (HTML 13.2.6.4.7). */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  a: ['a'],
  dd: ['dd', 'dt'],
  dt: ['dd', 'dt'],
  li: ['li'],
  rp: ['rp', 'rt'],
  rt: ['rp', 'rt'],
  ...Object.fromEntries(HEADINGS.map((name) => [name, HEADINGS])),
}

/** The parts of a table and where each may stand. */
const TABLE_PARTS: Readonly<Record<string, readonly string[]>> = {
  caption: ['table'],
  col: ['colgroup', 'table'],
  colgroup: ['table'],
  tbody: ['table'],
  td: ['tr'],
  tfoot: ['table'],
  th: ['tr'],
  thead: ['table'],
  tr: ['tbody', 'tfoot', 'thead', 'table'],
}

const SECTIONS: readonly string[] = ['tbody', 'tfoot', 'thead', 'table']

/** An end tag never reaches out of these. */
const SCOPES: ReadonlySet<string> = new Set(['caption', 'table', 'td', 'th'])
const LISTS: ReadonlySet<string> = new Set(['menu', 'ol', 'ul'])

interface Build {
  readonly root: Node[]
  readonly stack: Element[]
  readonly vocabulary: Vocabulary
}

/**
 * The tree of tokens: every element closed, only those of the vocabulary, no block inside a paragraph, parts of tables
 * only in tables, at most 100 deep. Text is never lost. Written and read again it is the same tree.
 */
export function buildTree(tokens: readonly Token[], vocabulary: Vocabulary): Node[] {
  const build: Build = { root: [], stack: [], vocabulary }
  for (const token of tokens) {
    if (token.kind === 'text') append(build, token.text)
    else if (token.kind === 'open') open(build, RENAMED.get(token.name) ?? token.name, token.attributes)
    else close(build, RENAMED.get(token.name) ?? token.name)
  }
  return build.root
}

/** A start tag as `writeTree` writes it: `<br />` for void elements, attributes in double quotes, `&`, `<`, `>` encoded. */
export function startTagOf({ name, attributes }: Element): string {
  if (attributes.size === 0) return bareTagOf(name)
  let tag = `<${name}`
  for (const [key, value] of attributes) tag += ` ${key}="${encodeText(value).replaceAll('"', '&quot;')}"`
  return isVoid(name) ? `${tag} />` : `${tag}>`
}

/** The start tags without attributes that were written before, by name: there are only those of the vocabularies. */
const bareTags = new Map<string, string>()

function bareTagOf(name: string): string {
  const known = bareTags.get(name)
  if (known !== undefined) return known
  const tag = isVoid(name) ? `<${name} />` : `<${name}>`
  bareTags.set(name, tag)
  return tag
}

/** Writes nodes as HTML: the text encoded, every element closed, its start tag as `startTag` gives it. */
export function writeTree(nodes: readonly Node[], startTag: (element: Element) => string = startTagOf): string {
  let html = ''
  for (const node of nodes) {
    if (typeof node === 'string') {
      html += encodeText(node)
      continue
    }
    html += startTag(node)
    if (!isVoid(node.name)) html += `${writeTree(node.children, startTag)}</${node.name}>`
  }
  return html
}

function append(build: Build, node: Node): void {
  const siblings = build.stack.at(-1)?.children ?? build.root
  const last = siblings.at(-1)
  if (typeof node === 'string' && typeof last === 'string') siblings[siblings.length - 1] = last + node
  else siblings.push(node)
}

function open(build: Build, name: string, attributes: Attributes): void {
  const { stack, vocabulary } = build
  const kept = allowedAttributes(name, attributes, vocabulary)
  if (kept === undefined) {
    separate(build, name)
    return
  }
  if (isBlock(name)) endOpen(stack, ['p'])
  if (Object.hasOwn(ENDS, name)) endOpen(stack, ENDS[name] ?? [])
  if (!isVoid(name) && !hasRoom(stack, 1)) {
    separate(build, name)
    return
  }
  if (Object.hasOwn(TABLE_PARTS, name) && !enterTable(build, name)) return
  push(build, { name, attributes: kept, children: [], holdsBlock: false })
}

/** Keeps the words around a dropped tag apart where a reader would see a new line. */
function separate(build: Build, name: string): void {
  if (breaksLine(name)) append(build, '\n')
}

function push(build: Build, element: Element): void {
  const { stack } = build
  append(build, element)
  if (isBlock(element.name)) {
    for (const outer of stack.toReversed()) {
      if (outer.holdsBlock) break
      outer.holdsBlock = true
    }
  }
  if (!isVoid(element.name)) stack.push(element)
}

/** Room for `count` more elements; text outside of any block gets a paragraph around it later, which counts too. */
function hasRoom(stack: readonly Element[], count: number): boolean {
  const outermost = stack[0]
  const paragraph = outermost === undefined || !isBlock(outermost.name) ? 1 : 0
  return stack.length + paragraph + count <= DEPTH_LIMIT
}

/** Ends the innermost open element of these names, if no other block lies above it. */
function endOpen(stack: Element[], names: readonly string[]): void {
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    const name = stack[index]?.name ?? ''
    if (names.includes(name)) {
      stack.length = index
      return
    }
    if (isBlock(name)) return
  }
}

/** Ends what is open down to where this part of the innermost table may stand; false outside of tables. */
function enterTable(build: Build, name: string): boolean {
  const { stack } = build
  const table = stack.findLastIndex((element) => element.name === 'table')
  if (table < 0) return false
  const parents = TABLE_PARTS[name] ?? []
  const row = parents.includes('tr')
  const wanted = row ? [...parents, ...SECTIONS] : parents
  while (stack.length > table + 1 && !wanted.includes(stack.at(-1)?.name ?? '')) stack.pop()
  if (!row || stack.at(-1)?.name === 'tr') return true
  if (!hasRoom(stack, 2)) return false
  push(build, { name: 'tr', attributes: new Map(), children: [], holdsBlock: false })
  return true
}

function close(build: Build, name: string): void {
  const { stack } = build
  for (let index = stack.length - 1; index >= 0; index -= 1) {
    const inner = stack[index]?.name ?? ''
    if (inner === name) {
      stack.length = index
      return
    }
    if (SCOPES.has(inner) && (inner === 'table' || !Object.hasOwn(TABLE_PARTS, name))) break
    if (name === 'li' && LISTS.has(inner)) break
  }
  if (!Object.hasOwn(build.vocabulary.elements, name)) separate(build, name)
}
