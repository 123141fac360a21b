import type { VenueTable } from '../storage/schema.ts'
import { assetPath } from './assets.ts'
import type { PagesDeps } from './deps.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'

/** The script of pages that have places. */
export const MAP_SCRIPTS: readonly string[] = ['map.ts']

/** Attributes by which the map of a page finds a place; nothing for one without coordinates. */
export function placeData(venue: Pick<VenueTable, 'geo_lat' | 'geo_lng' | 'name'>): Markup {
  const { geo_lat, geo_lng, name } = venue
  if (geo_lat === null || geo_lng === null) return NOTHING
  return html` data-lat="${geo_lat}" data-lng="${geo_lng}" data-name="${name.trim()}"`
}

/**
 * A button that becomes a map of the places of a page; nothing where the site has no maps. Before it is pressed nothing is
 * loaded from elsewhere, and without scripts it is not there.
 */
export function mapButton({ site }: Pick<PagesDeps, 'site'>, { say, urls, local }: PageContext): Markup {
  const { tiles = '', attribution = '' } = site.map ?? {}
  if (tiles === '') return NOTHING
  const { host } = new URL(tiles.replaceAll(/[{}]/g, ''))
  const files = html`data-sheet="${local(urls.page(assetPath('leaflet.css')))}" data-script="${local(urls.page(assetPath('leaflet.js')))}"`
  const words = html`data-label="${say('pages.map')}" data-zoom-in="${say('pages.zoomIn')}" data-zoom-out="${say('pages.zoomOut')}"`
  return html`<event-map hidden data-tiles="${tiles}" data-attribution="${attribution}" ${files} ${words}><button type="button" class="button">${say('pages.loadMap')}</button> <span class="quiet">${say('pages.mapSource', { host })}</span></event-map>
`
}

/** Countries that write the code of the post behind the city: in the first group with the region, in the second alone. */
const CODE_LAST = [
  /^(us|usa|u\.s\.a?\.?|united states.*|ca|canada|au|australia|in|india|mx|mexico)$/i,
  /^(gb|uk|united kingdom|great britain|england|scotland|wales|northern ireland|ie|ireland|nz|new zealand|sg|singapore)$/i,
] as const

/** The address of a venue on one line, in the order of its country; '' when it has none. */
export function addressText(venue: VenueTable): string {
  const [address, city, zip, country] = [venue.address, venue.city, venue.zip, venue.country].map((part) => part.trim())
  const region = (venue.stateprovince || venue.state || venue.province).trim()
  const [withRegion, alone] = CODE_LAST
  // Two letters are a state of a country that needs no name there.
  const isAmerican = withRegion.test(country ?? '') || (country === '' && /^[A-Z]{2}$/.test(region))
  const parts = isAmerican
    ? [address, city, spaced(region, zip), country]
    : alone.test(country ?? '')
      ? [address, city, region, zip, country]
      : [address, spaced(zip, city), region === city ? '' : region, country]
  return parts.filter((part) => part !== undefined && part !== '').join(', ')
}

function spaced(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}

/** Where a map shows a venue, and the way there; undefined if nobody knows. */
export function mapAddress(venue: VenueTable): string | undefined {
  if (venue.geo_lat !== null && venue.geo_lng !== null) {
    const place = `${venue.geo_lat}/${venue.geo_lng}`
    return `https://www.openstreetmap.org/?mlat=${venue.geo_lat}&mlon=${venue.geo_lng}#map=17/${place}`
  }
  const address = addressText(venue)
  return address === '' ? undefined : `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`
}
