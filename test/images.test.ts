import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { openRemoteSite, paint, type RemotePages } from './support/images.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { upload } from './support/upload.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-images-'))
after(() => rm(folder, { recursive: true, force: true }))
const flags = { media: folder, mediaLimit: '200000', fetchAllow: '127.0.0.1' } as const
const app = await openTestApp({ after }, flags)
const { call, origin } = app

const boat = await paint(400, 320).png().toBuffer()
const broken = boat.subarray(0, boat.length - 20)
const PAINTED = ['boat', 'pier', 'fair', 'crew', 'hall', 'tent', 'band', 'rain']
const painted: RemotePages = Object.fromEntries(
  PAINTED.map((name, index) => {
    const picture = paint(200 + index, 100)
      .png()
      .toBuffer()
    return [`/${name}.png`, (response) => void picture.then((bytes) => response.end(bytes))]
  }),
)
const remote = await openRemoteSite(
  { after },
  {
    ...painted,
    '/signed.png': (response) => response.end(boat),
    '/text.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
    '/picture': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(boat),
    '/broken.png': (response) => response.end(broken),
    '/large.png': (response) => response.end(Buffer.alloc(200_001)),
    '/inside.png': (response) => response.writeHead(302, { location: 'http://127.0.0.2/boat.png' }).end(),
  },
)

const TIMES = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 12:00:00' }
const event = (image: unknown, more: object = {}) => ({ json: { title: 'Regatta', ...TIMES, image, ...more } })

async function state(): Promise<unknown> {
  const { storage } = app.app
  const rows = await storage.all(storage.db.selectFrom('media').select('id'))
  const entries = await storage.all(storage.db.selectFrom('entry').select('id'))
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return [rows.length, entries.length, files.filter((one) => one.isFile()).length]
}

function assertImageRefused(answer: { status: number; body: { code: string; data: { params: object } } }, what = '') {
  const { status, body } = answer
  assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['image']], what)
}

test('events, venues and organizers take a picture by number, text, address and the object that GET answers', async () => {
  const { body: made } = await upload(app, 'author', { bytes: boat })
  const { id, url, sizes } = made.image
  const address = `https://elsewhere.example${new URL(url).pathname}`
  for (const image of [id, String(id), url, sizes.medium.url, address, made.image]) {
    for (const [path, name] of [
      ['/venues', { venue: 'Pier' }],
      ['/organizers', { organizer: 'Crew' }],
      ['/events', { title: 'Regatta', ...TIMES }],
    ] as const) {
      const answer = await call('contributor', 'POST', path, { json: { ...name, image } })
      assert.deepEqual([answer.status, answer.body.image], [201, made.image], `${path} ${JSON.stringify(image)}`)
    }
  }
})

test('the picture is shown wherever the item is: single, list, embedded, search engines, page', async () => {
  const { body: made } = await upload(app, 'author', { bytes: boat })
  const { image } = made
  const linked = { venue: { venue: 'Quay', image: image.id }, organizer: { organizer: 'Club', image: image.id } }
  const { status, body } = await call('author', 'POST', '/events', event(image.id, linked))
  assert.equal(status, 201)
  const { body: read } = await call('anonymous', 'GET', `/events/${body.id}`)
  assert.deepEqual([read.image, read.venue.image, read.organizer[0].image], [image, image, image])
  const { json_ld } = read
  assert.deepEqual([json_ld.image, json_ld.location.image, json_ld.organizer.image], [image.url, image.url, image.url])
  const { body: list } = await call('anonymous', 'GET', '/events', { query: { include: body.id } })
  assert.deepEqual([list.events[0].image, list.events[0].venue.image], [image, image])
  const { body: venues } = await call('anonymous', 'GET', '/venues', { query: { event: body.id } })
  assert.deepEqual(venues.venues[0].image, image)
  for (const { url } of [read, read.venue, read.organizer[0]])
    assert.match(await (await fetch(url)).text(), new RegExp(`<img src="${new URL(image.url).pathname}"`))
  const under = await call('anonymous', 'GET', `${origin}/de/wp-json/tribe/events/v1/events/${body.id}`)
  assert.deepEqual(under.body.image, image)
})

test('pages show the large size, so that nobody loads more than is shown', async () => {
  const { body: made } = await upload(app, 'author', { bytes: await paint(1500, 300).png().toBuffer() })
  const { body } = await call('author', 'POST', '/events', event(made.id))
  assert.match(
    await (await fetch(body.url)).text(),
    new RegExp(`<img src="${new URL(body.image.sizes.large.url).pathname}"`),
  )
})

test('every empty value takes the picture off, and leaving it out keeps it', async () => {
  const { body: made } = await upload(app, 'author', { bytes: boat })
  const { body } = await call('author', 'POST', '/events', event(made.id))
  const change = async (json: object) => (await call('author', 'PATCH', `/events/${body.id}`, { json })).body.image
  for (const empty of [false, '', 0, '0', null, []]) {
    assert.deepEqual(await change({ image: made.id }), made.image)
    assert.deepEqual(await change({ title: 'Other' }), made.image)
    assert.equal(await change({ image: empty }), false, JSON.stringify(empty))
  }
})

test('the query of the address that a picture came from is shown to nobody, and the picture is still known by it', async () => {
  const image = `${remote.origin}/signed.png?signature=s3cret`
  const { status, body } = await call('author', 'POST', '/events', event(image))
  assert.equal(status, 201)
  const { id } = body.image
  const media = await call('administrator', 'GET', `${origin}/kalends/v1/media/${id}`)
  assert.equal(media.body.source, `${remote.origin}/signed.png`)
  assert.doesNotMatch(JSON.stringify([body, media.body]), /s3cret/)
  assert.equal((await call('author', 'POST', '/events', event(image))).body.image.id, id)
})

test('what is no picture of ours is refused', async () => {
  const { body: other } = await call('author', 'POST', '/events', event(false))
  for (const image of [other.id, String(other.id), 99_999, 1e15, 'boat', 'ftp://127.0.0.1/a.png', true, { id: 99_999 }])
    assertImageRefused(await call('administrator', 'POST', '/events', event(image)), JSON.stringify(image))
})

test('a picture of another site is fetched once, also by several items and at the same time', async () => {
  const image = `${remote.origin}/boat.png`
  const [one, two] = await Promise.all([1, 2].map(() => call('author', 'POST', '/events', event(image))))
  const third = await call('editor', 'POST', '/venues', { json: { venue: 'Boathouse', image: `${image}#top` } })
  const { id } = third.body.image
  assert.deepEqual([one?.body.image.id, two?.body.image.id], [id, id])
  const asked = remote.asked.length
  assert.equal((await call('author', 'POST', '/events', event(image))).body.image.id, id)
  assert.equal(remote.asked.length, asked)
  const { body } = await call('author', 'GET', `${origin}/kalends/v1/media/${id}`)
  assert.deepEqual([body.source, body.title, body.image.width], [image, 'boat', 200])
  assert.ok(body.image.url.startsWith(`${origin}/media/`))
  await assertJournalMirrors(app.app.storage)
})

test('the content decides what is a picture, not the name or the type that the site claims', async () => {
  const answer = await call('author', 'POST', '/events', event(`${remote.origin}/picture`))
  assert.deepEqual([answer.status, answer.body.image.extension], [201, 'png'])
  const before = await state()
  for (const path of ['/text.png', '/broken.png', '/large.png', '/inside.png', '/unknown.png', '/'])
    assertImageRefused(await call('author', 'POST', '/events', event(remote.origin + path)), path)
  assert.deepEqual(await state(), before)
})

test('networks that are not allowed are not fetched from', async () => {
  const { port } = new URL(remote.origin)
  const asked = remote.asked.length
  for (const host of ['127.0.0.2', '[::1]', '169.254.169.254', '10.0.0.1', '0.0.0.0'])
    assertImageRefused(await call('administrator', 'POST', '/events', event(`http://${host}:${port}/pier.png`)), host)
  assert.equal(remote.asked.length, asked)
})

test('contributors name no address of another site, and nobody who may not write has anything fetched', async () => {
  const known = `${remote.origin}/fair.png`
  assert.equal((await call('author', 'POST', '/events', event(known))).status, 201)
  const asked = remote.asked.length
  for (const image of [`${remote.origin}/crew.png`, known])
    assertImageRefused(await call('contributor', 'POST', '/events', event(image)), image)
  const inline = await call('contributor', 'POST', '/events', event(false, { venue: { venue: 'V', image: known } }))
  assert.deepEqual([inline.status, Object.keys(inline.body.data.params)], [400, ['venue']])
  for (const [role, status] of [
    ['anonymous', 401],
    ['subscriber', 403],
  ] as const)
    assert.equal((await call(role, 'POST', '/events', event(`${remote.origin}/crew.png`))).status, status)
  const { body: foreign } = await call('editor', 'POST', '/events', event(false))
  const json = { image: `${remote.origin}/crew.png` }
  assert.equal((await call('author', 'PATCH', `/events/${foreign.id}`, { json })).status, 403)
  assert.equal((await call('author', 'POST', '/events', event(json.image, { title: '', end_date: 'x' }))).status, 400)
  assert.equal(remote.asked.length, asked)
})

test('inline venues and organizers bring pictures of other sites along', async () => {
  const linked = {
    venue: { venue: 'Hall', image: `${remote.origin}/hall.png` },
    organizer: [{ organizer: 'Band', image: `${remote.origin}/band.png` }],
  }
  const { status, body } = await call('author', 'POST', '/events', event(`${remote.origin}/hall.png`, linked))
  assert.equal(status, 201)
  assert.equal(body.venue.image.id, body.image.id)
  assert.notEqual(body.organizer[0].image.id, body.image.id)
  const lost = { venue: { venue: 'Lost', image: `${remote.origin}/unknown.png` } }
  const refused = await call('author', 'POST', '/events', event(false, lost))
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['venue']])
})

test('a write that names more than 20 addresses of other sites is refused before any is asked', async () => {
  const asked = remote.asked.length
  const organizer = Array.from({ length: 21 }, (_none, index) => ({
    organizer: `Many ${index}`,
    image: `${remote.origin}/boat.png?${index}`,
  }))
  const refused = await call('author', 'POST', '/events', event(false, { organizer }))
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['organizer']])
  assert.equal(remote.asked.length, asked)
  const enough = await call('author', 'POST', '/events', event(false, { organizer: organizer.slice(1) }))
  assert.equal(enough.status, 201)
})

test('a venue with another picture is another venue, one with the same is the same', async () => {
  const { body: first } = await upload(app, 'author', { bytes: boat })
  const { body: second } = await upload(app, 'author', { bytes: boat })
  const make = async (image: unknown) =>
    (await call('author', 'POST', '/venues', { json: { venue: 'DuplicateQuery', image } })).body.id
  const id = await make(first.id)
  assert.equal(await make(first.id), id)
  assert.equal(await make(''), id)
  assert.notEqual(await make(second.id), id)
})

test('a write that is refused inside its transaction leaves neither row nor file behind', async () => {
  const before = await state()
  const image = `${remote.origin}/tent.png`
  const inline = { venue: { venue: 'Tent', author: 99_999 } }
  assert.equal((await call('author', 'POST', '/events', event(image, inline))).status, 400)
  assert.ok(remote.asked.includes('/tent.png'))
  assert.deepEqual(await state(), before)
  assert.equal((await call('author', 'POST', '/events', event(image))).status, 201)
})

test('sending back what GET answers changes nothing', async () => {
  const { body } = await call('author', 'POST', '/events', event(`${remote.origin}/rain.png`))
  const { body: read } = await call('author', 'GET', `/events/${body.id}`)
  const { body: after } = await call('author', 'POST', `/events/${body.id}`, { json: read })
  assert.deepEqual([after.image, after.modified], [read.image, read.modified])
  app.clock.now += 60_000
  const again = await call('author', 'PUT', `/events/${body.id}`, { json: { image: read.image } })
  assert.deepEqual([again.body.image, again.body.modified], [read.image, read.modified])
})
