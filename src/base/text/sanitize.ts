import sanitizeHtml, { type IOptions } from 'sanitize-html'
import { LINK_SCHEMES, MEDIA_SCHEMES, type Vocabulary } from './html-vocabulary.ts'
import { type Element, type Node, startTagOf, writeTree } from './tree.ts'

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,24}$/i, /^(?:rgb|hsl)a?\([0-9., %/deg]{1,40}\)$/i]
const LENGTH = [/^auto$/i, /^[0-9]{1,5}(?:\.[0-9]{1,3})?(?:px|em|rem|%)?$/i]

/** The few properties that writers set on purpose; none can load anything or leave the place of the text. */
const STYLES = {
  'background-color': COLOR,
  color: COLOR,
  'font-style': [/^(?:normal|italic|oblique)$/i],
  'font-weight': [/^(?:normal|bold|bolder|lighter|[1-9]00)$/i],
  height: LENGTH,
  'list-style-type': [/^[a-z-]{3,24}$/i],
  'max-width': LENGTH,
  'text-align': [/^(?:left|right|center|justify|start|end)$/i],
  'text-decoration': [/^(?:none|underline|line-through|overline)$/i],
  'vertical-align': [/^(?:baseline|top|middle|bottom|sub|super)$/i],
  width: LENGTH,
}

/**
 * The last gate of every stored text: the well-known sanitizer, held to the same vocabulary. It gets only HTML that
 * was written by our own tree, closed and not deep, because it takes quadratic time on hostile nesting.
 */
export function sanitize(html: string, vocabulary: Vocabulary): string {
  return sanitizeHtml(html, held(vocabulary).options)
}

/**
 * Writes a tree as `sanitize` would let it through, in a fraction of the time: in closed HTML whose text is encoded
 * the sanitizer decides about each start tag by itself, so it is asked once about each different one, and only once
 * ever about those without attributes.
 */
export function sanitizeTree(nodes: readonly Node[], vocabulary: Vocabulary): string {
  const { plain } = held(vocabulary)
  const elements = new Map<string, Element>()
  collect(nodes, elements)
  const asked = Array.from(elements).filter(([tag]) => !plain.has(tag))
  const passed = asked.length === 0 ? [] : passedOf(asked, vocabulary)
  // Whatever does not pass one for one has content to be judged, too.
  if (passed.length !== asked.length) return sanitize(writeTree(nodes), vocabulary)
  const tags = new Map(asked.map(([tag], index) => [tag, passed[index] ?? '']))
  for (const [tag, element] of asked) if (isPlain(element, vocabulary)) plain.set(tag, tags.get(tag) ?? '')
  return writeTree(nodes, (element) => {
    const tag = startTagOf(element)
    return tags.get(tag) ?? plain.get(tag) ?? ''
  })
}

/** The start tags that the sanitizer lets through. */
function passedOf(asked: readonly (readonly [string, Element])[], vocabulary: Vocabulary): readonly string[] {
  const alone = asked.map(([, element]) => ({ ...element, children: [] }))
  return sanitize(writeTree(alone), vocabulary).match(START_TAG) ?? []
}

/** There are no more of these than a vocabulary has elements. */
function isPlain({ name, attributes }: Element, { elements }: Vocabulary): boolean {
  return attributes.size === 0 && Object.hasOwn(elements, name)
}

/** Cached for a vocabulary. */
interface Held {
  readonly options: IOptions
  /** What the sanitizer makes of start tags without attributes. */
  readonly plain: Map<string, string>
}

const heldOf = new WeakMap<Vocabulary, Held>()

function held(vocabulary: Vocabulary): Held {
  const known = heldOf.get(vocabulary) ?? { options: optionsFor(vocabulary), plain: new Map() }
  heldOf.set(vocabulary, known)
  return known
}

/** A start tag in HTML whose attributes have `<` and `>` encoded. */
const START_TAG = /<[a-z][^>]*>/g

/** Gathers one element for each different start tag. */
function collect(nodes: readonly Node[], elements: Map<string, Element>): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    const tag = startTagOf(node)
    if (!elements.has(tag)) elements.set(tag, node)
    collect(node.children, elements)
  }
}

function optionsFor({ elements, common, iframeHosts }: Vocabulary): IOptions {
  const media = Array.from(MEDIA_SCHEMES)
  return {
    allowedTags: Object.keys(elements),
    allowedAttributes: {
      ...Object.fromEntries(Object.entries(elements).map(([name, own]) => [name, Array.from(own)])),
      '*': Array.from(common),
    },
    allowedSchemes: Array.from(LINK_SCHEMES),
    allowedSchemesByTag: { audio: media, iframe: media, img: media, source: media, track: media, video: media },
    allowedIframeHostnames: Array.from(iframeHosts),
    allowedStyles: { '*': STYLES },
    selfClosing: ['br', 'col', 'hr', 'img', 'source', 'track', 'wbr'],
  }
}
