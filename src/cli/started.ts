import { groupPassword } from '../auth/passwords.ts'
import { NAMESPACE } from '../config/namespaces.ts'

/** What a server says when it has started. */
export interface Started {
  readonly addresses: readonly string[]
  /** Address of the interface. */
  readonly api: string
  /** Address of its description. */
  readonly document: string
  /** The administrator that was added on the first start. */
  readonly administrator: { readonly name: string; readonly password: string } | null
}

/** The report of a server that listens on these origins. */
export function startedOn(origins: readonly string[], administrator: Started['administrator']): Started {
  const api = `${origins[0] ?? ''}/${NAMESPACE}`
  return { addresses: origins.map((address) => `${address}/`), api, document: `${api}/doc`, administrator }
}

/** The report for people. */
export function welcome({ addresses, api, document, administrator }: Started): string {
  const lines = addresses.map((address) => `Kalends is listening on ${address}`)
  lines.push(`  API       ${api}`, `  Document  ${document}`)
  if (administrator !== null) {
    lines.push('', 'This is the first start: an administrator was added. The password is shown only now.')
    lines.push(`  User      ${administrator.name}`, `  Password  ${groupPassword(administrator.password)}`, '')
  }
  return `${lines.join('\n')}\n`
}
