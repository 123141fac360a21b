/** What the program knows of the site it serves; from the configuration, except `host`, which is fixed on first start. */
export interface Site {
  readonly name: string
  /** IANA zone in which `date`, whole days and default windows are meant. */
  readonly zone: string
  /** Host of `global_id`: never the host of a request (architecture: Identity of the site). */
  readonly host: string
  readonly currencySymbol: string
  readonly currencyPosition: 'prefix' | 'postfix'
  /** Largest page of a list. */
  readonly perPageMax: number
}
