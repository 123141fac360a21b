import { decodeEntities } from '../base/text/entities.ts'
import { isEditor } from '../http/auth/rights.ts'
import type { RawInput } from '../http/request/body.ts'
import type { Api } from './api.ts'
import { type FormValues, type KnownNames, objectsIn, textIn } from './form-values.ts'
import { setAlt, textOf } from './media-texts.ts'
import type { PageRequest } from './page-request.ts'
import { PICKED, type PickedField } from './picker/fields.ts'

/** Pages of names that are offered at most: whoever is not among them can be typed. */
const PAGES = 4

type NamedField = PickedField['name']

const NAMED = PICKED.map(({ name }) => name)

/** What the form of an event offers, by field, with what the event has first; what cannot be read is left out. */
export async function knownNames(
  request: PageRequest,
  event: RawInput = {},
  fields: readonly NamedField[] = NAMED,
): Promise<KnownNames> {
  const { deps, incoming } = request
  const api: Api = (_incoming, call) => deps.api(incoming, call).catch(() => ({ status: 503, body: undefined }))
  const whatIsRead = { ...request, parts: { ...deps, api } }
  const names: Record<string, [string, string][]> = {}
  for (const field of fields) names[field] = await namesOf(whatIsRead, field, objectsIn(event[field]))
  return names
}

/** The names of some fields, by field. @throws what reading them does: they are all there, or none */
export async function namesOffered(request: PageRequest, fields: readonly NamedField[]): Promise<KnownNames> {
  const names: Record<string, [string, string][]> = {}
  for (const field of fields) names[field] = await namesOf(request, field, [])
  return names
}

/** ID and name of what a field has already, and of what else there is. */
async function namesOf(
  { deps, incoming }: PageRequest,
  field: NamedField,
  own: readonly RawInput[],
): Promise<[string, string][]> {
  const picked = PICKED.find(({ name }) => name === field)
  if (picked === undefined) return []
  const { collection, member } = picked
  const named = new Map(own.map((one) => [String(one['id']), decodeEntities(String(one[member] ?? ''))]))
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { per_page: String(deps.site.perPageMax), page: String(page), hide_empty: 'false' }
    const reply = await deps.api(incoming, { path: `/${collection}`, query })
    const body = reply.body as RawInput | undefined
    const items = objectsIn(body?.[collection])
    for (const item of items) named.set(String(item['id']), decodeEntities(String(item[member] ?? '')))
    if (page >= Number(body?.['total_pages'] ?? 1) || items.length === 0) break
  }
  return [...named]
}

/** The value of the image after what the form says: the file that was sent, none, or the one that it has. */
export async function uploaded(request: PageRequest): Promise<FormValues> {
  const { incoming, deps, sent } = request
  if (incoming.upload === undefined) return sent('image_remove') === 'true' ? { image: '' } : {}
  // What another image shows says nothing of this one.
  const alt = sent('alt_text').trim() === sent('_alt') ? '' : sent('alt_text')
  const query = alt === '' ? {} : { alt_text: alt }
  const reply = await deps.api(incoming, { method: 'POST', path: '/kalends/v1/media', upload: incoming.upload, query })
  return { image: String((reply.body as RawInput)['id']) }
}

/** The image that a form holds. */
export interface HeldImage {
  /** '' for none. */
  readonly id: string
  /** Address of a small size of it; '' for none. */
  readonly address: string
  /** What it shows, plain; '' where nobody has described it. */
  readonly alt: string
  /** Whether whoever asks may say what it shows. */
  readonly mayDescribe: boolean
}

/** The image that the values of a form name. */
export async function heldImage({ incoming, deps }: PageRequest, values: FormValues): Promise<HeldImage> {
  const id = textIn(values, 'image')
  const none = { id: '', address: '', alt: '', mayDescribe: false }
  if (!/^\d+$/.test(id)) return none
  const reply = await deps.api(incoming, { path: `/kalends/v1/media/${id}` }).catch(() => undefined)
  if (reply === undefined) return none
  const item = reply.body as RawInput
  const { id: own, role } = incoming.caller
  const mayDescribe = isEditor(role) || String(item['author']) === String(own)
  return { id, address: smallImage(item), alt: textOf(item, 'alt_text'), mayDescribe }
}

/** Saves what a form says that its image shows, where that was changed. @throws what the API refuses */
export async function describeHeld(request: PageRequest): Promise<void> {
  const { incoming, sent } = request
  const [id, alt] = [sent('image'), sent('alt_text').trim()]
  const isAnother = incoming.upload !== undefined || sent('_alt_of') !== id || sent('image_remove') === 'true'
  if (isAnother || id === '' || alt === sent('_alt')) return
  await setAlt(request, id, alt)
}

/** Address of the smallest size of an image that is large enough to be recognized. */
export function smallImage({ image }: RawInput): string {
  const [picture] = objectsIn(image)
  const [sizes] = objectsIn(picture?.['sizes'])
  const [medium] = objectsIn(sizes?.['medium'] ?? sizes?.['thumbnail'])
  return String(medium?.['url'] ?? picture?.['url'] ?? '')
}
