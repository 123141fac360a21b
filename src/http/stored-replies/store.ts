import { createHmac } from 'node:crypto'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Storage } from '../../storage/engine.ts'
import { expiredBefore, findKey, storeKey } from '../../storage/idempotency-keys.ts'
import { headSeq } from '../../storage/journal/read.ts'
import type { KeyStore } from '../idempotency/idempotency.ts'

/** Dependencies of the store. */
export interface KeyStoreDeps {
  readonly storage: Storage
  /** Of the installation: stored values reveal neither passwords nor keys. */
  readonly secret: string
  /** Unix milliseconds. */
  now(): number
  /** Waits until this process knows of a number of the journal, see `ExternalChanges`. */
  reach(seq: number): Promise<void>
}

/** Opens the store of responses by their Idempotency-Key, which all processes share. */
export function openKeyStore({ storage, secret, now, reach }: KeyStoreDeps): KeyStore {
  return {
    idOf: (owner, password, key) =>
      createHmac('sha256', secret)
        .update(JSON.stringify(['idempotency', owner, password, key]))
        .digest('base64url'),
    find: (id) => findKey(storage, { id, since: expiredBefore(now()) }),
    store: ({ id, owner, fingerprint, now: moment }, response) =>
      storage.write(async (tx) => {
        const earlier = await findKey(tx, { id, since: expiredBefore(moment) })
        if (earlier !== undefined) return earlier
        await storeKey(tx, { id, owner, fingerprint, response, at: utcFromMillis(moment) })
        return undefined
      }),
    reach: async () => reach(await headSeq(storage)),
  }
}
