import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { zipSync } from 'fflate'
import { openTestApp } from '../../../../../test/support/app.ts'
import { testFolder } from '../../../../../test/support/test-storage.ts'

function calendar(uid: string): Buffer {
  const lines = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20270105T100000Z', `SUMMARY:${uid}`, 'END:VEVENT']
  return Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'))
}

test('whatever path a file of an archive names, its events come and nothing is written there', async (t) => {
  const folder = testFolder(t)
  const data = join(folder, 'a', 'data')
  await mkdir(data, { recursive: true })
  const { app } = await openTestApp(t, { data })
  const name = `${randomUUID()}.ics`
  const paths = [
    ...[`../../${name}`, `../../../${name}`, `a/../../../${name}`, join(folder, name), `/${name}`],
    ...[`..\\${name}`, `C:\\${name}`, `\\\\server\\share\\${name}`, `..%2f${name}`, `~/${name}`],
  ]
  const archive = Buffer.from(zipSync(Object.fromEntries(paths.map((path, index) => [path, calendar(`one-${index}`)]))))
  assert.ok(app.importCalendars)
  const files = [{ name: `../../${name}.zip`, bytes: archive }]
  const report = await app.importCalendars({ files }, () => undefined)
  assert.deepEqual([report.counts.event.created, report.skipped], [paths.length, []])
  const from = ['.', data, join(data, 'imports'), join(data, 'media'), folder, tmpdir()]
  const written = from.flatMap((start) => paths.map((path) => resolve(start, path))).filter((path) => existsSync(path))
  assert.deepEqual(written, [])
  const all = await readdir(folder, { recursive: true })
  assert.deepEqual(
    all.filter((path) => path.includes(name)),
    [],
  )
})
