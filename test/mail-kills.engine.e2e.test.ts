import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../src/storage/open.ts'
import { draws } from './support/draws.ts'
import { administratorOf } from './support/processes.ts'
import { databaseOf, openDataFolder, startServer, UNLIMITED } from './support/server.ts'
import { openSmtp } from './support/smtp.ts'

const KILLS = draws(20, 4)

/** What a request came to: undefined where its answer never arrived. */
async function post(url: string, authorization: string, form: Readonly<Record<string, string>>) {
  // Each request comes from another address: one may have forgotten ten passwords an hour.
  const address = { 'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 250)}` }
  const headers = authorization === '' ? address : { ...address, authorization }
  return fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) }).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => undefined,
  )
}

test(`after ${KILLS} kills each cause has exactly one mail, which arrived with one Message-ID`, async (t) => {
  const smtp = await openSmtp(t, { onRcptTo: (_to, _session, done) => void setTimeout(done, Math.random() * 60) })
  const data = await openDataFolder(t)
  const flags = [...UNLIMITED, '--smtp', smtp.address, '--mail-from', 'calendar@harbour.example']
  const more = ['--base-url', 'https://harbour.example', '--trusted-proxies', '127.0.0.1']
  const start = () => startServer(data, [...flags, ...more])
  let server = await start()
  const authorization = administratorOf(server)
  /** Addresses whose invitation, or whose request for a new password, was acknowledged. */
  const [invited, forgotten]: [string[], string[]] = [[], []]
  let count = 0
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const { origin } = server
    let isAlive = true
    const write = async (): Promise<void> => {
      while (isAlive) {
        count += 1
        const form = { name: `user${count}`, email: `user${count}@example.org`, role: 'author' }
        if ((await post(`${origin}/admin/users`, authorization, form))?.status !== 200) return
        invited.push(form.email)
        if ((await post(`${origin}/admin/forgot`, '', { login: form.email }))?.status === 200)
          forgotten.push(form.email)
        await sleep(Math.random() * 60)
      }
    }
    const writers = [write(), write()]
    await sleep(500 + Math.random() * 500)
    if (kill < KILLS) await server.stop('SIGKILL')
    isAlive = false
    await Promise.all(writers)
    if (kill < KILLS) server = await start()
  }
  const storage = await openStorage({ database: await databaseOf(data), synchronous: 'FULL', readTimeout: 60_000 })
  t.after(() => storage.close())
  const rows = () => storage.all(storage.db.selectFrom('mail').select(['kind', 'address', 'state', 'message_id']))
  for (let wait = 0; wait < 600 && (await rows()).some(({ state }) => state === 'waiting'); wait += 1) await sleep(100)
  const mails = await rows()
  assert.ok(mails.every(({ state }) => state === 'sent'))
  const addressesOf = (kind: string): string[] =>
    mails.filter((mail) => mail.kind === kind).map(({ address }) => address)
  const users = await storage.all(storage.db.selectFrom('user').select('email').where('name', 'like', 'user%'))
  // Who was added was invited, and nobody else, once.
  assert.deepEqual(addressesOf('invitation').sort(), users.map(({ email }) => email).sort())
  const resets = addressesOf('reset')
  assert.equal(new Set(resets).size, resets.length)
  assert.ok(invited.length > KILLS && forgotten.length > KILLS)
  for (const email of invited) assert.ok(addressesOf('invitation').includes(email), email)
  for (const email of forgotten) assert.ok(resets.includes(email), email)
  const arrived = smtp.mails.map((mail) => mail.header('message-id'))
  assert.deepEqual([...new Set(arrived)].sort(), mails.map((mail) => mail.message_id).sort())
  assert.deepEqual(await storage.all(storage.db.selectFrom('mail').select('id').where('content', 'is not', null)), [])
})
