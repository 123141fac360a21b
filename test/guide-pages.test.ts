import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { openTestApp } from './support/app.ts'

const DOCS = join(import.meta.dirname, '../docs')

test('every document for users is a guide, and every link between guides leads to a heading that is there', async (t) => {
  const { origin } = await openTestApp(t)
  const names = [DOCS, join(DOCS, 'reference')].flatMap((folder) =>
    readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? file.slice(0, -'.md'.length) : [])),
  )
  const pages = new Map<string, string>()
  for (const name of names) {
    const response = await fetch(`${origin}/reference/guides/${name}/`)
    assert.equal(response.status, 200, name)
    pages.set(name, await response.text())
  }
  const list = await (await fetch(`${origin}/reference/`)).text()
  let links = 0
  for (const [name, text] of pages) {
    assert.ok(list.includes(`/reference/guides/${name}/"`), `${name} is in the list`)
    for (const [link, target = name, id] of text.matchAll(
      /href="(?:[^"]*\/reference\/guides\/([\w-]+)\/)?#([^"]+)"/g,
    )) {
      if (id === 'content') continue
      links += 1
      assert.ok(pages.get(target)?.includes(`id="${id}"`), `${name}: ${link}`)
    }
  }
  assert.ok(links > 20, String(links))
})
