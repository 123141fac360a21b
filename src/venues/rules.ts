import type { LinkedDraft, Misfit } from '../entries/linked/row.ts'
import type { VenueValues } from '../model/venue.ts'
import { textOfHtml } from '../text/html.ts'
import { plainText } from '../text/plain.ts'
import type { VenueContent, VenueRow } from './shape.ts'

/** Content of a venue of which nothing was sent: maps are shown. */
export const BLANK_VENUE: VenueContent = {
  name: '',
  description: '',
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  phone: '',
  stateprovince: '',
  website: '',
  show_map: 1,
  show_map_link: 1,
  geo_lat: null,
  geo_lng: null,
}

/** What was sent about a venue; `sent` also knows a `stateprovince` that was sent unchanged. */
export function venueDraft(values: VenueValues, sent: (name: string) => unknown): LinkedDraft<VenueContent> {
  const {
    author: _a,
    date: _d,
    date_utc: _u,
    status: _s,
    image: _i,
    venue,
    show_map,
    show_map_link,
    ...others
  } = values
  const unchanged = sent('stateprovince')
  const region = others.stateprovince ?? (typeof unchanged === 'string' ? plainText(unchanged) : undefined)
  return {
    entry: values,
    content: {
      ...others,
      ...(venue !== undefined && { name: venue }),
      ...(show_map !== undefined && { show_map: show_map ? 1 : 0 }),
      ...(show_map_link !== undefined && { show_map_link: show_map_link ? 1 : 0 }),
      ...(region !== undefined && { stateprovince: region }),
    },
  }
}

/** A coordinate fits only to its counterpart; clearing one clears both. */
export function checkVenue(sent: Partial<VenueContent>, stored: VenueContent | undefined): readonly Misfit[] {
  const { geo_lat, geo_lng } = { ...BLANK_VENUE, ...stored, ...sent }
  if ((geo_lat === null) === (geo_lng === null)) return []
  const [alone, beside] = geo_lat === null ? (['geo_lng', 'geo_lat'] as const) : (['geo_lat', 'geo_lng'] as const)
  return (sent[alone] ?? null) === null ? [] : [{ name: alone, reason: 'not_alone', beside }]
}

/** What was sent and what follows from it: the region, and coordinates that go together. */
export function completeVenue(sent: Partial<VenueContent>, stored: VenueContent | undefined): Partial<VenueContent> {
  const isUnplaced = sent.geo_lat === null || sent.geo_lng === null
  return { ...sent, ...(isUnplaced && { geo_lat: null, geo_lng: null }), ...regionOf(sent, stored) }
}

type Region = Pick<VenueContent, 'stateprovince'>

/**
 * The combined region (wire: rest 3.3): the one that was sent, else what follows from the parts that were sent, else
 * the stored one where it was written for itself, else what follows from all parts. It stays as it is when none of them
 * was sent; an empty one that was sent alone clears it.
 */
function regionOf(sent: Partial<VenueContent>, stored: VenueContent | undefined): Region | undefined {
  if (sent.stateprovince !== undefined && sent.stateprovince !== '') return { stateprovince: sent.stateprovince }
  const parts = [sent.state, sent.province, sent.country]
  if (parts.every((part) => part === undefined)) return undefined
  return { stateprovince: follows(sent) || ownRegion(sent, stored) || follows({ ...stored, ...sent }) }
}

/** The stored region when it is none of the parts: a change of these does not take it away (decisions: Partial update). */
function ownRegion(sent: Partial<VenueContent>, stored: VenueContent | undefined): string {
  if (stored === undefined || sent.stateprovince !== undefined) return ''
  const { stateprovince, state, province } = stored
  return stateprovince === state || stateprovince === province ? '' : stateprovince
}

const UNITED_STATES: ReadonlySet<string> = new Set(['', 'us', 'united states'])

function follows({ state = '', province = '', country = '' }: Partial<VenueContent>): string {
  return state !== '' && UNITED_STATES.has(country.toLowerCase()) ? state : province
}

/** The texts that a search looks at (wire: rest 2.5). */
export function searchedOfVenue(row: VenueRow): readonly string[] {
  const { name, description, excerpt, address, city, province, state, stateprovince, zip, phone } = row
  return [name, textOfHtml(description), textOfHtml(excerpt), address, city, province, state, stateprovince, zip, phone]
}
