import { fail } from '../../../../base/errors.ts'
import { basicAuthorization, openAddress } from '../../../../base/outgoing/credentials.ts'
import { isHttpUrl } from '../../../../base/text/http-url.ts'
import type { SiteImportInput } from './types.ts'

/** The address that was entered for a site, and the credentials for it. */
export interface EnteredSite {
  readonly address: string
  /** Whether it is that of the API itself. */
  readonly isApi: boolean
  /** The Authorization header; undefined for anonymous requests. */
  readonly authorization: string | undefined
}

/** What was entered for a site; credentials may stand in its address. @throws site_not_found */
export function enteredSite({ address, api, user, password }: SiteImportInput): EnteredSite {
  const entered = api ?? address
  const whole = /^https?:\/\//i.test(entered) ? entered : `https://${entered}`
  const opened = openAddress(whole)
  if (!isHttpUrl(opened.address))
    throw fail('site_not_found', { address: opened.address, reason: 'it is no http(s) address' })
  const credentials = user === undefined ? opened.credentials : { user, password: password ?? '' }
  const authorization = credentials && basicAuthorization(credentials)
  return { address: new URL(opened.address).href, isApi: api !== undefined, authorization }
}

/** Why credentials were not sent to an API. */
export function elsewhere(root: string): string {
  return `the API is on another site, ${root}: username and password were not sent; to send them there, import with --api ${root}`
}
