import type { MessageId, MessageValues } from '../base/i18n/translate.ts'
import type { Role } from '../http/auth/rights.ts'
import type { FormBudget, FormRequest, PageResponse } from '../http/html-page.ts'
import type { AdminDeps } from './deps.ts'

/** A request for a page of the administration, with what every page needs of it. */
export interface PageRequest extends FormRequest {
  readonly deps: AdminDeps
  /** A text of the pages in the language of the reader. */
  t(id: MessageId, values?: MessageValues): string
  /** A text that may be the ID of a message, in the language of the reader. */
  say(text: string): string
  /** What a form says under a name, as text; '' for nothing. */
  sent(name: string): string
  /** A parameter of the address; '' for none. */
  query(name: string): string
}

/** A page of the administration as data. */
export interface AdminPage {
  readonly path: string
  /** Least role that may see it; absent where nobody has to be signed in. */
  readonly role?: Role
  /** Whether it is there only for those who signed in or confirmed who they are within ten minutes. */
  readonly isSensitive?: boolean
  /** Largest body in bytes, where it takes files. */
  readonly bodyLimit?: number
  /** The same for someone who is not signed in. */
  readonly anonymousBodyLimit?: number
  /** As in `FormPage`: where nobody has to be signed in. */
  readonly formBudget?: FormBudget
  /** Whether each request is charged as one of the reads that take long. */
  readonly isCostly?: boolean
  /** Whether the page is there at the moment; it always is if absent. */
  isThere?(deps: AdminDeps): boolean
  show(request: PageRequest): PageResponse | Promise<PageResponse>
  /** Does what a form asks for; absent where there are no forms. */
  submit?(request: PageRequest): PageResponse | Promise<PageResponse>
}

/** The page on which people change how they sign in. */
export const WAYS_IN_PATH = '/admin/profile/sign-in'

/** Sends a browser to another page of this site with GET. */
export function redirect(address: string, headers: Readonly<Record<string, string>> = {}): PageResponse {
  return { status: 303, body: '', headers: { location: address, ...headers } }
}
