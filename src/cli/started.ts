import { NAMESPACE } from '../base/config/namespaces.ts'
import { groupPassword } from '../http/auth/authenticate.ts'

/** The administrator of the first start. */
export interface FirstAdministrator {
  readonly name: string
  /** For programs. */
  readonly password: string
  /** Where people set up the calendar: it works once. */
  readonly setup: string
}

/** What a server reports when it has started. */
export interface Started {
  readonly addresses: readonly string[]
  /** Address of the events for visitors. */
  readonly calendar: string
  /** Address where editors sign in. */
  readonly administration: string
  /** Address of the interface. */
  readonly api: string
  /** Address of its description. */
  readonly document: string
  /** The administrator that was added on the first start. */
  readonly administrator: FirstAdministrator | null
}

/** The report of a server that listens on these origins. */
export function startedOn(origins: readonly string[], administrator: Started['administrator']): Started {
  const origin = origins[0] ?? ''
  const api = `${origin}/${NAMESPACE}`
  return {
    addresses: origins.map((address) => `${address}/`),
    calendar: `${origin}/events/`,
    administration: `${origin}/admin`,
    api,
    document: `${api}/doc`,
    administrator,
  }
}

/** The report for people. */
export function welcome({ addresses, calendar, administration, api, document, administrator }: Started): string {
  const lines = addresses.map((address) => `Kalends is listening on ${address}`)
  lines.push(`  Calendar  ${calendar}`, `  Admin     ${administration}`)
  lines.push(`  API       ${api}`, `  Document  ${document}`)
  if (administrator !== null) {
    lines.push('', 'Welcome to Kalends. Set up your calendar in the browser with this link, which works once:')
    lines.push(`  Set up    ${administrator.setup}`, '')
    lines.push('An administrator for programs was created. Its password is shown only once:')
    lines.push(`  User      ${administrator.name}`, `  Password  ${groupPassword(administrator.password)}`, '')
  }
  return `${lines.join('\n')}\n`
}
