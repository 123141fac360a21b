import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { type MessageId, messageOf } from './translate.ts'

/** An English message with its arguments as `{name}`, for documents: `Wait {seconds} seconds.` */
export function writtenMessage(id: MessageId): string {
  return written(parse(messageOf('en', id), { ignoreTag: true }), '')
}

/** The forms of a message that is one plural, by category, with its argument as `{count}`: for scripts in browsers. */
export function pluralForms(language: string, id: MessageId): Readonly<Record<string, string>> {
  const [plural] = parse(messageOf(language, id), { ignoreTag: true })
  if (plural?.type !== TYPE.plural) throw new Error(`${id} is no plural in ${language}`)
  const forms = Object.entries(plural.options).map(([category, { value }]) => [category, written(value, '{count}')])
  return Object.fromEntries(forms)
}

function written(elements: readonly MessageFormatElement[], number: string): string {
  return elements.map((element) => writtenElement(element, number)).join('')
}

/** Of a plural the form for many is written. */
function writtenElement(element: MessageFormatElement, number: string): string {
  if (element.type === TYPE.literal) return element.value
  if (element.type === TYPE.pound) return number
  if (element.type === TYPE.plural) return written(element.options['other']?.value ?? [], `{${element.value}}`)
  return element.type === TYPE.argument ? `{${element.value}}` : ''
}
