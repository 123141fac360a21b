// node scripts/pictures.ts: the images of the README, taken by the browser of the tests. Each has at most 100 KB.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openTestApp } from '../test/support/app.ts'
import { closeBrowser, visit } from '../test/support/browser.ts'
import { fillExhibition } from '../test/support/exhibition.ts'
import { startServer } from '../test/support/server.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
const VIEWPORT = { width: 1120, height: 760 }

const ends: (() => Promise<void>)[] = []
const scope = { after: (step: () => Promise<void>) => void ends.push(step) }

async function keep(name: string, screenshot: Buffer): Promise<void> {
  const png = await sharp(screenshot).png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 }).toBuffer()
  if (png.length > 100_000) throw new Error(`${name} has ${png.length} bytes`)
  await writeFile(join(FOLDER, `${name}.png`), png)
}

const app = await openTestApp(scope, { siteName: 'Harbourtown Calendar' })
await fillExhibition(app)
const { page } = await visit(scope, { viewport: VIEWPORT })
await page.goto(`${app.origin}/events/2026-11/`)
await keep('month', await page.screenshot())

const server = await startServer(await mkdtemp(join(tmpdir(), 'kalends-pictures-')))
try {
  await page.goto(/Set up {4}(\S+)/.exec(server.output())?.[1] ?? '')
  await page.getByLabel('Site name').fill('Harbourtown Calendar')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Password').fill('seven quiet otters')
  await page.getByRole('button', { name: 'Set up calendar' }).click()
  await page.getByLabel('Title').fill('Night of the museums')
  await keep('event-form', await page.screenshot())
} finally {
  await server.stop('SIGKILL')
}
for (const end of ends.toReversed()) await end()
await closeBrowser()
