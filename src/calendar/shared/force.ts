import type { AnyRoute } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { field } from '../../model/kinds/field.ts'

/** Deletes past the trash (decisions: Trash). */
export const FORCE_FIELD = field('force', boolean, 'api.whetherDeleteItemPermanently')

/** The routes of a resource whose item fields include FORCE_FIELD, which only DELETE keeps. */
export function withForceOnDelete(routes: readonly AnyRoute[]): AnyRoute[] {
  return routes.map((one) =>
    one.method === 'DELETE' ? one : { ...one, fields: one.fields.filter((member) => member.name !== FORCE_FIELD.name) },
  )
}
