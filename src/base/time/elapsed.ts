/**
 * Milliseconds between a moment and now. A clock that was set back is as far away as one that was set forward: what
 * stands for a while must not stand until the clock has caught up.
 */
export function elapsedSince(moment: number, now: number): number {
  return Math.abs(now - moment)
}
