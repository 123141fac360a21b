/** An element of an XML document. */
export interface XmlElement {
  /** With its prefix: `atom:link`. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text in it, that of its children left out; '' for none. */
  readonly text: string
}

/** What XML 1.0 allows in a document. */
const CHARACTERS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads an XML document as strictly as readers of feeds do: no document type, sections or comments. @throws Error where it is not well formed */
export function parseXml(document: string): XmlElement {
  if (!CHARACTERS.test(document)) throw new Error('a character that XML does not have')
  const source = document.replace(/^<\?xml version="1\.0" encoding="utf-8"\?>\n/, '')
  if (source === document) throw new Error('no declaration at the beginning')
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  let at = 0
  for (const found of source.matchAll(/<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    read(open, source.slice(at, found.index))
    at = found.index + found[0].length
    const [, isEnd, name = '', attributes = '', isEmpty] = found
    if (isEnd === '/') close(open, name)
    else {
      const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' }
      open.at(-1)?.children.push(element)
      if (isEmpty !== '/') open.push(element)
    }
  }
  read(open, source.slice(at))
  const [element, ...others] = root.children
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> has no end`)
  if (element === undefined || others.length > 0 || root.text.trim() !== '') throw new Error('not exactly one element')
  return element
}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Open[]
  text: string
}

function read(open: readonly Open[], text: string): void {
  const element = open.at(-1)
  if (/[<>]/.test(text.replaceAll('&gt;', ''))) throw new Error(`markup in a text: ${text.slice(0, 80)}`)
  if (element !== undefined) element.text += decoded(text)
}

function close(open: Open[], name: string): void {
  const element = open.pop()
  if (element?.name !== name) throw new Error(`</${name}> ends <${element?.name}>`)
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)])
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`an attribute twice: ${text}`)
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  return text.replaceAll(/&([^;&\s]{0,10};?)/g, (whole, reference: string) => {
    const number = /^#(?:x([\da-f]+)|(\d+));$/i.exec(reference)
    const code =
      number === null ? Number.NaN : Number.parseInt(number[1] ?? number[2] ?? '', number[1] === undefined ? 10 : 16)
    const character = Number.isNaN(code) ? ENTITIES[reference.replace(/;$/, '')] : String.fromCodePoint(code)
    if (character === undefined || !reference.endsWith(';') || !CHARACTERS.test(character))
      throw new Error(`no reference: ${whole}`)
    return character
  })
}
