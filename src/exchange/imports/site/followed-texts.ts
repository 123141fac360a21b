import type { Storage } from '../../../storage/engine.ts'
import { followTexts, type RetellPicture, saidBefore, shownTexts, type TextsParts } from './picture-texts.ts'
import { keepTaken, takenFrom } from './store.ts'

/** What a Kalends is asked with for the texts of its images while it is followed. */
export interface FollowedTextsParts extends TextsParts {
  readonly storage: Storage
  readonly retellPicture: RetellPicture
  /** Unix milliseconds. */
  readonly now: number
  /** User here who says what the site says. */
  readonly owner: number
  /** Name of the user of the site: others see other images. */
  readonly user: string
}

/** Under which kind it is kept when all texts were read, and where the changes of the site were then. */
const KIND = 'told-pictures'

/** Minutes between two readings: the list may be long. */
const EVERY = 5

/**
 * Has images that came from a Kalends say what it says of them now. Its changes leave images out, but their cursor does
 * not: texts are read again when that has moved, now and then. What cannot be read is another time.
 */
export async function followShownTexts(parts: FollowedTextsParts, cursor: string): Promise<void> {
  const { storage, api, owner, user, now } = parts
  const origin = api.root
  const minute = Math.floor(now / 60_000)
  const before = (await takenFrom(storage, origin, KIND)).get(user)
  if (before?.digest === cursor || (before !== undefined && Math.abs(minute - before.item_id) < EVERY)) return
  const taken = await takenFrom(storage, origin, 'picture')
  let problem = ''
  if (taken.size > 0) {
    const { said, there } = await shownTexts(parts)
    const here = new Map([...taken].map(([address, { item_id: id }]) => [address, id]))
    await followTexts({ here, there, fresh: new Set() }, said, await saidBefore(parts, { origin, owner }))
    problem = said.problem
  }
  const digest = problem === '' ? cursor : ''
  await keepTaken(storage, [{ origin, kind: KIND, key: user, item_id: minute, digest }])
}
