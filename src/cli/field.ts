import { DECLARED_TYPES, type DeclaredField } from '../model/kinds/declared-field.ts'
import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends field ...`: which further fields events have, beside those that every calendar knows. */
export function declareField(shell: CommandGroup): void {
  const field = group(shell, 'field', 'declare, list and remove further fields of events (custom_fields)')
  const add = {
    usage: 'add <name>',
    summary: 'declare a field, or change one; from the first one on, events may have declared fields only',
    required: { '--type <TYPE>': DECLARED_TYPES.join(', ') },
    optional: {
      '--label <TEXT>': 'what people read; the name when not given',
      '--choices <LIST>': 'values of a choice, separated by commas',
    },
  }
  declare(field, add, async (called) => {
    const added = await called.operate('addField', {
      name: called.argument(0),
      type: called.option('type') ?? '',
      label: called.option('label'),
      choices: called.option('choices'),
    })
    called.show(added, ({ name, type }) => `Events may have the field ${name}, of type ${type}.\n`)
  })
  declare(field, { usage: 'list', summary: 'list the declared fields' }, async (called) => {
    called.show({ fields: await called.operate('listFields', {}) }, ({ fields }) => table(HEADING, fields.map(cells)))
  })
  const remove = { usage: 'remove <name>', summary: 'take a declaration back; values that events have stay' }
  declare(field, remove, async (called) => {
    const removed = await called.operate('removeField', { name: called.argument(0) })
    called.show(removed, ({ name }) => `The field ${name} is no longer declared. Values of events stay.\n`)
  })
}

const HEADING = ['name', 'label', 'type', 'choices'] as const

function cells({ name, label, type, choices }: DeclaredField): string[] {
  return [name, label, type, choices.join(', ')]
}
