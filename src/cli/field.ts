import { DECLARED_TYPES, type DeclaredField } from '../model/kinds/declared-field.ts'
import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends field ...`: which further fields events have, beside those that every calendar knows. */
export function declareField(shell: CommandGroup): void {
  const field = group(shell, 'field', 'declare, list and remove custom fields of events (custom_fields)')
  const add = {
    usage: 'add <name>',
    summary: 'declare or change a field; once one is declared, events may only use declared fields',
    required: { '--type <TYPE>': DECLARED_TYPES.join(', ') },
    optional: {
      '--label <TEXT>': 'label on pages (default: the name)',
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
    called.show(added, ({ name, type }) => `Declared the field ${name} of type ${type}.\n`)
  })
  declare(field, { usage: 'list', summary: 'list the declared fields' }, async (called) => {
    called.show({ fields: await called.operate('listFields', {}) }, ({ fields }) => table(HEADING, fields.map(cells)))
  })
  const remove = { usage: 'remove <name>', summary: 'remove a declaration; events keep their values' }
  declare(field, remove, async (called) => {
    const removed = await called.operate('removeField', { name: called.argument(0) })
    called.show(removed, ({ name }) => `Removed the declaration of ${name}. Events keep their values.\n`)
  })
}

const HEADING = ['name', 'label', 'type', 'choices'] as const

function cells({ name, label, type, choices }: DeclaredField): string[] {
  return [name, label, type, choices.join(', ')]
}
