import { decodeEntities } from '../../base/text/entities.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { flag } from '../controls.ts'
import { namesOffered } from '../event-parts.ts'
import { type KnownNames, objectsIn } from '../form-values.ts'
import { fragment } from '../fragment.ts'
import { lookAlike } from '../look-alikes.ts'
import type { AdminPage, PageRequest } from '../page-request.ts'
import { passOver } from '../refusals.ts'
import { isSeveral, PICKED, type PickedField } from './fields.ts'

/** Options that are offered at most, beside the one that creates something. */
const MOST = 20
/** Longest text that is searched for, in characters. */
const LONGEST = 200

/** Existing items that match a name being typed: options of a list box, for scripts. */
export const OFFERS_PAGE: AdminPage = {
  path: '/admin/offers/:field',
  role: 'contributor',
  isCostly: true,
  show: async (request) => {
    const field = PICKED.find(({ name }) => name === request.incoming.path['field'])
    return field === undefined ? { ...fragment(NOTHING), status: 404 } : fragment(await options(request, field))
  },
}

/** An existing item. */
interface Offered {
  readonly id: string
  readonly name: string
  /** Tells it from others with its name; '' for nothing. */
  readonly place: string
}

/** What the API finds under the last name that is typed, what looks like it, and to create it where nothing has that name. */
async function options(request: PageRequest, field: PickedField): Promise<Markup> {
  const { t, query } = request
  const typed = query('q').slice(0, LONGEST)
  const at = isSeveral(field) ? typed.lastIndexOf(',') + 1 : 0
  const name = typed.slice(at).trim()
  if (name === '') return NOTHING
  const before = at === 0 ? '' : `${typed.slice(0, at).trim()} `
  const found = await search(request, field, name)
  const isThere = found.some((one) => one.name.toLowerCase() === name.toLowerCase())
  const alike = isThere ? undefined : await alikeOf(request, field, name)
  const others = found.filter(({ id }) => id !== alike?.id)
  const listed = [...(alike === undefined ? [] : [alike]), ...others].slice(0, MOST)
  const items = listed.map(({ id, name: one, place }) => {
    const note = id === alike?.id ? t('admin.picker.similar') : ''
    const told = [place, note].filter((text) => text !== '').join(' · ')
    const small = told === '' ? NOTHING : html` <span class="quiet-text" dir="auto">${told}</span>`
    const isAlike = flag('data-alike', id === alike?.id)
    return html`<li role="option" data-autocomplete-value="${before}${one}" data-before="${before}" data-id="${id}"${isAlike}><bdi>${one}</bdi>${small}</li>\n`
  })
  const create = isThere
    ? NOTHING
    : html`<li role="option" data-autocomplete-value="${before}${name}" data-create>${t('admin.picker.createName', { name: `“${name}”` })}</li>\n`
  return html`${items}${create}`
}

/** What the API lists of a search, best first; nothing where it refuses. */
async function search(
  { deps, incoming }: PageRequest,
  { collection, member }: PickedField,
  text: string,
): Promise<readonly Offered[]> {
  const query = { search: text, per_page: String(Math.min(MOST, deps.site.perPageMax)), hide_empty: 'false' }
  const reply = await deps.api(incoming, { path: `/${collection}`, query }).catch(passOver)
  const items = objectsIn((reply?.body as RawInput | undefined)?.[collection])
  return items.map((item) => ({ id: String(item['id']), name: textOf(item[member]), place: placeOf(item) }))
}

function placeOf(item: RawInput): string {
  return [textOf(item['address']), textOf(item['city'])].filter((text) => text !== '').join(', ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? decodeEntities(value) : ''
}

/** Something whose name looks like one that nothing has. */
async function alikeOf(request: PageRequest, { name: field }: PickedField, name: string): Promise<Offered | undefined> {
  const known = (await namesOffered(request, [field]).catch(passOver))?.[field] ?? []
  const other = lookAlike(
    name,
    known.map(([, one]) => one),
  )
  const found = known.find(([, one]) => one === other)
  return found && { id: found[0], name: found[1], place: '' }
}

/**
 * The names that are known to a form, and those that are typed and among so many that they were not read: what is there
 * is not made again.
 */
export async function withTyped(
  request: PageRequest,
  known: KnownNames,
  typed: Readonly<Partial<Record<string, readonly string[]>>>,
): Promise<KnownNames> {
  const names: Record<string, KnownNames[string]> = { ...known }
  for (const field of PICKED) {
    const listed = names[field.name] ?? []
    const isListed = new Set(listed.map(([, name]) => name.toLowerCase()))
    const missing = (typed[field.name] ?? []).filter((name) => name !== '' && !isListed.has(name.toLowerCase()))
    const found: Offered[] = []
    for (const name of missing.slice(0, MOST)) found.push(...(await search(request, field, name.slice(0, LONGEST))))
    names[field.name] = [...listed, ...found.map(({ id, name }) => [id, name] as const)]
  }
  return names
}
