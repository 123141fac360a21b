import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Lab, type Target } from '../lab.ts'
import { type Attack, measureAttack } from './attack.ts'
import { attackFrom } from './own-process.ts'

/** A writer who stores long texts, see `texts.ts`. */
const WORDS_ATTACK: Attack = {
  name: 'attack-words',
  run: ({ origin, ground }, course) =>
    attackFrom('./texts.ts', [origin, ground.base, ground.authorization ?? ''], course),
}

/** Small writes before and after. */
const WRITES = 40

/** Milliseconds after the attack until small writes must be as before. */
const CALM = 5_000

/** Measures the attack, and small writes before and 5 s after it: the index of words must not stay larger. */
export async function measureWords(lab: Lab, target: Target): Promise<void> {
  const note = (unit: string, value: number): void => lab.book.add(`${WORDS_ATTACK.name}/${target.name}/${unit}`, value)
  await medianOfWrites(target)
  const before = await medianOfWrites(target)
  await measureAttack(lab, target, WORDS_ATTACK)
  await sleep(CALM)
  const after = await medianOfWrites(target)
  note('write-before', before)
  note('write-after', after)
  lab.say(`${WORDS_ATTACK.name}: writes ${before.toFixed(1)} ms before, ${after.toFixed(1)} after`)
}

/** The middle one of the times of small writes, in milliseconds. */
async function medianOfWrites(target: Target): Promise<number> {
  const { base, authorization } = target.ground
  const known = authorization === undefined ? {} : { authorization }
  const times: number[] = []
  for (let write = 0; write < WRITES; write += 1) {
    const event = { title: 'Draft', status: 'draft', description: `a few words of number ${write}` }
    const dates = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' }
    const body = JSON.stringify({ ...event, ...dates })
    const began = performance.now()
    const { status } = await ask(target, { method: 'POST', path: `${base}/events`, ...known, body })
    if (status !== 201) throw new Error(`a write was answered with ${status}`)
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)[WRITES / 2] ?? Number.NaN
}
