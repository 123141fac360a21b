// What a description may hold, as ProseMirror sees it: everything is made from the vocabulary of the server.
import {
  type Attrs,
  type DOMOutputSpec,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema,
  type TagParseRule,
} from 'prosemirror-model'

/** The elements that the server stores, as the page lists them. */
export interface RichVocabulary {
  /** Elements by their kind. Those of `kept` and `keptInline` are not edited: they stay as they were written. */
  readonly inline: readonly string[]
  readonly texts: readonly string[]
  readonly containers: readonly string[]
  readonly kept: readonly string[]
  readonly keptInline: readonly string[]
  /** All that stand by themselves between paragraphs. */
  readonly blocks: readonly string[]
}

/** Names and values of attributes, in the order as written. */
type Written = readonly (readonly [name: string, value: string])[]

/** Name that an attribute `style` has in documents of the browser, whose policy would refuse and report it. */
export const STYLE = 'data-kalends-style'

/** The attributes of an element, as written. */
export function writtenAttributes(element: Element): Written {
  return [...element.attributes].map(({ name, value }) => [name === STYLE ? 'style' : name, value])
}

/** The attributes that something in the editor has in HTML. */
export function attributesOf({ attrs }: { readonly attrs: Attrs }): Written {
  return Array.isArray(attrs['written']) ? (attrs['written'] as Written) : []
}

/** What would be refused by the policy of the page, or means something else in it. */
const UNSHOWN: ReadonlySet<string> = new Set(['style', 'id', 'name', 'class', 'autofocus', 'tabindex'])

/** The attributes that are shown while someone writes. */
function shownAttributes(written: Written): Record<string, string> {
  return Object.fromEntries(written.filter(([name]) => !UNSHOWN.has(name) && !name.startsWith('on')))
}

const ATTRS = { written: { default: [] } }

function rule(tag: string): TagParseRule {
  return { tag, getAttrs: (element) => ({ written: writtenAttributes(element) }) }
}

function shown(name: string, written: Written): DOMOutputSpec {
  return [name, shownAttributes(written), 0]
}

/** An element with running text: a paragraph or a heading. */
function textNode(name: string): NodeSpec {
  const isPre = name === 'pre'
  return {
    group: 'block',
    content: 'inline*',
    attrs: ATTRS,
    defining: name !== 'p',
    parseDOM: [isPre ? { ...rule(name), preserveWhitespace: 'full' } : rule(name)],
    ...(isPre && { code: true }),
    toDOM: (node) => shown(name, attributesOf(node)),
  }
}

/** An element with others in it, or with running text of its own, which is a `line`. */
function containerNode(name: string): NodeSpec {
  return {
    group: 'block',
    content: name === 'ul' || name === 'ol' ? 'li+' : '(line | block)+',
    attrs: ATTRS,
    defining: true,
    parseDOM: [rule(name)],
    toDOM: (node) => shown(name, attributesOf(node)),
  }
}

/** An element without content. */
function emptyNode(name: string, others: NodeSpec): NodeSpec {
  return {
    ...others,
    attrs: ATTRS,
    parseDOM: [rule(name)],
    toDOM: (node) => [name, shownAttributes(attributesOf(node))],
  }
}

/** Something that is not edited here and stays as it was written, such as a table. */
function keptNode(names: readonly string[], group: 'block' | 'inline'): NodeSpec {
  const getAttrs = (element: HTMLElement) => ({ markup: element.outerHTML, name: element.localName })
  return {
    group,
    inline: group === 'inline',
    atom: true,
    attrs: { markup: { default: '' }, name: { default: '' } },
    parseDOM: names.map((tag) => ({ tag, getAttrs, priority: 60 })),
    toDOM: keptDom,
  }
}

/** What it says, behind the name of its element: nothing of it is loaded or obeyed. */
function keptDom({ attrs, isInline }: Node): DOMOutputSpec {
  const inert = new DOMParser().parseFromString(String(attrs['markup']), 'text/html')
  const text = (inert.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  return [isInline ? 'span' : 'div', { class: 'kept', 'data-name': String(attrs['name']) }, text.slice(0, 200) || '…']
}

function markSpec(name: string): MarkSpec {
  return {
    attrs: ATTRS,
    // Elements of one name may stand in each other, links may not.
    excludes: name === 'a' ? 'a' : '',
    inclusive: name !== 'a',
    parseDOM: [rule(name)],
    toDOM: ({ attrs }) => shown(name, attributesOf({ attrs })),
  }
}

/** The schema of a vocabulary. */
export function schemaOf({ inline, texts, containers, kept, keptInline }: RichVocabulary): Schema {
  const named = <Spec>(names: readonly string[], make: (name: string) => Spec): Record<string, Spec> =>
    Object.fromEntries(names.map((name) => [name, make(name)]))
  // The order decides: what stands first is what an empty place is filled with.
  return new Schema({
    nodes: {
      doc: { content: '(block | line)+' },
      ...named(['p', ...texts.filter((name) => name !== 'p')], textNode),
      line: { content: 'inline*', toDOM: () => ['div', 0] },
      ...named(containers, containerNode),
      li: {
        content: '(line | block)+',
        attrs: ATTRS,
        defining: true,
        parseDOM: [rule('li')],
        toDOM: (node) => shown('li', attributesOf(node)),
      },
      hr: emptyNode('hr', { group: 'block' }),
      kept: keptNode(kept, 'block'),
      text: { group: 'inline' },
      kept_inline: keptNode(keptInline, 'inline'),
      br: emptyNode('br', { group: 'inline', inline: true, selectable: false }),
      wbr: emptyNode('wbr', { group: 'inline', inline: true, selectable: false }),
      img: emptyNode('img', { group: 'inline', inline: true, draggable: true }),
    },
    // Links are around what is in them.
    marks: named(['a', ...inline.filter((name) => name !== 'a')], markSpec),
  })
}
