import { Failure, fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { EarlierResponse } from '../../http/idempotency/keyed-request.ts'
import type { Call, Reply } from '../../http/route.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { expiredBefore, findKey, storeKey } from '../../storage/idempotency-keys.ts'
import { insideTransaction } from '../../storage/reads.ts'

/** A write and the response to it. */
export interface WriteWithResponse<Made> {
  /** The job, see `Storage.write`. */
  write(tx: Transaction): Promise<Made>
  /** Builds the response from what the reader sees; it awaits nothing but the reader. */
  respond(reader: Reader, made: Made): Promise<Reply>
}

/**
 * Runs a write and builds its response. Every route that changes an item goes through here: with an Idempotency-Key the
 * response is built and stored in the transaction of the write, so that neither exists without the other.
 * @throws EarlierResponse when another process has answered a request with this key; rest_write_uncertain when the
 * write was made and its response cannot be read
 */
export async function respondToWrite<Made>(
  storage: Storage,
  { keyed }: Pick<Call, 'keyed'>,
  { write, respond }: WriteWithResponse<Made>,
): Promise<Reply> {
  if (keyed === undefined) {
    const made = await storage.write(write)
    return respond(storage, made).catch((error: unknown) => respondLate(storage, (tx) => respond(tx, made), error))
  }
  const { id, owner, fingerprint, now } = keyed
  return storage.write(async (tx) => {
    const earlier = await findKey(tx, { id, since: expiredBefore(now) })
    if (earlier !== undefined) throw new EarlierResponse(earlier)
    const reply = await respond(tx, await write(tx))
    await storeKey(tx, { id, owner, fingerprint, at: utcFromMillis(now), response: keyed.responseOf(reply) })
    return reply
  })
}

/** A write that starts its transactions itself, and the response to it. */
export interface JoinedWrite<Made> {
  /** Awaits nothing but the storage, which is `joinable`. */
  write(): Promise<Made>
  respond(made: Made): Reply
}

/**
 * As `respondToWrite` for a write that starts its transactions itself: with an Idempotency-Key they are one, in which the
 * response is stored. @throws EarlierResponse when another process has answered a request with this key
 */
export async function respondToJoinedWrite<Made>(
  storage: Storage,
  call: Pick<Call, 'keyed'>,
  { write, respond }: JoinedWrite<Made>,
): Promise<Reply> {
  if (call.keyed === undefined) return respond(await write())
  return respondToWrite(storage, call, {
    write: (tx) => insideTransaction(tx, write),
    respond: async (_reader, made) => respond(made),
  })
}

/**
 * The write was made, so refused reads must not make the client repeat it: the response is then read on the writing
 * side, which readers cannot overload.
 */
async function respondLate(
  storage: Storage,
  respond: (tx: Transaction) => Promise<Reply>,
  cause: unknown,
): Promise<Reply> {
  if (!(cause instanceof Failure)) throw cause
  return storage.write(respond).catch(() => {
    throw Object.assign(fail('rest_write_uncertain'), { cause })
  })
}
