// What has to work in every runtime, without anything of Node: runs on a Kalends site and on a site of The Events Calendar.
//   node anywhere.mjs CLIENT '{"kalends": ORIGIN, "login": [NAME, PASSWORD], "tec": ORIGIN}'

/** Works with both sites; the texts of what happened. @throws what does not hold */
export async function walk({ kalends, Conflict, Unsupported, plain, venuesOf, when }, sites) {
  const done = []
  const same = (name, actual, expected) => {
    const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value))
    if (found !== wanted) throw new Error(`${name}: ${found} instead of ${wanted}`)
    done.push(name)
  }
  const thrown = (promise) =>
    promise.then(
      () => undefined,
      (error) => error,
    )

  const c = kalends(sites.kalends, { login: sites.login })
  same('site', (await c.site()).kind, 'kalends')
  const times = { start_date: '2031-06-07 19:00', end_date: '2031-06-07 21:00' }
  const talk = await c.events.create({ ...times, title: 'Grüße &amp; more', venue: { venue: 'Hall' } })
  same('created', [plain(talk.title), venuesOf(talk)[0].venue], ['Grüße & more', 'Hall'])
  const { start } = when(talk)
  same('when', String(start).slice(0, 22), '2031-06-07T19:00:00-04')
  same('updated', (await c.events.update(talk, { cost: '5' })).cost, '$5')
  same('conflict', (await thrown(c.events.update(talk, { cost: '6' }))) instanceof Conflict, true)
  same('by slug', (await c.events.get({ slug: talk.slug })).id, talk.id)
  const [listed] = await c.events.list({ starts_after: '2031-01-01', search: 'Grüße' }).toArray()
  same('listed', [listed.id, await c.events.list({ starts_after: '2031-01-01' }).total()], [talk.id, 1])

  const stop = new AbortController()
  const { cursor } = (await c.venues.list().pages()[Symbol.asyncIterator]().next()).value
  const following = (async () => {
    for await (const change of c.changes({ since: cursor, signal: stop.signal })) return change
  })()
  const made = await c.batch((b) => {
    const hall = b.venues.create({ venue: 'Shed' })
    return { hall, event: b.events.create({ ...times, title: 'In the shed', venue: hall.id }) }
  })
  same('batch', venuesOf(made.event)[0].id, made.hall.id)
  same('streamed', (await following).id, made.hall.id)
  same('trash', (await c.events.remove(made.event)).status, 'trash')
  same('restored', (await c.events.restore(made.event.id)).status, 'draft')
  const pixels = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = new Blob([Uint8Array.from(atob(pixels), (letter) => letter.charCodeAt(0))])
  same('uploaded', (await c.media.upload(file, { title: 'Dot', alt: 'A dot' })).alt_text, 'A dot')
  const stranger = kalends(sites.kalends, { login: ['nobody', 'wrong'] })
  same('refused', (await thrown(stranger.events.remove(talk.id))).code, 'incorrect_password')

  const tec = kalends(sites.tec)
  same('TEC site', [(await tec.site()).kind, (await tec.site()).timezone], ['tec', 'UTC+1'])
  const events = await tec.events.list().toArray()
  same(
    'TEC events',
    [events.length, await tec.events.list().total(), plain(events[0].title)],
    [4, 4, 'Shanties & Stout – 2nd night'],
  )
  same('TEC times', String(when(events[0]).start).slice(0, 25), '2022-06-10T19:30:00+01:00')
  same('TEC event', (await tec.events.get(events[0].id)).slug, events[0].slug)
  same('TEC slug', (await tec.events.get({ slug: events[1].slug })).id, events[1].id)
  same(
    'TEC venues',
    events.map((event) => venuesOf(event).length),
    [1, 0, 2, 1],
  )
  for (const kind of ['venues', 'organizers', 'categories', 'tags']) {
    const items = await tec[kind].list().toArray()
    for (const { id } of items) same(`TEC ${kind} ${id}`, (await tec[kind].get(id)).id, id)
  }
  same('TEC write', (await thrown(tec.events.create({ ...times, title: 'No' }))) instanceof Unsupported, true)
  return done
}

const [client, sites] = globalThis.process?.argv?.slice(2) ?? []
// biome-ignore lint/suspicious/noConsole: it is a program
if (client !== undefined) console.log(JSON.stringify(await walk(await import(client), JSON.parse(sites))))
