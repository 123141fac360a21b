import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atEnd, type TestScope } from './at-end.ts'

/** Where Debian installs Chromium without windows, see `.ci/tools`: it takes a fifth less time than the one with windows. */
const CHROMIUM = '/usr/bin/chromium-headless-shell'

/** Nothing that a test opens leaves this machine. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Why tests with a browser are skipped; false where there is one. In CI they fail instead. */
export const NO_BROWSER: string | false =
  existsSync(CHROMIUM) || process.env['CI'] !== undefined ? false : `there is no ${CHROMIUM}: run .ci/tools`

/** The screens on which pages are looked at. */
export const SCREENS = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const

/** The two ways in which visitors look at pages: every test of public pages runs in both. */
export const WAYS = [
  { javaScriptEnabled: true, way: 'with scripts' },
  { javaScriptEnabled: false, way: 'without scripts' },
] as const

/** Milliseconds that anything on a page may take: the machine may be busy with other tests. */
const PATIENCE = 180_000

let running: Promise<Browser> | undefined

/** The browser of this process; whoever asks first starts it. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  return running
}

/** Closes the browser of this process. */
export async function closeBrowser(): Promise<void> {
  const open = await running
  running = undefined
  await open?.close()
}

/** A page of a browser. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
}

/** How someone visits. */
export interface VisitOptions extends BrowserContextOptions {
  /** Complaints that the test provokes on purpose. */
  readonly provokes?: RegExp
}

/** What a page complains of while the test holds the network back; nothing else can cause it. */
const NETWORK_HELD_BACK = /ERR_INTERNET_DISCONNECTED/

/**
 * Opens a page of its own, which is closed after the test. Nothing may complain on it, nor on any page opened beside it: no
 * script fails, the content security policy refuses nothing, and whatever a page asks for is there.
 */
export async function visit(t: TestScope, options: VisitOptions = {}): Promise<Visit> {
  const { provokes, ...rest } = options
  const context = await (await browser()).newContext({ locale: 'en', timezoneId: 'UTC', ...rest })
  context.setDefaultTimeout(PATIENCE)
  const complaintsOf = listen(context, provokes)
  atEnd(t, async () => {
    await context.close()
    assert.deepEqual(complaintsOf(), [], 'what pages complained of')
  })
  const page = await context.newPage()
  return { page, context }
}

/** Collects what pages complain of, but for what is provoked, and for pages that are refused themselves: their test sees that. */
function listen(context: BrowserContext, provokes: RegExp | undefined): () => string[] {
  const heard: { readonly about: string; readonly text: string }[] = []
  const refused = new Set<string>()
  context.on('weberror', (error) => heard.push({ about: '', text: `${error.page()?.url()}: ${error.error().message}` }))
  context.on('response', (response) => {
    if (response.status() >= 400 && response.request().isNavigationRequest()) refused.add(response.url())
  })
  context.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/i.test(message.text()))
      heard.push({ about: message.location().url, text: `${message.page()?.url()}: ${message.text()}` })
  })
  const isOwn = (about: string, text: string): boolean => refused.has(about) && /Failed to load resource/.test(text)
  return () =>
    heard
      .filter(({ about, text }) => !isOwn(about, text) && !NETWORK_HELD_BACK.test(text) && !provokes?.test(text))
      .map(({ text }) => text)
}

/**
 * Opens an address as browsers without scripts do. Unlike the pages of a context without scripts, whose timers stand still,
 * this one can be looked at with axe.
 */
export async function gotoWithoutScripts(page: Page, address: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.goto(address)
  await session.send('Emulation.setScriptExecutionDisabled', { value: false })
  await session.detach()
}

/** Where elements start that reach over a side of the screen, the innermost first. */
const TOO_WIDE = `[...document.querySelectorAll('body *')].reverse()
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
  .slice(0, 3).map((one) => one.outerHTML.slice(0, 200)).join(' in ')`

/** What is wider than the screen, in words; undefined where nothing is. */
async function tooWide(page: Page): Promise<string | undefined> {
  const root = 'document.documentElement'
  const [wide = 0, screen = 0] = await page.evaluate<number[]>(`[${root}.scrollWidth, ${root}.clientWidth]`)
  return wide > screen ? `${wide} on a screen of ${screen}: ${await page.evaluate(TOO_WIDE)}` : undefined
}

/** Nothing is wider than the screen, so that nobody scrolls sideways. `name` is what a failure calls the page. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const wide = await tooWide(page)
  if (wide !== undefined) assert.fail(`${name}: ${wide}`)
}

/** What pages are held to: WCAG 2.2 AA, and what axe calls good practice. */
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules of axe that other colors can break; all others ask for the structure of a page and its place on the screen. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What axe finds wrong with a page by WCAG 2.2 AA: `rule: element`. `[]` when nothing. */
export async function violations(page: Page): Promise<string[]> {
  await loadAxe(page)
  return runAxe(page, EVERYTHING)
}

/** Through the debugger, so that the policy of the page stays as it is. */
async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source)
}

function runAxe(page: Page, rules: object): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: inPage } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
      }
    }
    const found = await inPage.run({ runOnly, resultTypes: ['violations'] })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
    )
  }, rules)
}

/** Lets a page take its new size and colors, and what moves on the way come to its end. */
const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  for (const one of document.getAnimations())
    if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish()
  done()
})))`

/** Screens by their names. */
type Screens = Readonly<Record<string, { readonly width: number; readonly height: number }>>

/**
 * Looks at a page as it is on every screen, in light and dark, without loading it again: what axe finds, and what is wider than
 * its screen, each as `screen colours: fault`. `[]` when nothing is wrong.
 */
export async function faultsInEveryLook(page: Page, screens: Screens = SCREENS): Promise<string[]> {
  await loadAxe(page)
  const faults: string[] = []
  for (const [screen, viewport] of Object.entries(screens)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(SETTLED)
      const found = await runAxe(page, colorScheme === 'light' ? EVERYTHING : OF_COLOURS)
      const wide = await tooWide(page)
      if (wide !== undefined) found.push(wide)
      faults.push(...found.map((fault) => `${screen} ${colorScheme}: ${fault}`))
    }
  }
  return faults
}
