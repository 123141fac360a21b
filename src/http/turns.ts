/** Requests that are begun in one turn of the event loop. */
const PER_TURN = 4

/** Lets a request wait until it is its turn to be begun. */
export type Line = (begin: () => void) => void

/**
 * A line from which a few requests are begun in each turn of the event loop. Node accepts one connection a turn, whatever
 * is kept is answered in between, and writes come to their commit once a turn: where a turn lasts until everybody is
 * answered, the last of 64 new connections waits 64 times as long.
 */
export function openLine(): Line {
  const waiting: (() => void)[] = []
  let isTurning = false
  const turn = (): void => {
    isTurning = waiting.length > 0
    if (!isTurning) return
    // First, and one taken at a time: whoever waits is begun also when another one throws.
    setImmediate(turn)
    for (let begun = 0; begun < PER_TURN; begun += 1) waiting.shift()?.()
  }
  return (begin) => {
    waiting.push(begin)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}
