/** Runs a step when it is its turn. */
type Turns = <T>(step: () => Promise<T>) => Promise<T>

/** At most so many steps at a time; the others wait in the order in which they came. */
function atMost(places: number): Turns {
  let free = places
  const waiting: (() => void)[] = []
  return async (step) => {
    if (free === 0) await new Promise<void>((admit) => waiting.push(admit))
    else free -= 1
    try {
      return await step()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Steps under the same name run one after the other, those under different names side by side. */
export function byName(): <T>(name: string, step: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { readonly turns: Turns; waiting: number }>()
  return async (name, step) => {
    const queue = queues.get(name) ?? { turns: atMost(1), waiting: 0 }
    queues.set(name, queue)
    queue.waiting += 1
    try {
      return await queue.turns(step)
    } finally {
      queue.waiting -= 1
      if (queue.waiting === 0) queues.delete(name)
    }
  }
}
