import { translate } from '../../base/i18n/translate.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import { FIELDS, TIMES } from '../schemas.ts'
import type { Resource } from '../tool.ts'
import { ARGUMENTS } from '../tools/writes.ts'

/** What the arguments of the tools that write events mean, from the fields of events. */
export const FIELDS_HELP: Resource = {
  uri: 'kalends://help/fields',
  name: 'fields',
  title: 'Fields of events',
  description: 'What the fields of an event mean, for the tools that create and change events',
  mimeType: 'text/markdown',
  read: async () => HELP,
}

const NAMES: Readonly<Record<string, string>> = ARGUMENTS
const IS_ARGUMENT: ReadonlySet<string> = new Set([...Object.keys(TIMES), ...Object.keys(FIELDS)])

const ROWS = EVENT_FIELDS.flatMap(({ name, description, kind }) => {
  const argument = NAMES[name] ?? name
  if (!IS_ARGUMENT.has(argument)) return []
  return [`| \`${argument}\` | ${kind.control ?? ''} | ${translate('en', description)} |`]
})

const HELP = ['# Fields of events', '', '| Field | Kind | Meaning |', '|---|---|---|', ...ROWS, ''].join('\n')
