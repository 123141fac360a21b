import { COLORS, colorText } from '../model/color.ts'
import { categoryColour } from '../pages/cards.ts'
import type { Offer } from './controls.ts'
import type { PageRequest } from './page-request.ts'

/** The colors of categories with their classes. */
export function colorOffers({ t }: Pick<PageRequest, 't'>): readonly (readonly [...Offer, look: string])[] {
  const colors = COLORS.map((one) => [one, t(colorText(one)), categoryColour({ color: one, shade: 0 })] as const)
  return [['', t('color.automatic'), ''], ...colors]
}

/** What can be chosen in a field of a fixed list; '' leaves it as it is by default. */
export function choiceOffers({ t }: PageRequest, { name }: { readonly name: string }): readonly Offer[] {
  if (name === 'color') return colorOffers({ t }).map(([value, text]) => [value, text])
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
