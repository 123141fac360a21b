import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openTestApp } from './support/app.ts'
import { closeBrowser, NO_BROWSER, visit } from './support/browser.ts'
import { foreignSite } from './support/foreign-site.ts'
import { PASSWORD } from './support/known-password.ts'
import { signInAs } from './support/sign-in.ts'

after(closeBrowser)

const MINUTES = { skip: NO_BROWSER, timeout: 1_200_000 }

/** What browsers say of the attacks of these tests. */
const PREVENTED = {
  reading: { provokes: /blocked by CORS policy|net::ERR_FAILED|status of 403/ },
  framing: { provokes: /Framing .* "frame-ancestors 'none'"/ },
}

/** What a script of a page reads at an address with the cookies of its visitor: the text, or why it got none. */
function readWith(page: Page, address: string): Promise<string> {
  return page.evaluate(
    (from) => fetch(from, { credentials: 'include' }).then((answer) => answer.text(), String),
    address,
  )
}

test('a page on another port reads neither the cookie of a session nor anything in it', MINUTES, async (t) => {
  const site = await openTestApp(t)
  const json = {
    title: 'Secret regatta',
    start_date: '2026-12-01 10:00',
    end_date: '2026-12-01 11:00',
    status: 'draft',
  }
  const { body } = await site.call('editor', 'POST', '/events', { json })
  const { page, context } = await visit(t, PREVENTED.reading)
  await signInAs(page, site, 'editor')
  const draft = `${site.origin}/cal/events/v1/events/${body.id}`
  assert.match(await readWith(page, draft), /Secret regatta/)
  assert.equal(await page.evaluate('document.cookie'), '')
  const evil = await context.newPage()
  await evil.goto(await foreignSite(t, { '/': '<!doctype html><title>Win</title>' }))
  assert.equal(await evil.evaluate('document.cookie'), '')
  assert.match(await readWith(evil, draft), /Failed to fetch/)
  assert.match(await readWith(evil, `${site.origin}/admin/profile`), /Failed to fetch/)
})

test('a page that may send credentials of its own reads nothing in the session of its visitor', MINUTES, async (t) => {
  const partner = await foreignSite(t, { '/': '<!doctype html><title>Partner</title>' })
  const site = await openTestApp(t, { corsOrigins: partner })
  const json = {
    title: 'Secret regatta',
    start_date: '2026-12-01 10:00',
    end_date: '2026-12-01 11:00',
    status: 'draft',
  }
  const { body } = await site.call('editor', 'POST', '/events', { json })
  const { page, context } = await visit(t, PREVENTED.reading)
  await signInAs(page, site, 'editor')
  const other = await context.newPage()
  await other.goto(partner)
  const read = await readWith(other, `${site.origin}/cal/events/v1/events/${body.id}`)
  assert.match(read, /"code":/)
  assert.doesNotMatch(read, /Secret regatta/)
})

test('a page of another site signs nobody in as somebody else, and signs nobody out', MINUTES, async (t) => {
  const site = await openTestApp(t)
  const { page, context } = await visit(t)
  await signInAs(page, site, 'editor')
  const fields = `<input name="login" value="editor"><input name="password" value="${PASSWORD}">`
  const evil = await foreignSite(t, {
    '/in': `<form method="post" action="${site.origin}/admin/login">${fields}<button>Win</button></form>`,
    '/out': `<form method="post" action="${site.origin}/admin/logout"><button>Win</button></form>`,
  })
  for (const path of ['/in', '/out']) {
    const attack = await context.newPage()
    await attack.goto(evil + path)
    const answered = attack.waitForResponse((response) => response.request().method() === 'POST')
    await attack.getByRole('button').click()
    assert.equal((await answered).status(), 403, path)
  }
  await page.goto(`${site.origin}/admin/profile`)
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  const stranger = await visit(t)
  await stranger.page.goto(`${evil}/in`)
  await stranger.page.getByRole('button').click()
  await stranger.page.waitForURL(/admin/)
  await stranger.page.goto(`${site.origin}/admin/profile`)
  await stranger.page.waitForURL(/admin\/login/)
})

test(
  'nobody lays the sign-in or a form under a page of another site, even by the way of embedding',
  MINUTES,
  async (t) => {
    const site = await openTestApp(t)
    const { page, context } = await visit(t, PREVENTED.framing)
    await signInAs(page, site, 'editor')
    for (const path of ['/admin', '/admin/login', '/admin/profile', '/admin/events/new', '/admin/events?embed=1']) {
      const evil = await foreignSite(t, { '/': `<iframe src="${site.origin}${path}"></iframe>` })
      const framing = await context.newPage()
      await framing.goto(evil)
      const frame = framing.frames().find((one) => one !== framing.mainFrame())
      await frame?.waitForLoadState()
      assert.equal((await frame?.locator('form, nav').count()) ?? 0, 0, path)
    }
  },
)
