import { mayRead } from '../auth/rights.ts'
import type { LinkedLookup } from '../entries/linked/lookup.ts'
import { pictureAmong, picturesOf } from '../entries/store-picture.ts'
import type { Viewer } from '../entries/viewer.ts'
import type { Incoming } from '../http/dispatch.ts'
import { type PageAnswer, PRIVATE_PAGE } from '../http/page.ts'
import type { Selector } from '../http/resource.ts'
import type { Reader } from '../storage/engine.ts'
import type { EntryColumns } from '../storage/schema.ts'
import {
  contact,
  description,
  factList,
  lineMember,
  nameOf,
  outward,
  picture,
  type Shown,
  statusNote,
  summaryOf,
  textMember,
} from './content.ts'
import { nextEvents } from './event-list.ts'
import { html, layOut, type Markup } from './layout.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'
import { storedForm } from './paths.ts'

/** Number of events on the page of a venue or organizer. */
const SHOWN = 20

const KINDS = { venue: 'Venue', organizer: 'Organizer' } as const

type Wanted = Selector & { readonly key: 'venue' | 'organizer' }

/** The page of a venue or organizer with its next events; 404 for those who may not read it. */
export async function linkedPage(parts: WebParts, incoming: Incoming, wanted: Wanted): Promise<PageAnswer> {
  const { key } = wanted
  const { urls } = incoming
  const shown = await findLinked(parts, incoming, wanted)
  if (shown === undefined) return missingPage(parts, incoming)
  const id = Number(shown['id'])
  const status = textMember(shown, 'status')
  const { list, calendar } = await nextEvents(parts, incoming, { limit: SHOWN, of: { [key]: [id] } })
  const body = html`<p class="kind">${KINDS[key]}</p>
<h1>${nameOf(shown, key)}</h1>
${statusNote(status)}${picture(shown)}${factsOf(shown)}${description(shown)}
${list}`
  return layOut({
    title: nameOf(shown, key),
    parts,
    urls,
    body,
    data: `${urls.api('/events/')}?${key}=${id}`,
    ...(status === 'publish' && { calendar }),
    canonical: textMember(shown, 'url'),
    summary: summaryOf(shown),
    ...(status !== 'publish' && { headers: PRIVATE_PAGE }),
  })
}

function factsOf(shown: Shown): Markup {
  const address = ['address', 'city', 'stateprovince', 'zip', 'country'].map((member) => lineMember(shown, member))
  return factList([
    ['Address', html`${address.filter((part) => part !== '').join(', ')}`],
    ['Telephone', contact('tel', lineMember(shown, 'phone'))],
    ['E-mail', contact('mailto', lineMember(shown, 'email'))],
    ['Website', outward(textMember(shown, 'website'))],
  ])
}

async function findLinked(
  { reader, lookups, site }: WebParts,
  { caller, urls }: Incoming,
  wanted: Wanted,
): Promise<Shown | undefined> {
  const selector = storedForm(wanted)
  const finding = { reader, selector, viewer: { caller, urls, site } }
  return wanted.key === 'venue' ? findOn(lookups.venue, finding) : findOn(lookups.organizer, finding)
}

interface Finding {
  readonly reader: Reader
  readonly selector: Selector
  readonly viewer: Viewer
}

async function findOn<Row extends EntryColumns>(
  lookup: LinkedLookup<Row>,
  { reader, selector, viewer }: Finding,
): Promise<Shown | undefined> {
  const row = await lookup.find(reader, selector)
  if (row === undefined || !mayRead(viewer.caller, { authorId: row.author_id, status: row.status })) return undefined
  const picture = pictureAmong(await picturesOf(reader, [row]), row)
  return lookup.present(row, { viewer, lineage: undefined, picture, withJsonLd: false })
}
