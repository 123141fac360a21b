import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'
import { MEETING } from './support/events.ts'

const app = await openTestApp({ after })

const post = (json: object): Promise<Answer> => app.call('editor', 'POST', '/events', { json: { ...MEETING, ...json } })

test('a ticket has its members in their order, each read as what it is', async () => {
  const ticket = {
    sold_out: 'yes',
    available_until: '2027-01-31',
    available_from: 'December 1, 2026 10am',
    capacity: '100',
    url: 'https://tickets.example/1',
    currency: 'chf',
    price: 12.5,
    name: '<b>Adult</b> & child',
    colour: 'red',
  }
  const { body } = await post({ tickets: [ticket, { name: '2028', price: '', currency: null }] })
  assert.equal(
    JSON.stringify(body.tickets),
    JSON.stringify([
      {
        name: 'Adult &amp; child',
        price: '12.5',
        currency: 'CHF',
        url: 'https://tickets.example/1',
        capacity: 100,
        available_from: '2026-12-01 10:00:00',
        available_until: '2027-01-31 23:59:59',
        sold_out: true,
      },
      { name: '2028' },
    ]),
  )
})

test('the sale of a ticket is on the clock of its event', async () => {
  const tickets = [{ name: 'A', available_from: '2026-12-01T10:00:00Z', available_until: 1_798_797_600 }]
  const { body } = await post({ tickets, timezone: 'Asia/Tokyo' })
  assert.deepEqual(body.tickets, [
    { name: 'A', available_from: '2026-12-01 19:00:00', available_until: '2027-01-01 19:00:00' },
  ])
})

test('tickets that make no sense are refused', async () => {
  const bad = [
    ...[{}, { price: 5 }, { name: '' }, { name: '<i></i>' }, { name: ['A'] }, 'A', { name: 'x'.repeat(1_001) }],
    ...['12,50', '-1', -1, 'free', '1e3', 1e21, true].map((price) => ({ name: 'A', price })),
    ...['ZZZ', 'EURO', '€', 978].map((currency) => ({ name: 'A', currency })),
    ...['javascript:alert(1)', 'tickets.example'].map((url) => ({ name: 'A', url })),
    ...[-1, 1.5, 'many', true].map((capacity) => ({ name: 'A', capacity })),
    ...['2027-02-30', 'soon', true].map((available_from) => ({ name: 'A', available_from })),
    { name: 'A', sold_out: 'perhaps' },
    { name: 'A', available_from: '2027-02-02', available_until: '2027-02-01' },
    { name: 'A', available_from: '2027-02-01T10:00:00Z', available_until: '2027-02-01 04:59:59' },
  ]
  for (const ticket of bad) {
    const { status, body } = await post({ tickets: [{ name: 'Fine' }, ticket] })
    assert.deepEqual([status, Object.keys(body.data.params ?? {})], [400, ['tickets']], JSON.stringify(ticket))
  }
  for (const tickets of [{ name: 'A' }, 'A', 5, true]) assert.equal((await post({ tickets })).status, 400)
  for (const tickets of [[], null, '', false, 0]) assert.ok(!('tickets' in (await post({ tickets })).body))
  const sameDay = [{ name: 'A', available_from: '2027-02-01', available_until: '2027-02-01' }]
  assert.equal((await post({ tickets: sameDay })).status, 201)
})

test('tickets are the offers of the structured data, with their sale on the clock of the event', async () => {
  const { body } = await post({
    cost: '$5',
    tickets: [
      { name: 'Adult', price: '5', currency: 'EUR', url: 'https://tickets.example/1' },
      { name: 'Child', price: 0, available_from: '2026-12-01', available_until: '2027-07-01 12:00' },
      { name: 'Guest', sold_out: true },
      { name: 'Early', available_until: '2027-03-14 02:30' },
    ],
  })
  const read = await app.call('anonymous', 'GET', `/events/${body.id}`)
  const common = { '@type': 'Offer', category: 'primary' }
  const inStock = { ...common, availability: 'https://schema.org/InStock', validFrom: '2026-11-20T00:00:00+00:00' }
  assert.deepEqual(read.body.json_ld.offers, [
    { ...inStock, name: 'Adult', price: '5', priceCurrency: 'EUR', url: 'https://tickets.example/1' },
    {
      ...inStock,
      name: 'Child',
      price: '0',
      priceCurrency: 'USD',
      url: body.url,
      validFrom: '2026-12-01T00:00:00-05:00',
      validThrough: '2027-07-01T12:00:00-04:00',
    },
    { ...inStock, name: 'Guest', url: body.url, availability: 'https://schema.org/SoldOut' },
    // The clock skips this: it is an hour later there, as everywhere else.
    { ...inStock, name: 'Early', url: body.url, validThrough: '2027-03-14T02:30:00-05:00' },
  ])
})

test('the name of a ticket is encoded like a title, so that sending it back decodes to the same name', async () => {
  const { body } = await post({ tickets: [{ name: 'Adults &amp;amp; <b>children</b>' }] })
  assert.equal(body.tickets[0].name, 'Adults &amp;amp; children')
  const again = await post({ tickets: body.tickets })
  assert.deepEqual(again.body.tickets, body.tickets)
})
