import { attendanceJsonLd, type EventWithRelations } from '../calendar/events/index.ts'
import { addressOf, imageOf, titleOf } from './cards.ts'
import { summaryOf } from './content.ts'
import { machineEnd, machineTime } from './dates.ts'
import type { PageContext } from './page-context.ts'

/** schema.org data of the events of a list: enough to name each, with the address of its page for the rest. */
export function listJsonLd(events: readonly EventWithRelations[], context: PageContext): readonly unknown[] {
  return events.map((event) => {
    const { row, venues, picture } = event
    const description = summaryOf(row)
    const image = imageOf(row, picture, context)?.files[0].url
    const [venue] = venues
    const attendance = attendanceJsonLd(row, context.urls)
    const place = venue === undefined ? undefined : placeJsonLd(venue)
    const online = attendance['location']
    const location =
      row.virtual_type === 'hybrid' && place !== undefined && online !== undefined ? [place, online] : (online ?? place)
    return {
      '@context': 'http://schema.org',
      '@type': 'Event',
      name: titleOf(event, context),
      url: context.absolute(addressOf(event, context)),
      startDate: machineTime(row),
      endDate: machineEnd(row),
      ...(description !== '' && { description }),
      ...(row.language !== '' && { inLanguage: row.language }),
      ...(image !== undefined && { image: context.absolute(image) }),
      ...attendance,
      ...(location !== undefined && { location }),
    }
  })
}

function placeJsonLd({ name, address, city, country }: EventWithRelations['venues'][number]): object {
  const parts = [address, city, country].filter((part) => part !== '')
  return { '@type': 'Place', name, address: parts.join(', ') }
}
