import { Failure, fail } from '../errors.ts'
import { EarlierResponse } from '../http/idempotency/keyed-request.ts'
import type { Call, Reply } from '../http/route.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'
import { findKey, keptSince, storeKey } from '../storage/idempotency-keys.ts'
import { utcFromMillis } from '../time/zones.ts'

/** A write and the answer to it. */
export interface AnsweredWrite<Made> {
  /** The job, see `Storage.write`. */
  write(tx: Transaction): Promise<Made>
  /** The answer, made of what the reader sees: it awaits nothing but the reader. */
  answer(reader: Reader, made: Made): Promise<Reply>
}

/**
 * Runs a write and makes the answer to it; a route returns it as it is. Every route that changes an item goes through
 * here: with an Idempotency-Key the answer is made and stored in the transaction of the write, so that neither is ever
 * there without the other.
 * @throws EarlierResponse when another process has answered a request with this key; rest_write_uncertain when the write was
 * made and its answer cannot be read
 */
export async function answerWrite<Made>(
  storage: Storage,
  { keyed }: Pick<Call, 'keyed'>,
  { write, answer }: AnsweredWrite<Made>,
): Promise<Reply> {
  if (keyed === undefined) {
    const made = await storage.write(write)
    return answer(storage, made).catch((error: unknown) => answerLate(storage, (tx) => answer(tx, made), error))
  }
  const { id, owner, fingerprint, now } = keyed
  return storage.write(async (tx) => {
    const earlier = await findKey(tx, { id, since: keptSince(now) })
    if (earlier !== undefined) throw new EarlierResponse(earlier)
    const reply = await answer(tx, await write(tx))
    await storeKey(tx, { id, owner, fingerprint, at: utcFromMillis(now), response: keyed.responseOf(reply) })
    return reply
  })
}

/**
 * The write was made, so nobody may be told to send it again because reads are refused: the answer is read where writes
 * are, which no crowd of readers keeps busy.
 */
async function answerLate(
  storage: Storage,
  answer: (tx: Transaction) => Promise<Reply>,
  cause: unknown,
): Promise<Reply> {
  if (!(cause instanceof Failure)) throw cause
  return storage.write(answer).catch(() => {
    throw Object.assign(fail('rest_write_uncertain'), { cause })
  })
}
