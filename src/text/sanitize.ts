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
 * The last gate of every stored text: the well-known sanitiser, held to the same vocabulary. It gets only HTML that
 * was written by our own tree, closed and not deep, because it takes quadratic time on hostile nesting.
 */
export function sanitize(html: string, vocabulary: Vocabulary): string {
  return sanitizeHtml(html, optionsFor(vocabulary))
}

/**
 * Writes a tree as `sanitize` would let it through, in a fraction of the time: in closed HTML whose text is encoded
 * the sanitiser decides about each start tag by itself, so it is asked once about each different one.
 */
export function sanitizeTree(nodes: readonly Node[], vocabulary: Vocabulary): string {
  const elements = new Map<string, Element>()
  collect(nodes, elements)
  const alone = Array.from(elements.values(), (element) => ({ ...element, children: [] }))
  const passed = sanitize(writeTree(alone), vocabulary).match(START_TAG) ?? []
  // Whatever does not pass one for one has content to be judged, too.
  if (passed.length !== elements.size) return sanitize(writeTree(nodes), vocabulary)
  const tags = new Map(Array.from(elements.keys(), (tag, index) => [tag, passed[index] ?? '']))
  return writeTree(nodes, (element) => tags.get(startTagOf(element)) ?? '')
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
