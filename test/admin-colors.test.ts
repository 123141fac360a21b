import assert from 'node:assert/strict'
import test from 'node:test'
import { COLORS } from '../src/model/color.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('the form of a category shows each color beside its name, and saves the one that is chosen', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  await ada.submit('/admin/categories/new', { name: 'Music', color: 'teal' })
  const { body } = await site.call('editor', 'GET', '/categories?hide_empty=false')
  const { text } = await ada.show(`/admin/categories/${body.categories[0].id}`)
  const choices = [
    ...text.matchAll(/<label class="(c\d+|)"><input type="radio" name="color" value="(\w*)"( checked)?>/g),
  ]
  assert.deepEqual(
    choices.map(([, look, value]) => [look, value]),
    [['', ''], ...COLORS.map((color, index) => [`c${index + 1}`, color])],
  )
  assert.deepEqual(
    choices.flatMap(([, , value, isChecked]) => (isChecked === undefined ? [] : [value])),
    ['teal'],
  )
})
