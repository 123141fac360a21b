import type { CallerRole } from '../../src/http/auth/rights.ts'
import { visitor } from '../support/admin.ts'
import type { TestApp } from '../support/app.ts'
import { CALLERS, EDITORS, isAmong, type Meeting, mayChange, mayRead, WRITERS } from '../support/rights.ts'
import type { Entry, Secret } from './secrets.ts'

/** Someone who asks, and what they may, from the documents and not from the server. */
export interface ProbeCaller {
  readonly name: string
  readonly role: CallerRole
  readonly headers: Readonly<Record<string, string>>
  mayRead(secret: Secret): boolean
  mayChange(entry: Entry): boolean
}

/** Every role with an application password, or nobody. */
export function programs({ authorization }: TestApp): ProbeCaller[] {
  return CALLERS.map((role) =>
    callerOf(`${role} with a password`, role, role === 'anonymous' ? {} : { authorization: authorization(role) }),
  )
}

/** Every role that has signed in to the pages. */
export async function people(app: TestApp): Promise<ProbeCaller[]> {
  const callers: ProbeCaller[] = []
  for (const role of CALLERS) {
    const headers = role === 'anonymous' ? undefined : { cookie: (await visitor(app, role)).cookie }
    callers.push(callerOf(`${role} on pages`, role, headers ?? {}))
  }
  return callers
}

function callerOf(name: string, role: CallerRole, headers: ProbeCaller['headers']): ProbeCaller {
  return {
    name,
    role,
    headers,
    mayRead: (secret) => maySee(role, secret),
    mayChange: (entry) => mayChange(meetingOf(role, entry)),
  }
}

function meetingOf(caller: CallerRole, { owner, status }: Entry): Meeting {
  return { caller, whose: owner === caller ? 'own' : "others'", status }
}

/** Roles that see what belongs to no entry (docs/security.md: Roles, Submitted events; API: images). */
const READERS = {
  image: WRITERS,
  sender: EDITORS,
  account: 'administrator',
  webhook: 'administrator',
  subscription: 'administrator',
} as const

/** Whether a role may see a word (decisions: Rights, Password, search, Term lists). */
function maySee(role: CallerRole, secret: Secret): boolean {
  if (!('entry' in secret)) return isAmong(READERS[secret.part], role)
  const { entry, part } = secret
  const meeting = meetingOf(role, entry)
  const isProtected = part === 'past' || (part === 'text' && entry.veil === 'password')
  return isProtected ? mayChange(meeting) : mayRead(meeting)
}
