import { AsyncLocalStorage } from 'node:async_hooks'
import type { Compilable, Lane, Pace, Storage, Transaction } from './engine.ts'

const scope = new AsyncLocalStorage<Transaction>()

/**
 * Runs a step whose reads and writes of a joinable storage, and all that it starts, are part of this transaction: several
 * requests are then done or undone as one. As in any job, it awaits nothing but the transaction.
 */
export function insideTransaction<T>(tx: Transaction, step: () => Promise<T>): Promise<T> {
  return scope.run(tx, step)
}

/** Whether the present step is part of a transaction: then it must not wait for anything else, nor cache what it reads. */
export function isInsideTransaction(): boolean {
  return scope.getStore() !== undefined
}

/** The storage whose reads and writes join the transaction of the present step, if there is one. */
export function joinable(storage: Storage): Storage {
  return {
    ...storage,
    all: <Row>(query: Compilable<Row>, lane?: Lane) => (scope.getStore() ?? storage).all(query, lane),
    first: <Row>(query: Compilable<Row>, lane?: Lane) => (scope.getStore() ?? storage).first(query, lane),
    pause: () => (scope.getStore() ?? storage).pause(),
    write: <T>(job: (tx: Transaction) => Promise<T>, pace?: Pace) => {
      const tx = scope.getStore()
      return tx === undefined ? storage.write(job, pace) : job(tx)
    },
  }
}
