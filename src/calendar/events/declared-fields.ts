import { fail } from '../../base/errors.ts'
import {
  type DeclarationInput,
  type DeclaredField,
  MOST_DECLARED,
  readDeclaration,
} from '../../model/kinds/declared-field.ts'
import type { Storage } from '../../storage/engine.ts'
import { declaredFields, removeDeclaredField, storeDeclaredField } from '../event-store/declared-fields.ts'

interface FieldDeps {
  readonly storage: Storage
}

/** The further fields of events that the site has declared, by name. */
export function listFields({ storage }: FieldDeps): Promise<DeclaredField[]> {
  return declaredFields(storage)
}

/** Declares a field, or changes the one with its name. @throws bad_field */
export async function addField({ storage }: FieldDeps, input: DeclarationInput): Promise<DeclaredField> {
  const read = readDeclaration(input)
  if (!read.ok) throw fail('bad_field', { name: input.name, reason: read.reason })
  return storage.write(async (tx) => {
    const others = (await declaredFields(tx)).filter(({ name }) => name !== read.field.name)
    if (others.length >= MOST_DECLARED)
      throw fail('bad_field', { name: input.name, reason: `there are ${MOST_DECLARED} fields already` })
    await storeDeclaredField(tx, read.field)
    return read.field
  })
}

/** Takes the declaration of a field back; what events have stays. @throws no_such_field */
export async function removeField({ storage }: FieldDeps, { name }: { readonly name: string }): Promise<DeclaredField> {
  return storage.write(async (tx) => {
    const declared = (await declaredFields(tx)).find((one) => one.name === name)
    if (declared === undefined) throw fail('no_such_field', { name })
    await removeDeclaredField(tx, name)
    return declared
  })
}
