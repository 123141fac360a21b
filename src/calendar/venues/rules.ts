import type { VenueTable } from '../../storage/schema.ts'

/** The columns that the region follows from. */
type Regional = Pick<VenueTable, 'state' | 'province' | 'country' | 'stateprovince'>

/** What was sent about a venue, with the region that follows from it. */
export function withRegion<Sent extends Partial<Regional>>(sent: Sent, stored: Regional | undefined): Sent {
  return { ...sent, ...regionOf(sent, stored) }
}

type Region = Pick<Regional, 'stateprovince'>

/**
 * The combined region (wire: rest 3.3): the one that was sent, else what follows from the parts that were sent, else
 * the stored one where it was written for itself, else what follows from all parts. It stays as it is when none of them
 * was sent; an empty one that was sent alone clears it.
 */
function regionOf(sent: Partial<Regional>, stored: Regional | undefined): Region | undefined {
  if (sent.stateprovince !== undefined && sent.stateprovince !== '') return { stateprovince: sent.stateprovince }
  const parts = [sent.state, sent.province, sent.country]
  if (parts.every((part) => part === undefined)) return undefined
  return { stateprovince: follows(sent) || ownRegion(sent, stored) || follows({ ...stored, ...sent }) }
}

/** The stored region when it is none of the parts: a change of these does not take it away (decisions: Partial update). */
function ownRegion(sent: Partial<Regional>, stored: Regional | undefined): string {
  if (stored === undefined || sent.stateprovince !== undefined) return ''
  const { stateprovince, state, province } = stored
  return stateprovince === state || stateprovince === province ? '' : stateprovince
}

const UNITED_STATES: ReadonlySet<string> = new Set(['', 'us', 'united states'])

function follows({ state = '', province = '', country = '' }: Partial<Regional>): string {
  return state !== '' && UNITED_STATES.has(country.toLowerCase()) ? state : province
}
