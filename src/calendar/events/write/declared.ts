import { storedJson } from '../../../base/text/stored-json.ts'
import { refusedFailure } from '../../../http/params.ts'
import type { EventValues } from '../../../model/event.ts'
import { problemOfValue } from '../../../model/kinds/declared-field.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { declaredFields } from '../../event-store/declared-fields.ts'
import type { EventRow } from '../../event-store/event-row.ts'

/**
 * Refuses further fields that the site has not declared, or with values of another type; nothing while it has declared
 * none. What an event has already stays as it is, also when it is sent again. @throws rest_invalid_param
 */
export async function refuseUndeclared(
  tx: Transaction,
  sent: NonNullable<EventValues['custom_fields']>,
  stored: EventRow | undefined,
): Promise<void> {
  const had = stored?.custom_fields == null ? {} : storedJson<Readonly<Record<string, unknown>>>(stored.custom_fields)
  const changed = Object.entries(sent).filter(([name, value]) => had[name] !== value)
  if (changed.length === 0) return
  const declared = new Map((await declaredFields(tx)).map((field) => [field.name, field]))
  if (declared.size === 0) return
  for (const [name, value] of changed) {
    const field = declared.get(name)
    const problem = field === undefined ? 'is not declared' : problemOfValue(field, value)
    if (problem === undefined) continue
    const refusal = { name: 'custom_fields', code: 'rest_invalid_param', reason: 'undeclared_field' } as const
    throw refusedFailure([{ ...refusal, detail: `${name} ${problem}` }], ['custom_fields'], 'en')
  }
}
