import type { Compilable, Reader, Storage } from './engine.ts'
import { wasPassedOver } from './read-queue.ts'

/** Answers kept for a storage; long ones are not kept. */
const KEPT = { answers: 256, rows: 1_000 } as const

/** Everything that is of one data version. */
interface Memory {
  readonly version: number
  readonly answers: Map<string, Promise<readonly unknown[]>>
}

// The builder of a storage is one object for its whole life, so it stands for the storage here.
const memories = new WeakMap<Reader['db'], Memory>()
const forgetful = new WeakSet<Reader['db']>()

/** From now on nothing of a storage is remembered. */
export function rememberNothing({ db }: Pick<Reader, 'db'>): void {
  forgetful.add(db)
}

/**
 * All rows of a long query, from the offloaded lane or as they were the last time, while nothing was committed since.
 * Those who ask the same at the same time wait for one answer. Inside a transaction nothing is remembered.
 */
export async function rememberedRows<Row>(reader: Reader | Storage, query: Compilable<Row>): Promise<Row[]> {
  if (!('dataVersion' in reader)) return reader.all(query)
  if (forgetful.has(reader.db)) return reader.all(query, 'offloaded')
  const statement = query.compile()
  const memory = memoryOf(reader)
  const key = `${statement.sql}\n${JSON.stringify(statement.parameters)}`
  const known = memory.answers.get(key)
  // A key holds the text of the statement, and that text says which columns its rows have.
  if (known !== undefined) {
    const shared = await shareOf(known as Promise<readonly Row[]>)
    return shared === undefined ? reader.all({ compile: () => statement }, 'offloaded') : [...shared]
  }
  const answer = reader.all<Row>({ compile: () => statement }, 'offloaded')
  keep(memory, key, answer)
  return [...(await answer)]
}

/** What somebody else reads; undefined when his read was passed over, because he has gone or waited for too long. */
async function shareOf<Row>(reading: Promise<readonly Row[]>): Promise<readonly Row[] | undefined> {
  return reading.catch((error: unknown) => {
    if (wasPassedOver(error)) return undefined
    throw error
  })
}

function memoryOf(storage: Storage): Memory {
  const version = storage.dataVersion()
  const known = memories.get(storage.db)
  if (known?.version === version) return known
  // Another one, not an emptied one: who has begun to read before the commit still adds to the last one.
  const memory: Memory = { version, answers: new Map() }
  memories.set(storage.db, memory)
  return memory
}

function keep({ answers }: Memory, key: string, answer: Promise<readonly unknown[]>): void {
  answers.set(key, answer)
  const forget = (): void => {
    if (answers.get(key) === answer) answers.delete(key)
  }
  answer.then((rows) => rows.length > KEPT.rows && forget(), forget)
  const oldest = answers.keys().next()
  if (answers.size > KEPT.answers && !oldest.done) answers.delete(oldest.value)
}

/**
 * Opens a memory of what was read since the last commit, by whatever tells it apart; whoever reads something may add it. It
 * begins anew when there are `most`. Undefined inside a transaction, where nothing is remembered, and with a database
 * server: what it answers may be newer than the version that was told of, and numbers of two states make no total.
 */
export function remembering<Thing>(most: number): (reader: Reader | Storage) => Map<string, Thing> | undefined {
  const known = new WeakMap<Memory, Map<string, Thing>>()
  return (reader) => {
    if (!('dataVersion' in reader) || reader.engine !== 'sqlite' || forgetful.has(reader.db)) return undefined
    const memory = memoryOf(reader)
    const things = known.get(memory) ?? new Map<string, Thing>()
    if (things.size === 0) known.set(memory, things)
    if (things.size >= most) things.clear()
    return things
  }
}

/** Adds what is being read to such a memory, as soon as it is there. */
export async function remember<Thing>(
  things: Map<string, Thing>,
  key: string,
  reading: Promise<Thing>,
): Promise<Thing> {
  const thing = await reading
  things.set(key, thing)
  return thing
}
