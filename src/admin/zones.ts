import { html, type Markup } from '../pages/html.ts'
import { type ControlParts, lineControl } from './controls.ts'

/** Zones that browsers suggest; any other name that is known may be typed as well. */
const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** A control for a time zone: a line with suggestions. */
export function zoneControl(parts: ControlParts): Markup {
  const options = ZONES.map((zone) => html`<option value="${zone}">`)
  return html`${lineControl(parts, { list: 'zones', autocomplete: 'off' })}<datalist id="zones">${options}</datalist>\n`
}
