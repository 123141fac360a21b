import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { forbidden, mayCreateEntries, mayUpload } from '../../http/auth/rights.ts'
import { listReply, PAGE_FIELDS, pagingOf } from '../../http/paging.ts'
import { missingFailure } from '../../http/params.ts'
import { type ItemVersion, itemVersion } from '../../http/route/preconditions.ts'
import { type AnyRoute, type Call, type Found, type Reply, route } from '../../http/route.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { pathId } from '../../model/kinds/integer.ts'
import { line } from '../../model/kinds/text.ts'
import type { Site } from '../../model/site.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import { respondToWrite } from '../shared/respond-to-write.ts'
import { type ImageRow, imagesById } from '../shared/stored-image.ts'
import type { Viewer } from '../shared/viewer.ts'
import type { MediaService } from './media-service.ts'
import { presentForWriters, presentMedia } from './present.ts'
import { keepImage } from './removed.ts'
import { mayChange, titleOfFile } from './rules.ts'
import { MEDIA } from './schema.ts'
import { deleteImage, isPublic, isUsed, pageOfImages } from './store.ts'

/** Dependencies of the routes of images. */
export interface MediaRouteDeps {
  readonly storage: Storage
  readonly site: Site
  readonly service: MediaService
  /** Most bytes of an image. */
  readonly limit: number
}

/** Path of the images of a namespace. */
export const PATH = '/media'
/** How the documents group these routes. */
export const GROUP = { name: 'media', about: 'common.images' } as const

/** A form has a few texts around the file. */
const FORM_ROOM = 64 * 1024

const ID_FIELD = field('id', pathId, 'api.idItem', { required: true })

const UPLOAD_FIELDS = [
  field('title', line, 'api.media.titleImageDefaultsFile'),
  field('alt_text', line, 'api.media.altTextImage'),
] as const

/** How a namespace shows images. */
interface Showcase {
  /** Ends the names of the operations. */
  readonly noun: string
  /** Path of its images above the namespaces. */
  readonly place: string
  show(row: ImageRow, viewer: Viewer): Readonly<Record<string, unknown>>
}

const OWN: Showcase = { noun: 'Media', place: '/kalends/v1/media', show: presentMedia }
const WRITERS: Showcase = { noun: 'Attachment', place: '/wp/v2/media', show: presentForWriters }

/** The routes of images in our own namespace. */
export function mediaRoutes(deps: MediaRouteDeps): AnyRoute[] {
  return [listRoute(deps), uploadRoute(deps, OWN), readRoute(deps, OWN), removeRoute(deps)]
}

/** The routes of images that writers of calendars call beside the interface. */
export function writersMediaRoutes(deps: MediaRouteDeps): AnyRoute[] {
  return [uploadRoute(deps, WRITERS), readRoute(deps, WRITERS)]
}

function listRoute({ storage, site }: MediaRouteDeps): AnyRoute {
  return route({
    method: 'GET',
    path: PATH,
    operation: 'listMedia',
    summary: 'api.media.listImagesNewestFirst',
    description: 'api.media.returnsPageImagesEveryone',
    group: GROUP,
    pathFields: [],
    fields: PAGE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: MEDIA, list: 'media' },
    errors: [],
    scope: 'read',
    open: () => true,
    handle: async (call) => {
      const paging = pagingOf(call.values, site.perPageMax)
      // What everybody sees on a page is no secret; the rest is for those who may put images on one.
      const of = mayCreateEntries(call.caller.role) ? 'all' : 'public'
      const page = { of, limit: paging.perPage, offset: paging.offset } as const
      const { rows, total } = await pageOfImages(storage, page)
      const items = rows.map((row) => presentMedia(row, viewerOf(call, site)))
      const address = call.urls.api(`${PATH}/`)
      return listReply({ address, member: 'media', items, total, paging, filters: [] })
    },
  })
}

function uploadRoute(deps: MediaRouteDeps, showcase: Showcase): AnyRoute {
  return route({
    method: 'POST',
    path: PATH,
    operation: `create${showcase.noun}`,
    summary: 'api.media.uploadAnImage',
    description: 'api.media.acceptsImageOnePart',
    group: GROUP,
    pathFields: [],
    fields: UPLOAD_FIELDS,
    hasBody: true,
    uploadLimit: deps.limit + FORM_ROOM,
    fillsDefaults: true,
    response: { status: 201, schema: MEDIA },
    errors: [],
    scope: 'media:write',
    open: mayUpload,
    handle: (call) =>
      upload(deps, call, (write) =>
        respondToWrite(deps.storage, call, {
          write,
          respond: async (_reader, row) => {
            const body = showcase.show(row, viewerOf(call, deps.site))
            const headers = { Location: call.urls.root(`${showcase.place}/${row.id}`) }
            return { status: 201, body, read: body, version: versionOf(row), headers }
          },
        }),
      ),
  })
}

/** @throws rest_missing_callback_param, rest_body_too_large, rest_invalid_param */
async function upload(
  { service, limit }: MediaRouteDeps,
  { upload: sent, values, caller, now, language }: Call<ValuesOf<typeof UPLOAD_FIELDS>>,
  commit: (write: (tx: Transaction) => Promise<ImageRow>) => Promise<Reply>,
): Promise<Reply> {
  if (sent === undefined) throw missingFailure(['file'])
  if (sent.bytes.length > limit) throw fail('rest_body_too_large', { limit })
  const title = values.title ?? ''
  const bytes = Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.length)
  const words = { title: title === '' ? titleOfFile(sent.name) : title, alt: values.alt_text ?? '' }
  return service.add({ bytes, ...words, author: caller.id, now, language }, commit)
}

/** Inputs of the validators of an image. */
export function versionOf({ id, revision, created_at, modified_at }: ImageRow): ItemVersion {
  return itemVersion(`media ${id}:${revision}:${created_at}`, modified_at ?? created_at)
}

/** What the routes of one image have in common. */
export function itemRoute({ storage }: MediaRouteDeps) {
  return {
    path: `${PATH}/:id`,
    group: GROUP,
    pathFields: [ID_FIELD],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    response: { status: 200, schema: MEDIA },
    target: (call: Call<unknown>): Promise<Found<ImageRow>> => findOrFail(storage, call),
  }
}

/** @throws media-not-found */
async function findOrFail(storage: Storage, { path, context }: Call<unknown>): Promise<Found<ImageRow>> {
  const id = pathId.parse(path['id'], context)
  const item = id.ok ? (await imagesById(storage, [id.value])).get(id.value) : undefined
  if (item === undefined) throw fail('media-not-found')
  return { item }
}

function readRoute(deps: MediaRouteDeps, { noun, show }: Showcase): AnyRoute {
  return route<[], ImageRow>({
    ...itemRoute(deps),
    fields: [],
    method: 'GET',
    operation: `get${noun}`,
    summary: 'api.media.getAnImage',
    description: 'api.media.returnsImagePublishedItem',
    errors: ['media-not-found', 'rest_forbidden'],
    scope: 'read',
    open: () => true,
    handle: async (call, row) => {
      const isOpen = mayCreateEntries(call.caller.role) || (await isPublic(deps.storage, row.id))
      if (!isOpen) throw forbidden(call.caller)
      return { status: 200, body: show(row, viewerOf(call, deps.site)), version: versionOf(row) }
    },
  })
}

function removeRoute(deps: MediaRouteDeps): AnyRoute {
  return route<[], ImageRow>({
    ...itemRoute(deps),
    fields: [],
    method: 'DELETE',
    operation: 'deleteMedia',
    summary: 'api.media.deleteImagePermanently',
    description: 'api.media.deletesImageFilesFails',
    errors: ['media-not-found', 'media-in-use'],
    scope: 'media:write',
    open: mayUpload,
    permit: ({ caller }, row) => mayChange(caller, row) || 'rest_forbidden',
    handle: (call, row) => remove(deps, call, row),
  })
}

/**
 * An image that an event, venue or organizer has, also one in the trash, stays: taking it away would change what
 * belongs to others. @throws media-in-use, media-not-found when another call came first
 */
async function remove({ storage, service, site }: MediaRouteDeps, call: Call<unknown>, row: ImageRow): Promise<Reply> {
  const { caller, now, preconditions } = call
  const write = async (tx: Transaction): Promise<void> => {
    const stored = (await imagesById(tx, [row.id])).get(row.id)
    if (stored === undefined) throw fail('media-not-found')
    if (await isUsed(tx, row.id)) throw fail('media-in-use')
    preconditions?.check(versionOf(stored))
    const agent = { actor: caller.id, at: utcFromMillis(now) }
    await keepImage(tx, stored, agent)
    await deleteImage(tx, stored, agent)
  }
  const answer = async (): Promise<Reply> => ({ status: 200, body: presentMedia(row, viewerOf(call, site)) })
  return service.remove(row, now, () => respondToWrite(storage, call, { write, respond: answer }))
}

/** For whom an image is presented. */
export function viewerOf({ caller, urls }: Call<unknown>, site: Site): Viewer {
  return { caller, urls, site }
}
