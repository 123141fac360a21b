import sharp from 'sharp'
import type { TestApp } from '../../test/support/app.ts'
import { upload } from '../../test/support/upload.ts'

const LONG_TITLE =
  'Internationale Jugendorchesterbegegnung: Abschlusskonzert der Teilnehmerinnen und Teilnehmer mit anschließendem Empfang im Foyer'
const LONG_VENUE = 'Kultur- und Veranstaltungszentrum Alte Straßenbahnbetriebswerkstatt e. V., Großer Saal'

/** Images as people upload them: a poster, a panorama, a stamp, and one that is nearly white. */
const IMAGES = [
  { width: 700, height: 1400, background: '#7a1f3d' },
  { width: 2400, height: 300, background: '#1d5c63' },
  { width: 64, height: 64, background: '#d9822b' },
  { width: 1200, height: 800, background: '#fdfdfd' },
] as const

/** Adds what a calendar gets within a year: long texts, odd images, events that are cancelled, online, or run into the night. */
export async function fillOddities(app: TestApp): Promise<void> {
  const post = async (path: string, json: object): Promise<{ readonly id: number }> => {
    const { status, body } = await app.call('administrator', 'POST', path, { json })
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const images: number[] = []
  for (const [nth, { background, ...size }] of IMAGES.entries()) {
    const bytes = await sharp({ create: { ...size, channels: 3, background } })
      .png()
      .toBuffer()
    const { body } = await upload(app, 'administrator', {
      bytes,
      name: `IMG_2026112${nth}_very_long_name_of_a_camera.png`,
    })
    images.push(body.id)
  }
  const venue = (
    await post('/venues', { venue: LONG_VENUE, address: 'Am Alten Güterbahnhof 117–119', city: 'Harbourtown' })
  ).id
  const organizer = (
    await post('/organizers', { organizer: 'Förderverein der Freunde der Jugendmusikschule Harbourtown' })
  ).id
  const event = (title: string, [from, to]: readonly [string, string], rest: object = {}) =>
    post('/events', { title, start_date: from, end_date: to, status: 'publish', ...rest })
  const description =
    '<p>https://example.org/a/very/long/address/that/nobody/breaks/anywhere/tickets-and-more?id=123456789</p>'
  const long = { venue, organizer, description, categories: ['Music', 'Families', 'Talks'], cost: '€12.50 – €38.00' }
  await event(LONG_TITLE, ['2026-11-20 18:00', '2026-11-20 21:00'], { ...long, slug: 'long', image: images[0] })
  await event('Panorama of the old town', ['2026-11-20 20:00', '2026-11-20 22:00'], { image: images[1] })
  await event('Stamp collectors', ['2026-11-21 10:00', '2026-11-21 12:00'], { image: images[2], slug: 'stamp' })
  const featured = { image: images[3], featured: true, venue, categories: ['Talks'] }
  await event('White Nights: a lecture in fog', ['2026-11-21 19:00', '2026-11-21 21:00'], featured)
  const cancelled = { event_status: 'canceled', event_status_reason: 'The speaker is ill.', slug: 'cancelled', venue }
  await event('Open-air cinema', ['2026-11-21 18:00', '2026-11-21 20:00'], cancelled)
  const online = { is_virtual: true, virtual_url: 'https://meet.example.org/room', slug: 'webinar' }
  await event('Webinar: heat pumps for old houses', ['2026-11-22 18:00', '2026-11-22 19:00'], online)
  await event('Club night', ['2026-11-27 22:00', '2026-11-28 04:00'], { categories: ['Music'], cost: '12' })
  await event('Ohne alles', ['2026-11-28 10:00', '2026-11-28 10:00'])
}
