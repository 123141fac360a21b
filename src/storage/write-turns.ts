import type { Storage } from './engine.ts'

/** The right to write, which a process has only now and then. */
export interface WriteTurn {
  /** Resolves once this process may write. @throws when others go on writing */
  begin(): Promise<void>
  /** Gives the right back; called once after each `begin` that has resolved. */
  end(): void
}

/** A storage that has the right to write only while it writes; writes that overlap share a turn. */
export function writingInTurns(storage: Storage, turn: WriteTurn): Storage {
  let begun: Promise<void> | undefined
  let hasTurn = false
  let writes = 0
  const leave = (): void => {
    writes -= 1
    if (writes > 0) return
    begun = undefined
    if (hasTurn) turn.end()
    hasTurn = false
  }
  const enter = async (): Promise<void> => {
    await turn.begin()
    hasTurn = true
  }
  return {
    ...storage,
    write: async (job, pace) => {
      writes += 1
      begun ??= enter()
      try {
        await begun
        return await storage.write(job, pace)
      } finally {
        leave()
      }
    },
  }
}
