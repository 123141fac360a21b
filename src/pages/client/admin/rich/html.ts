// HTML of descriptions: read into the editor, written from it, and compared with what it was.
import { DOMSerializer, type Node as EditorNode, DOMParser as EditorParser, type Schema } from 'prosemirror-model'
import { attributesOf, STYLE } from './schema.ts'

/** A start tag with its attributes, and those between them that a browser would obey. */
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
const OBEYED = /"[^"]*"|'[^']*'|\sstyle(?=\s*=)|\son[a-z]+(?=\s*=)/gi

/** Name that handlers of events have until they are removed. */
const HANDLER = 'data-kalends-handler'

/** HTML without attributes that the policy of the page refuses even in documents that nobody sees. */
export function withoutObeyed(markup: string): string {
  return markup.replaceAll(TAG, (tag) =>
    tag.replaceAll(OBEYED, (found) => {
      if (!/^\s/.test(found)) return found
      return ` ${found.trim().toLowerCase() === 'style' ? STYLE : HANDLER}`
    }),
  )
}

/** The elements of a text in a document of their own, in which nothing runs and nothing is loaded. */
function bodyOf(markup: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(withoutObeyed(markup), 'text/html')
  for (const element of body.querySelectorAll(`[${HANDLER}]`)) element.removeAttribute(HANDLER)
  return body
}

const BLANK_LINE = /\n[ \t]*(?:\n[ \t]*)+/

/** Elements that stand by themselves; text beside them is in paragraphs once it is stored. */
export type IsBlock = (name: string) => boolean

/**
 * The elements of what stands in the text field. As the server reads it, text outside of blocks is in paragraphs: a blank
 * line starts another one, a single line end is a line break.
 */
export function blocksOf(text: string, isBlock: IsBlock): HTMLElement {
  const body = bodyOf(text)
  const parts: string[] = []
  let run = ''
  const end = (): void => {
    for (const one of run.split(BLANK_LINE).map((part) => part.trim())) {
      if (one !== '') parts.push(`<p>${one.replaceAll(/(?:<br[^>]*>)?[ \t]*\n/g, '<br>')}</p>`)
    }
    run = ''
  }
  for (const node of body.childNodes) {
    const isRunning = !(node instanceof Element) || !isBlock(node.localName)
    if (isRunning) run += node instanceof Element ? node.outerHTML : escaped(node.textContent ?? '')
    else {
      end()
      parts.push(node.outerHTML)
    }
  }
  end()
  return bodyOf(parts.join('\n'))
}

/** What the editor makes of these elements. */
export function readBlocks(schema: Schema, blocks: HTMLElement): EditorNode {
  return EditorParser.fromSchema(schema).parse(blocks)
}

/** Writes the elements of the editor as they are stored, whatever it shows in their place. */
export function fullSerializer(schema: Schema): DOMSerializer {
  const nodes = DOMSerializer.nodesFromSchema(schema)
  const marks = DOMSerializer.marksFromSchema(schema)
  const complete = (written: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(written.map(([name, value]) => [name === 'style' ? STYLE : name, value]))
  for (const [name, type] of Object.entries(schema.nodes)) {
    if (type.spec.attrs?.['written'] !== undefined)
      nodes[name] = (node) =>
        type.isLeaf ? [name, complete(attributesOf(node))] : [name, complete(attributesOf(node)), 0]
  }
  for (const name of ['kept', 'kept_inline'])
    nodes[name] = (node) => bodyOf(String(node.attrs['markup'])).firstElementChild ?? ['span']
  nodes['line'] = () => ['div', { 'data-line': '' }, 0]
  for (const name of Object.keys(schema.marks)) marks[name] = (mark) => [name, complete(attributesOf(mark)), 0]
  return new DOMSerializer(nodes, marks)
}

/** The text of a document for the text field: paragraphs of nothing but text as they are typed, everything else as HTML. */
export function writtenText(doc: EditorNode): string {
  const blocks = doc.content.content
  const isPlain = blocks.every(
    (block) =>
      block.type.name === 'p' &&
      attributesOf(block).length === 0 &&
      block.content.content.every((node) => node.isText && node.marks.length === 0 && !/[<>&]/.test(node.text ?? '')),
  )
  if (isPlain)
    return blocks
      .map((block) => block.textContent.trim())
      .filter((text) => text !== '')
      .join('\n\n')
  const inert = document.implementation.createHTMLDocument('')
  const written = fullSerializer(doc.type.schema).serializeFragment(besides(doc).content, { document: inert })
  return [...written.childNodes].map((node) => markupOf(node)).join('\n')
}

/** Lines that stand by themselves, or beside each other, are paragraphs: nothing else would separate them. */
function besides(node: EditorNode): EditorNode {
  const { p, line } = node.type.schema.nodes
  const children = node.content.content
  const isTop = node.type.name === 'doc'
  const changed = children.map((child, index) => {
    const isBeside = [children[index - 1], children[index + 1]].some((one) => one?.type === line)
    if (child.type === line && p !== undefined && (isTop || isBeside)) return p.create(null, child.content)
    return child.isTextblock || child.isLeaf ? child : besides(child)
  })
  return node.type.create(node.attrs, changed, node.marks)
}

const VOIDS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr'])

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A node as HTML; a line break ends its line. Lines of the editor have no element. */
function markupOf(node: Node, isPre = false): string {
  if (!(node instanceof Element)) return escaped(node.textContent ?? '')
  const name = node.localName
  const isLine = name === 'div' && node.hasAttribute('data-line')
  const inPre = isPre || name === 'pre'
  const inner = [...node.childNodes].map((child) => markupOf(child, inPre)).join('')
  if (isLine) return inner
  const attributes = [...node.attributes].map(
    (one) => ` ${one.name === STYLE ? 'style' : one.name}="${escaped(one.value).replaceAll('"', '&quot;')}"`,
  )
  const start = `<${name}${attributes.join('')}>`
  if (VOIDS.has(name)) return name === 'br' && !isPre ? `${start}\n` : start
  // Browsers leave out a line end at the start of preformatted text.
  return `${start}${name === 'pre' && inner.startsWith('\n') ? '\n' : ''}${inner}</${name}>`
}

/** What readers see of some elements, and all that is written in their tags: equal for two texts that differ in nothing but spaces. */
export function outlineOf(body: HTMLElement, isBlock: IsBlock): string {
  const parts: string[] = []
  let isAfterSpace = true
  const say = (text: string, marks: readonly string[]): void => {
    const collapsed = text.replaceAll(/[ \t\r\n\f]+/g, ' ')
    const shown = isAfterSpace ? collapsed.trimStart() : collapsed
    if (shown === '') return
    isAfterSpace = shown.endsWith(' ')
    const key = [...new Set(marks)].sort().join('')
    for (const character of shown) parts.push(`${key}${character}`)
  }
  const edge = (text: string): void => {
    while (parts.at(-1)?.endsWith(' ') === true) parts.pop()
    parts.push(text)
    isAfterSpace = true
  }
  const walk = (node: Node, marks: readonly string[]): void => {
    if (!(node instanceof Element)) {
      if (node instanceof Text) say(node.data, marks)
      return
    }
    const tag = (node.cloneNode(false) as Element).outerHTML.replace(/<\/[a-z0-9]+>$/, '')
    const name = node.localName
    if (name === 'pre' || name === 'ruby') edge(node.outerHTML)
    else if (name === 'br') edge(tag)
    else if (isBlock(name)) {
      edge(`${tag}${marks.join('')}`)
      for (const child of node.childNodes) walk(child, marks)
      edge(`</${name}>`)
    } else if (node.childNodes.length === 0) {
      if (VOIDS.has(name) || node.attributes.length > 0) {
        parts.push(`${[...new Set(marks)].sort().join('')}${tag}`)
        isAfterSpace = false
      }
    } else for (const child of node.childNodes) walk(child, [...marks, tag])
  }
  for (const child of body.childNodes) walk(child, [])
  return parts.join('\u0000')
}
