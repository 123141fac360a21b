import { type CostText, readCost } from '../../base/text/cost.ts'
import { type Kind, refuse } from './kind.ts'

/** A cost: text, number or an array of those; false is none. The interface declares no type. */
export const cost: Kind<CostText> = {
  control: 'money',
  declared: {},
  schema: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: ['string', 'number'] } }] },
  parse(value) {
    const given = readCost(value === false ? '' : value)
    return given.ok ? { ok: true, value: given.cost } : refuse('bad_cost')
  },
}
