import type { Incoming } from './dispatch.ts'

/** An HTML answer for people. */
export interface PageAnswer {
  readonly status: number
  /** The whole document. */
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A page of the site: an address with `:name` segments (`*` for everything without a page) and what it shows. */
export interface Page {
  readonly path: string
  show(incoming: Incoming): Promise<PageAnswer>
}
