import assert from 'node:assert/strict'
import { examineCopies } from '../../src/ops/doctor/copies.ts'
import type { Reader } from '../../src/storage/engine.ts'

/** Fails where a count, a list, a text or a date is not what follows from the rows it is made of. */
export async function assertSound(reader: Reader, message = 'copies differ'): Promise<void> {
  const { findings } = await examineCopies(reader)
  assert.deepEqual(
    findings.filter(({ problems }) => problems > 0),
    [],
    message,
  )
}
