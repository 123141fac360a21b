/** Requests that are begun in one turn of the event loop. */
const PER_TURN = 4

/** Turns in a row in which connections may be accepted and nothing is begun. */
const ACCEPTING_TURNS = 8

/** Lets a request of a client, see `clientKey`, wait until it is its turn to be begun. */
export type AdmissionQueue = (begin: () => void, client: string) => void

/**
 * A line from which a few requests are begun in each turn of the event loop. Node accepts one connection a turn, whatever
 * is kept is answered in between, and writes come to their commit once a turn: where a turn lasts until everybody is
 * answered, the last of 64 new connections waits 64 times as long. One client after the other has a request begun, each
 * its own in their order, so that nobody waits behind all that somebody else sends at once.
 *
 * `hasAccepted` tells whether a connection was accepted since it was last asked. Nobody knows who else is waiting for
 * that, so for a few turns that goes first.
 */
export function openAdmissionQueue(hasAccepted: () => boolean = () => false): AdmissionQueue {
  /** By client; the one that comes next first. */
  const waiting = new Map<string, (() => void)[]>()
  let isTurning = false
  let acceptingTurns = 0
  const turn = (): void => {
    isTurning = waiting.size > 0
    if (!isTurning) return
    // First, and one taken at a time: whoever waits is begun also when another one throws.
    setImmediate(turn)
    acceptingTurns = hasAccepted() && acceptingTurns < ACCEPTING_TURNS ? acceptingTurns + 1 : 0
    if (acceptingTurns > 0) return
    for (let begun = 0; begun < PER_TURN; begun += 1) takeNext(waiting)?.()
  }
  return (begin, client) => {
    const own = waiting.get(client)
    if (own === undefined) waiting.set(client, [begin])
    else own.push(begin)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}

/** Takes the request that comes next, and puts its client behind the others; undefined when nobody waits. */
function takeNext(waiting: Map<string, (() => void)[]>): (() => void) | undefined {
  for (const [client, own] of waiting) {
    const begin = own.shift()
    waiting.delete(client)
    if (own.length > 0) waiting.set(client, own)
    return begin
  }
  return undefined
}
