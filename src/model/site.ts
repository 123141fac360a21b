/** What the program knows of the site it serves; from the configuration, except `host`, which is fixed on first start. */
export interface Site {
  readonly name: string
  /** IANA zone in which `date`, whole days and default windows are meant. */
  readonly zone: string
  /** Host of `global_id`: never the host of a request (architecture: Identity of the site). */
  readonly host: string
  readonly currencySymbol: string
  readonly currencyPosition: 'prefix' | 'postfix'
  /** How public pages look; absent where nobody sees any. */
  readonly theme?: Theme
  /** Maps that visitors may load: the address of their tiles, '' for none, and whose they are. */
  readonly map?: { readonly tiles: string; readonly attribution: string }
  /** What the start page shows: the next events, or the month; `list` if absent. */
  readonly frontPage?: 'list' | 'month'
  /** On which day weeks start; where visitors are used to if absent. */
  readonly weekStart?: WeekStart
  /** Whether anyone may submit events for review; no if absent. */
  readonly takesSubmissions?: boolean
  /** Largest page of a list. */
  readonly perPageMax: number
}

/** On which day weeks start: as in the region of each visitor, or on one day for everybody. */
export type WeekStart = 'region' | 'monday' | 'saturday' | 'sunday'

/** How the public pages of a site differ from those of any other; '' for no difference. */
export interface Theme {
  /** Address of an image beside the name. */
  readonly logo: string
  /** Colors of links and buttons on light and on dark pages, `#0a6b4a`. */
  readonly accent: string
  readonly accentDark: string
}

/** Whether a host of global identifiers was made up at the first start, because nothing said the public one. */
export function isMadeUpHost(host: string): boolean {
  return /^kalends-[0-9a-f]{8}\.invalid$/.test(host)
}
