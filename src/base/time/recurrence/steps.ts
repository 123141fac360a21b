/** Work in steps of a few milliseconds: between two of them others may have their turn. */
export type Steps<T> = Generator<void, T>

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { value, done } = steps.next()
    if (done === true) return value
  }
}

/** Does all steps with a pause after each. */
export async function inSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { value, done } = steps.next()
    if (done === true) return value
    await pause()
  }
}
