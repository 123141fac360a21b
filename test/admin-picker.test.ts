import assert from 'node:assert/strict'
import test from 'node:test'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

const OPTION = /<li role="option"[^>]*>/g

function optionsIn(text: string): readonly string[] {
  return text.match(OPTION) ?? []
}

test('names are offered as options, twenty at most, with one that creates what is not there', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (let index = 1; index <= 25; index += 1)
    await site.call('editor', 'POST', '/venues', { json: { venue: `Room ${index}`, city: 'Bern', status: 'publish' } })
  const { text, status } = await ada.show('/admin/offers/venue?q=room')
  assert.deepEqual([status, optionsIn(text).length], [200, 21])
  assert.match(text, /data-create>Create “room”</)
  const exact = await ada.show('/admin/offers/venue?q=ROOM%207')
  assert.match(exact.text, /data-autocomplete-value="Room 7"[^>]*><bdi>Room 7<\/bdi> <span[^>]*>Bern</)
  assert.doesNotMatch(exact.text, /data-create/)
  // One letter apart from a name that is there.
  await site.call('editor', 'POST', '/venues', { json: { venue: 'Boathouse', status: 'publish' } })
  const alike = await ada.show('/admin/offers/venue?q=Boathous')
  assert.match(alike.text, /Boathouse<\/bdi> <span[^>]*>Similar to what you typed</)
  assert.match(alike.text, /data-create/)
  assert.equal((await ada.show('/admin/offers/venue?q=')).text, '')
  assert.equal((await ada.show('/admin/offers/users?q=a')).status, 404)
})

test('of several names the last one is looked for, and hostile ones are text', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  await site.call('editor', 'POST', '/organizers', { json: { organizer: 'Rowing club', status: 'publish' } })
  const { text } = await ada.show(`/admin/offers/organizer?q=${encodeURIComponent('Ann,rowing')}`)
  assert.match(text, /data-autocomplete-value="Ann, Rowing club" data-before="Ann, " data-id="\d+"/)
  assert.match(text, /data-autocomplete-value="Ann, rowing" data-create/)
  const hostile = await ada.show(`/admin/offers/tags?q=${encodeURIComponent('"><script>x</script>')}`)
  assert.doesNotMatch(hostile.text, /<script/)
  assert.equal(hostile.headers.get('content-security-policy'), "default-src 'none'")
  const long = await ada.show(`/admin/offers/venue?q=${'x'.repeat(3_000)}`)
  assert.ok(long.text.length < 1_000, 'no more is searched for than a name may have')
})

test('nobody is offered what they may not read', async (t) => {
  const site = await openTestApp(t)
  await site.call('editor', 'POST', '/venues', { json: { venue: 'Secret cellar', status: 'private' } })
  await site.call('editor', 'POST', '/venues', { json: { venue: 'Secret attic', status: 'draft' } })
  const carl = await visitor(site, 'contributor')
  const { text } = await carl.show('/admin/offers/venue?q=secret')
  assert.deepEqual([optionsIn(text).length, /cellar|attic/.test(text)], [1, false])
  const alike = await carl.show('/admin/offers/venue?q=Secrett%20cellar')
  assert.doesNotMatch(alike.text, /Secret cellar/)
  const away = await fetch(`${site.origin}/admin/offers/venue?q=secret`, { redirect: 'manual' })
  assert.equal(away.status, 303)
})

test('of two venues with one name the one that was picked is taken, and a name typed over it says more', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const hall = async (city: string): Promise<number> =>
    (await site.call('editor', 'POST', '/venues', { json: { venue: 'Town hall', city, status: 'publish' } })).body.id
  const [bern, basel] = [await hall('Bern'), await hall('Basel')]
  const made = await ada.submit('/admin/events/new', {
    ...FORM,
    ...{ venue: 'Town hall', venue_id: String(basel), action: 'publish' },
  })
  const path = made.to.split('?')[0] ?? ''
  const venueOf = async () => (await site.call('anonymous', 'GET', `/events/${path.split('/').at(-1)}`)).body.venue
  assert.equal((await venueOf()).id, basel)
  await ada.submit(path, { title: 'Great regatta', action: 'update' })
  assert.equal((await venueOf()).id, basel)
  await ada.submit(path, { venue_id: String(bern), action: 'update' })
  assert.equal((await venueOf()).id, bern)
  // Without scripts the id of the former venue stays in the form.
  await ada.submit(path, { venue: 'Boathouse', action: 'update' })
  assert.equal((await venueOf()).venue, 'Boathouse')
})

test('a venue that is typed is not made again, however many there are', async (t) => {
  const site = await openTestApp(t, { perPageMax: '2' })
  const ada = await visitor(site, 'editor')
  const ids: number[] = []
  for (let index = 1; index <= 12; index += 1) {
    const json = { venue: `Room ${index}`, status: 'publish' }
    ids.push((await site.call('editor', 'POST', '/venues', { json })).body.id)
  }
  for (const [index, id] of ids.entries()) {
    const form = { ...FORM, venue: `room ${index + 1}`, action: 'publish' }
    const { to } = await ada.submit('/admin/events/new', form)
    const event = /events\/(\d+)/.exec(to)?.[1]
    assert.equal((await site.call('anonymous', 'GET', `/events/${event}`)).body.venue.id, id)
  }
})
