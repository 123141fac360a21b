import { fail } from '../../base/errors.ts'
import { slugify } from '../../base/text/slug.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { mayCreateEntries, mayRead, mayUpload } from '../../http/auth/rights.ts'
import { listReply, PAGE_FIELDS, pagingOf } from '../../http/paging.ts'
import { type AnyRoute, type Call, type InvalidParam, type Reply, route } from '../../http/route.ts'
import { choice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positiveOrNone } from '../../model/kinds/integer.ts'
import type { Kind } from '../../model/kinds/kind.ts'
import { termRefs } from '../../model/kinds/list.ts'
import { inline, line } from '../../model/kinds/text.ts'
import type { Transaction } from '../../storage/engine.ts'
import { respondToWrite } from '../shared/respond-to-write.ts'
import { type ImageRow, imagesById } from '../shared/stored-image.ts'
import { presentForWriters } from './present.ts'
import { GROUP, itemRoute, type MediaRouteDeps, PATH, versionOf, viewerOf } from './routes.ts'
import { mayChange } from './rules.ts'
import { MEDIA } from './schema.ts'
import { type ImageChange, ownerOf, pageOfImages, updateImage } from './store.ts'

// Images as writers of calendars find and change them beside the interface (`wp/v2/media`).

/** Largest page, as writers of calendars expect it. */
const PAGE_LIMIT = 100

const LIST_FIELDS = [
  ...PAGE_FIELDS,
  field('slug', termRefs, 'api.media.onlyImagesSlugs'),
  field('media_type', choice(['image', 'video', 'text', 'application', 'audio']), 'api.media.typeMediaList'),
] as const

/** Texts may come as writers read them in forms: `{"raw": "Boats"}`. */
function rawOr(kind: Kind<string>): Kind<string> {
  const rawOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value
  return { ...kind, parse: (value, context) => kind.parse(rawOf(value), context) }
}

const UPDATE_FIELDS = [
  field('title', rawOr(line), 'api.media.titleImage', { cleared: '' }),
  field('alt_text', line, 'api.media.altTextImage', { cleared: '' }),
  field('caption', rawOr(inline), 'api.media.captionImage', { cleared: '' }),
  field('post', positiveOrNone, 'api.media.idEventVenueOrganizer', {
    cleared: 0,
  }),
] as const

type UpdateCall = Call<ValuesOf<typeof UPDATE_FIELDS>>

/** The methods that change an image; all do the same. */
const UPDATE_METHODS = ['POST', 'PUT', 'PATCH'] as const

/** The routes by which writers find images and change their texts. */
export function writersImageRoutes(deps: MediaRouteDeps): AnyRoute[] {
  return [listRoute(deps), ...UPDATE_METHODS.map((method) => updateRoute(deps, method))]
}

/** Lists images as a bare array: all for those who may write, what published items show for others. */
function listRoute({ storage, site }: MediaRouteDeps): AnyRoute {
  return route({
    method: 'GET',
    path: PATH,
    operation: 'listAttachment',
    group: GROUP,
    pathFields: [],
    fields: LIST_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: MEDIA },
    errors: [],
    scope: 'read',
    open: () => true,
    handle: async (call) => {
      const { slug, media_type: type } = call.values
      const paging = pagingOf(call.values, PAGE_LIMIT)
      const of = mayCreateEntries(call.caller.role) ? 'all' : 'public'
      // There are no other media than images.
      const slugs = type === undefined || type === 'image' ? slug?.map((one) => slugify(one)) : []
      const { rows, total } = await pageOfImages(storage, { of, slugs, limit: paging.perPage, offset: paging.offset })
      const items = rows.map((row) => presentForWriters(row, viewerOf(call, site)))
      const filters = (['slug', 'media_type'] as const).flatMap((name) => {
        const value = call.values[name]
        return value === undefined ? [] : [[name, String(value)] as const]
      })
      const address = call.urls.api(`${PATH}/`)
      return { ...listReply({ address, member: 'media', items, total, paging, filters }), body: items }
    },
  })
}

/** Changes the texts of an image. */
function updateRoute(deps: MediaRouteDeps, method: (typeof UPDATE_METHODS)[number]): AnyRoute {
  return route<typeof UPDATE_FIELDS, ImageRow>({
    ...itemRoute(deps),
    fields: UPDATE_FIELDS,
    hasBody: true,
    method,
    operation: `updateAttachmentWith${method}`,
    errors: ['media-not-found'],
    scope: 'media:write',
    open: mayUpload,
    resolve: async (call, _row, refusals) => {
      await checkPost(deps, call, refusals)
      return undefined
    },
    permit: ({ caller }, row) => mayChange(caller, row) || 'rest_forbidden',
    handle: (call, row) => update(deps, call, row.id),
  })
}

/** An image can belong to whatever the caller may read. */
async function checkPost({ storage }: MediaRouteDeps, call: UpdateCall, refusals: InvalidParam[]): Promise<void> {
  const { post = 0 } = call.values
  if (post === 0) return
  const owner = await ownerOf(storage, post)
  if (owner === undefined || !mayRead(call.caller, owner)) {
    refusals.push({ name: 'post', code: 'rest_invalid_param', reason: 'unknown_id' })
  }
}

/** @throws media-not-found when another call has deleted it meanwhile */
function update({ storage, site }: MediaRouteDeps, call: UpdateCall, id: number): Promise<Reply> {
  const { title, alt_text: alt, caption, post } = call.values
  const change: ImageChange = {
    ...(title !== undefined && { title }),
    ...(alt !== undefined && { alt }),
    ...(caption !== undefined && { caption }),
    ...(post !== undefined && { post_id: post }),
  }
  return respondToWrite(storage, call, {
    write: async (tx: Transaction) => {
      const row = (await imagesById(tx, [id])).get(id)
      if (row === undefined) throw fail('media-not-found')
      call.preconditions?.check(versionOf(row))
      return updateImage(tx, row, { change, actor: call.caller.id, at: utcFromMillis(call.now) })
    },
    respond: async (_reader, row) => {
      const body = presentForWriters(row, viewerOf(call, site))
      return { status: 200, body, read: body, version: versionOf(row) }
    },
  })
}
