import type { Asking } from './asking.ts'
import type { Offer } from './controls.ts'

/** What can be chosen in a field of a fixed list; '' leaves it as it is by default. */
export function choiceOffers({ t }: Asking, { name }: { readonly name: string }): readonly Offer[] {
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
