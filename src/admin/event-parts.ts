import type { RawInput } from '../http/request/body.ts'
import { decodeEntities } from '../text/entities.ts'
import type { Asking } from './asking.ts'
import { type FormValues, type KnownNames, objectsIn, textIn } from './form-values.ts'

/** Pages of names that are offered at most: whoever is not among them can be typed. */
const PAGES = 4

/** What the form of an event offers, by field, with what the event has first. */
export async function knownNames(asking: Asking, event: RawInput = {}): Promise<KnownNames> {
  const list = (field: string, collection: string, member: string) =>
    namesOf(asking, { collection, member, own: objectsIn(event[field]) })
  return {
    venue: await list('venue', 'venues', 'venue'),
    organizer: await list('organizer', 'organizers', 'organizer'),
    categories: await list('categories', 'categories', 'name'),
    tags: await list('tags', 'tags', 'name'),
  }
}

interface Sought {
  readonly collection: string
  /** Member of the items with the name. */
  readonly member: string
  readonly own: readonly RawInput[]
}

async function namesOf(asking: Asking, { collection, member, own }: Sought): Promise<(readonly [string, string])[]> {
  const { parts, incoming } = asking
  const named = new Map(own.map((one) => [String(one['id']), decodeEntities(String(one[member] ?? ''))]))
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { per_page: String(parts.site.perPageMax), page: String(page), hide_empty: 'false' }
    const reply = await parts.api(incoming, { path: `/${collection}`, query }).catch(() => undefined)
    const body = reply?.body as RawInput | undefined
    const items = objectsIn(body?.[collection])
    for (const item of items) named.set(String(item['id']), decodeEntities(String(item[member] ?? '')))
    if (page >= Number(body?.['total_pages'] ?? 1) || items.length === 0) break
  }
  return [...named]
}

/** The value of the picture after what the form says: the file that was sent, none, or the one that it has. */
export async function uploaded(asking: Asking, values: FormValues): Promise<FormValues> {
  const { incoming, parts, sent } = asking
  if (incoming.upload === undefined) return sent('image_remove') === 'true' ? { image: '' } : {}
  const query = { alt_text: sent('alt_text') || textIn(values, 'title') }
  const reply = await parts.api(incoming, { method: 'POST', path: '/kalends/v1/media', upload: incoming.upload, query })
  return { image: String((reply.body as RawInput)['id']) }
}

/** Address of a small size of the picture that a form holds; '' for none. */
export async function pictureAddress({ incoming, parts }: Asking, values: FormValues): Promise<string> {
  const id = textIn(values, 'image')
  if (!/^\d+$/.test(id)) return ''
  const reply = await parts.api(incoming, { path: `/kalends/v1/media/${id}` }).catch(() => undefined)
  return reply === undefined ? '' : smallPicture(reply.body as RawInput)
}

/** Address of the smallest size of a picture that is large enough to be recognised. */
export function smallPicture({ image }: RawInput): string {
  const [picture] = objectsIn(image)
  const [sizes] = objectsIn(picture?.['sizes'])
  const [medium] = objectsIn(sizes?.['medium'] ?? sizes?.['thumbnail'])
  return String(medium?.['url'] ?? picture?.['url'] ?? '')
}
