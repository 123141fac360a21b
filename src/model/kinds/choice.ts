import { type Kind, type Reason, refuse } from './kind.ts'

/** One word of a fixed list, in any case. */
export function choice<const Word extends string>(words: readonly Word[], reason: Reason = 'bad_choice'): Kind<Word> {
  return {
    control: 'choice',
    declared: { type: 'string' },
    schema: { type: 'string', enum: words },
    parse(value) {
      const given = typeof value === 'string' ? value.toLowerCase() : ''
      const word = words.find((one) => one === given)
      return word === undefined ? refuse(reason, words.join(', ')) : { ok: true, value: word }
    },
  }
}

/** One word of a fixed list, exactly as written. */
export function exactChoice<const Word extends string>(words: readonly Word[], reason: Reason): Kind<Word> {
  return {
    declared: { type: 'string' },
    schema: { type: 'string', enum: words },
    parse(value) {
      const word = words.find((one) => one === value)
      return word === undefined ? refuse(reason) : { ok: true, value: word }
    },
  }
}

/** Words of a fixed list as CSV or array, each once; at least one. */
export function choices<const Word extends string>(words: readonly Word[], reason: Reason): Kind<readonly Word[]> {
  return {
    declared: { type: 'string' },
    schema: { type: 'array', items: { type: 'string', enum: words }, minItems: 1 },
    parse(value) {
      const given = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
      const found: Word[] = []
      for (const item of given) {
        const text = typeof item === 'string' ? item.trim() : undefined
        if (text === '') continue
        const word = words.find((one) => one === text)
        if (word === undefined) return refuse(reason)
        if (!found.includes(word)) found.push(word)
      }
      return found.length === 0 ? refuse(reason) : { ok: true, value: found }
    },
  }
}
