import assert from 'node:assert/strict'

/** The samples of a text in the format of Prometheus, by name and labels as they are written. */
export type Samples = ReadonlyMap<string, number>

const SAMPLE = /^(\w+(?:\{(?:\w+="[^"\\\n]*",?)+\})?) (\S+)$/

/** Reads a text of metrics; every line of it has to be one that Prometheus takes. */
export function samplesOf(text: string): Samples {
  const samples = new Map<string, number>()
  for (const line of text.split('\n').filter((one) => one !== '' && !/^# (HELP \w+ .+|TYPE \w+ \w+)$/.test(one))) {
    const [, name = '', value = ''] = SAMPLE.exec(line) ?? assert.fail(line)
    assert.ok(!Number.isNaN(Number(value)) || value === 'Nan', line)
    assert.ok(!samples.has(name), line)
    samples.set(name, Number(value))
  }
  return samples
}

/** How much each of these samples has grown. */
export function growth(before: Samples, after: Samples, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]))
}
