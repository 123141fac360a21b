import type { Call, Reply } from '../http/route.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'

/** A write and the answer to it. */
export interface AnsweredWrite<Made> {
  /** The job, see `Storage.write`. */
  write(tx: Transaction): Promise<Made>
  /** The answer, made of what the reader sees: it awaits nothing but the reader. */
  answer(reader: Reader, made: Made): Promise<Reply>
}

/** Runs a write and makes the answer to it. Every route that changes an item goes through here. */
export async function answerWrite<Made>(
  storage: Storage,
  _call: Call<unknown>,
  { write, answer }: AnsweredWrite<Made>,
): Promise<Reply> {
  return answer(storage, await storage.write(write))
}
