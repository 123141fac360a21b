import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { openTestApp } from './support/app.ts'
import { atEnd, type TestScope } from './support/at-end.ts'
import { closeBrowser, NO_BROWSER, visit } from './support/browser.ts'

after(closeBrowser)

/** A scope whose end the test decides; like `node:test` it takes its steps in the order in which they came. */
function scope(): TestScope & { end(): Promise<void> } {
  const steps: (() => Promise<void>)[] = []
  return {
    after: (step) => steps.push(step),
    end: async () => {
      for (const step of steps) await step()
    },
  }
}

test('what a test opened last is closed first, also where closing something fails', async () => {
  const t = scope()
  const closed: string[] = []
  atEnd(t, async () => closed.push('server'))
  atEnd(t, () => Promise.reject(new Error('a page complained')))
  atEnd(t, async () => closed.push('page'))
  await assert.rejects(t.end(), /a page complained/)
  assert.deepEqual(closed, ['page', 'server'])
})

test('a page that is loading when its test ends complains of nothing', { skip: NO_BROWSER }, async () => {
  const t = scope()
  const { origin } = await openTestApp(t)
  const { page } = await visit(t)
  await page.goto(`${origin}/cal/events/v1/events`)
  await page.evaluate(`setInterval(() => fetch('/cal/events/v1/events?again=' + performance.now()).catch(() => 0), 5)`)
  await t.end()
})
