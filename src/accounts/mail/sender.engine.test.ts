import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { createLog } from '../../base/log.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import type { MailTable } from '../../storage/schema.ts'
import { endAccess, makeLink } from '../sessions/index.ts'
import { addUser, disableUser, findLogin } from '../users/index.ts'
import { type MailerDeps, openMailer } from './mailer.ts'
import { askForReset } from './resets.ts'
import { openSender, type SenderDeps } from './sender.ts'
import type { NewMail } from './templates.ts'
import type { OutgoingMail } from './transport.ts'

const START = Date.UTC(2026, 10, 20, 18, 0, 0)
const [MINUTE, HOUR] = [60_000, 3_600_000] as const

type Engine = (typeof ENGINES)[number]

/** A sender whose server and database do what a test says. */
async function openOutbox(engine: Engine, t: TestContext, doing: Partial<SenderDeps> = {}) {
  const real = await openTestStorage(engine, t)
  const clock = { now: START }
  const now = (): number => clock.now
  const lines: string[] = []
  const log = createLog({ level: 'info', now, stream: { write: (line) => void lines.push(line) } })
  const reports: string[] = []
  const sent: OutgoingMail[] = []
  const broken = { writes: 0 }
  /** Fails so many writes while mails are sent. */
  const write: Storage['write'] = (work, kind) => {
    if (broken.writes === 0) return real.write(work, kind)
    broken.writes -= 1
    return Promise.reject(new Error('the database is out of sorts'))
  }
  const storage: Storage = Object.create(real, { write: { value: write } })
  const site = { name: 'Harbour', zone: 'UTC' }
  const ground: MailerDeps = {
    ...{ storage: real, log, now, secret: 'key', site, domain: 'harbour.example', hasServer: true },
    ...{ baseUrl: () => 'https://harbour.example', language: () => 'en' },
  }
  const asked = (login: string): Promise<void> => askForReset(ground, login)
  const mailer = openMailer(ground, { wake: () => undefined, askForReset: asked })
  const send = (mail: OutgoingMail): Promise<void> => {
    sent.push(mail)
    return Promise.resolve()
  }
  const { work } = openSender({
    ...{ storage, secret: 'key', log, now, send, isReady: () => true, resolveAsked: () => Promise.resolve() },
    report: (error) => void reports.push(String(error)),
    ...doing,
  })
  t.after(() => work.stop())
  const queue = (address: string, mail: Partial<NewMail> = {}): Promise<boolean> =>
    real.write((tx) => mailer.queueMail(tx, { kind: 'test', to: { address, name: '', language: 'en' }, ...mail }))
  const book = { storage: real, now, secret: 'key' }
  /** Mails a new user a link that works for so many hours. */
  const queueLink = async (name: string, hours: number): Promise<void> => {
    const email = `${name}@example.org`
    if ((await findLogin(real, name)) === undefined) await addUser(book, { name, email, role: 'author' })
    const { path } = await makeLink(book, { name, hours })
    const values = { by: 'Bea', role: 'admin.users.author', login: name }
    await queue(email, { kind: 'invitation', values, path, until: clock.now + hours * HOUR })
  }
  const rows = (): Promise<MailTable[]> => real.all(real.db.selectFrom('mail').selectAll().orderBy('id'))
  /** Waits until the rows are as a test wants them. */
  const until = async (isSo: (rows: readonly MailTable[]) => boolean): Promise<readonly MailTable[]> => {
    for (let wait = 0; wait < 1000; wait += 1) {
      const found = await rows()
      if (isSo(found)) return found
      work.wake()
      await new Promise((done) => setTimeout(done, 10))
    }
    return assert.fail(JSON.stringify(await rows()))
  }
  return { clock, lines, reports, sent, broken, work, book, queue, queueLink, asked, until, send }
}

const isSettled = (rows: readonly MailTable[]): boolean => rows.every(({ state }) => state !== 'waiting')

for (const engine of ENGINES) {
  test(`${engine}: what cannot be stored of a mail sends neither it nor its neighbours twice`, async (t) => {
    const sent: OutgoingMail[] = []
    const box = await openOutbox(engine, t, {
      send: async (mail) => {
        sent.push(mail)
        // The next write stores what became of the first mail.
        if (sent.length === 1) box.broken.writes = 1
        else await new Promise((done) => setTimeout(done, 300))
      },
    })
    for (const name of ['ada', 'bea', 'cleo']) await box.queue(`${name}@example.org`)
    box.work.begin()
    await box.until(isSettled)
    assert.deepEqual(sent.map(({ to }) => to.address).sort(), [
      'ada@example.org',
      'bea@example.org',
      'cleo@example.org',
    ])
    assert.equal(box.reports.length, 1)
  })

  test(`${engine}: a login that cannot be looked up holds up no mail, and is dropped`, async (t) => {
    let tries = 0
    const box = await openOutbox(engine, t, {
      resolveAsked: (_tx: Transaction) => {
        tries += 1
        return Promise.reject(new Error('no such thing'))
      },
    })
    await box.asked('ada')
    await box.queue('bea@example.org')
    box.work.begin()
    await box.until(([mail, ...others]) => mail?.state === 'sent' && others.length === 0)
    assert.deepEqual([tries, box.sent.length], [1, 1])
  })

  test(`${engine}: a mail whose link has expired is given up, not sent`, async (t) => {
    const box = await openOutbox(engine, t)
    await box.queueLink('ada', 1)
    await box.queueLink('bea', 2)
    box.clock.now += HOUR
    box.work.begin()
    const rows = await box.until(isSettled)
    assert.deepEqual(
      rows.map(({ state, problem, content }) => [state, problem, content]),
      [
        ['failed', 'expired', null],
        ['sent', '', null],
      ],
    )
    assert.match(box.lines.join(''), /mail given up/)
    assert.deepEqual(
      box.sent.map(({ to }) => to.address),
      ['bea@example.org'],
    )
  })

  test(`${engine}: a mail whose link was used, replaced or withdrawn is not sent`, async (t) => {
    const box = await openOutbox(engine, t)
    for (const name of ['ada', 'ada', 'bea', 'cleo']) await box.queueLink(name, 1)
    await box.book.storage.write(async (tx) => endAccess(tx, (await findLogin(tx, 'bea'))?.id ?? 0))
    await disableUser(box.book, { name: 'cleo' })
    box.work.begin()
    const rows = await box.until(isSettled)
    const dropped = ['dropped', 'its link does not work any more', null]
    assert.deepEqual(
      rows.map(({ state, problem, content }) => [state, problem, content]),
      [dropped, ['sent', '', null], dropped, dropped],
    )
    const told = box.lines.map((line): { readonly level: unknown; readonly msg: string } => JSON.parse(line))
    const levels = told.filter(({ msg }) => msg === 'mail dropped').map(({ level }) => level)
    // No warnings: 30 is `info`.
    assert.deepEqual(levels, [30, 30, 30])
    assert.equal(box.sent.length, 1)
  })

  test(`${engine}: a mail whose link needs no account is sent while that works`, async (t) => {
    const box = await openOutbox(engine, t)
    await box.queue('ada@example.org', { path: '/event/regatta', until: box.clock.now + HOUR })
    box.work.begin()
    const [mail] = await box.until(isSettled)
    assert.equal(mail?.state, 'sent')
  })

  test(`${engine}: a link that expires between two attempts is not mailed`, async (t) => {
    const box = await openOutbox(engine, t, { send: () => Promise.reject(new Error('busy')) })
    await box.queueLink('ada', 1 / 60)
    box.work.begin()
    await box.until(([mail]) => mail?.attempts === 1)
    box.clock.now += MINUTE
    const [mail] = await box.until(isSettled)
    assert.deepEqual([mail?.state, mail?.problem], ['failed', 'expired'])
  })

  test(`${engine}: what nobody could send for two days is given up at the first look`, async (t) => {
    const box = await openOutbox(engine, t)
    await box.queue('ada@example.org')
    box.clock.now += 1000
    await box.queue('bea@example.org')
    box.clock.now += 48 * HOUR
    box.work.begin()
    const rows = await box.until(isSettled)
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['failed', 'sent'],
    )
    assert.match(rows[0]?.problem ?? '', /48 hours/)
  })
}
