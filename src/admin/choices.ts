import { COLORS, colorText } from '../model/color.ts'
import type { Offer } from './controls.ts'
import type { PageRequest } from './page-request.ts'

/** What can be chosen in a field of a fixed list; '' leaves it as it is by default. */
export function choiceOffers({ t }: PageRequest, { name }: { readonly name: string }): readonly Offer[] {
  if (name === 'color') return [['', t('color.automatic')], ...COLORS.map((one) => [one, t(colorText(one))] as const)]
  if (name === 'virtual_type')
    return [
      ['', '–'],
      ['virtual', t('fields.online')],
      ['hybrid', t('common.hybrid')],
    ]
  return [
    ['', t('admin.asPlanned')],
    ['canceled', t('common.canceled')],
    ['postponed', t('common.postponed')],
    ['rescheduled', t('common.rescheduled')],
    ['moved_online', t('common.movedOnline')],
  ]
}
