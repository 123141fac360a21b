import { lasting, onBehalfOf, requester } from '../base/requester.ts'
import { isInsideTransaction } from './ambient.ts'

/** A read that is under way, and the one that follows for those who came meanwhile. */
interface Reading<T> {
  /** Settles with the read, never rejects. */
  readonly ended: Promise<unknown>
  next: Promise<T> | undefined
}

/**
 * Has those who want the same while it is being read share one read, which begins when that has ended: hundreds of
 * requests of one user that come at once take a handful of reads, and leave the connections of the database to others.
 * Nobody gets what was read before he came, and whoever is part of a transaction reads for himself. When a shared read
 * fails, it fails for all who share it.
 */
export function sharedReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const underWay = new Map<string, Reading<T>>()
  const begin = (key: string): Promise<T> => {
    const result = forSeveral(async () => read(key))
    const reading: Reading<T> = { ended: result.catch(() => undefined), next: undefined }
    underWay.set(key, reading)
    void reading.ended.then(() => {
      if (reading.next === undefined) underWay.delete(key)
    })
    return result
  }
  return (key) => {
    if (isInsideTransaction()) return read(key)
    const reading = underWay.get(key)
    if (reading === undefined) return begin(key)
    reading.next ??= reading.ended.then(() => begin(key))
    return reading.next
  }
}

/** Runs a read that counts as one of the present client, whose disconnecting takes it from nobody. */
function forSeveral<T>(step: () => Promise<T>): Promise<T> {
  const who = requester()
  if (who === undefined || who === 'calendar') return step()
  return onBehalfOf(lasting(who.client), step)
}
