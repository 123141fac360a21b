import type { Asking } from './asking.ts'
import type { Offer } from './controls.ts'

/** What can be chosen in a field of a fixed list; '' leaves it as it is by default. */
export function choiceOffers({ t }: Asking, { name }: { readonly name: string }): readonly Offer[] {
  if (name === 'virtual_type')
    return [
      ['', '–'],
      ['virtual', t('Online')],
      ['hybrid', t('At the venue and online')],
    ]
  return [
    ['', t('As planned')],
    ['canceled', t('Cancelled')],
    ['postponed', t('Postponed')],
    ['rescheduled', t('Rescheduled')],
    ['moved_online', t('Moved online')],
  ]
}
