/** Where a test says what is to be done at its end: its context, or `node:test` itself for all tests of a file. */
export interface TestScope {
  after(step: () => Promise<void>): unknown
}

const stacks = new WeakMap<TestScope, AsyncDisposableStack>()

/**
 * Does something at the end of a test, and what was opened last is closed first: a page before the server from which it may
 * still be loading. Hooks of `node:test` run in the order in which they were added.
 * @throws at the end of the test, what a step throws; all others are done nevertheless
 */
export function atEnd(t: TestScope, step: () => Promise<unknown>): void {
  const stack = stacks.get(t) ?? startStack(t)
  stack.defer(async () => void (await step()))
}

function startStack(t: TestScope): AsyncDisposableStack {
  const stack = new AsyncDisposableStack()
  stacks.set(t, stack)
  t.after(() => stack.disposeAsync())
  return stack
}
