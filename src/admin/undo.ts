import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Asking } from './asking.ts'

/** An item of a list: what it was, to take a change back. */
export interface ChosenItem {
  readonly id: string
  /** `publish` where items have none. */
  readonly status: string
  /** Which dates of a series are meant; '' for what does not recur. */
  readonly scope: string
}

/** What was done last, and to which items, with what they were before. */
export interface Undoable {
  readonly action: 'trash' | 'publish' | 'draft' | 'delete'
  readonly items: readonly ChosenItem[]
}

/** What was done, and when: Unix milliseconds. */
export interface UndoableAt extends Undoable {
  readonly at: number
}

/** Milliseconds in which something can be taken back. */
const LONGEST = 3_600_000

const ACTIONS: readonly Undoable['action'][] = ['trash', 'publish', 'draft', 'delete']

/** How an item is written in addresses and forms. */
export function writtenChoice({ id, status, scope }: ChosenItem): string {
  return [id, status, scope].filter((part) => part !== '').join('-')
}

/** The item that a text names; undefined for every other text. */
export function choiceIn(text: string): ChosenItem | undefined {
  const [, id, status, scope = ''] = /^(\d{1,15})-([a-z]+)(?:-(this|following|all))?$/.exec(text) ?? []
  return id === undefined || status === undefined ? undefined : { id, status, scope }
}

type Signer = Pick<Asking, 'csrf' | 'incoming'>

/**
 * What an address says was done, now unless it says when, so that its page offers to take it back. It is signed with the
 * token of the session: nobody else can write an address that makes somebody undo what they have not done.
 */
export function undoParameter(asking: Signer, collection: string, undoable: Undoable | UndoableAt): string {
  const { action, items, at } = { at: asking.incoming.now, ...undoable }
  if (items.length === 0) return ''
  const said = [action, at.toString(36), ...items.map(writtenChoice)].join('_')
  return `${said}_${signatureOf(asking, collection, said)}`
}

/** What a text of `undoParameter` says was done; undefined where it is old, or was not written in this session. */
export function undoIn(asking: Signer, collection: string, text: string): UndoableAt | undefined {
  const end = text.lastIndexOf('_')
  const [said, signature] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)]
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(asking, collection, said))]
  if (asking.csrf === '' || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const [name, moment = '', ...choices] = said.split('_')
  const action = ACTIONS.find((one) => one === name)
  const at = Number.parseInt(moment, 36)
  if (action === undefined || asking.incoming.now - at > LONGEST) return undefined
  return { action, at, items: choices.flatMap((one) => choiceIn(one) ?? []) }
}

function signatureOf({ csrf }: Signer, collection: string, said: string): string {
  // Hexadecimal has no underscore.
  return createHmac('sha256', csrf).update(`undo ${collection} ${said}`).digest('hex').slice(0, 32)
}
