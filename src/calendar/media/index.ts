/** The module for images: taken in, kept with their smaller sizes, served. */

import type { BackgroundWork } from '../../base/background.ts'
import type { Logger } from '../../base/log.ts'
import type { ServedFiles } from '../../http/response/served-file.ts'
import type { AnyRoute } from '../../http/route.ts'
import type { Site } from '../../model/site.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import type { Images } from '../shared/image.ts'
import { MEDIA_PATH } from '../shared/stored-image.ts'

export { filesOfImages, namesOfImages, stillNamed } from './copy.ts'
export { readFileName } from './format.ts'
export { openImageFiles, pathOfFile } from './image-files.ts'
export type { AdoptedImage } from './media-service.ts'
export { describedWith, type ImageUse, usesOfImages } from './uses.ts'

import { addressGate } from '../../base/outgoing/addresses.ts'
import { openDecoder } from './decoder.ts'
import { readFileName } from './format.ts'
import { type ImageFiles, openImageFiles } from './image-files.ts'
import { writersImageRoutes } from './image-routes.ts'
import { type MediaService, openMediaService } from './media-service.ts'
import { mediaRoutes, writersMediaRoutes } from './routes.ts'
import { openSweep } from './sweep.ts'

/** Dependencies of the module. */
export interface MediaDeps {
  readonly storage: Storage
  readonly site: Site
  /** Folder of the files; made when the first one comes. */
  readonly folder: string
  /** Most bytes of an image as it is sent or fetched. */
  readonly limit: number
  /** Most memory of the process that decodes images, in bytes. */
  readonly memory: number
  /** Addresses and networks that images may be fetched from although they are not public. */
  readonly fetchAllow: readonly string[]
  readonly log: Logger
  /** Takes what goes wrong and fails no request. */
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** An open module for images. */
export interface MediaRoom {
  /** In our own namespace. */
  readonly routes: readonly AnyRoute[]
  /** In the namespace of writers. */
  readonly writersRoutes: readonly AnyRoute[]
  /** What events, venues and organizers use. */
  readonly pictures: Images
  /** Takes in images of another site. */
  readonly adopt: MediaService['adopt']
  /** Brings back images that were deleted. */
  readonly restore: MediaService['restore']
  readonly destroy: MediaService['destroy']
  /** What the site serves. */
  readonly files: ServedFiles
  /** What the files are kept on. */
  readonly disk: Pick<ImageFiles, 'trouble' | 'probe'>
  /** Removes files that a crash has left; done by one process at a time. */
  readonly sweep: BackgroundWork
  /** Ends the process that decodes images. */
  close(): void
}

/** Opens the module for images. */
export function openMedia({ storage, site, folder, limit, memory, fetchAllow, ...told }: MediaDeps): MediaRoom {
  const { report } = told
  const files = openImageFiles(folder, report)
  const failed = (error: unknown): void => report(error, 'the image decoder could not be started')
  const decoder = openDecoder({ limit, memory, report: failed })
  const service = openMediaService({
    storage,
    files,
    decoder,
    gate: addressGate(fetchAllow),
    limit,
    report: (error) => report(error, 'files of an image could not be stored or removed'),
  })
  const deps = { storage, site, service, limit }
  return {
    routes: mediaRoutes(deps),
    writersRoutes: [...writersMediaRoutes(deps), ...writersImageRoutes(deps)],
    pictures: service.pictures,
    adopt: service.adopt,
    restore: service.restore,
    destroy: service.destroy,
    files: servedFiles(files),
    disk: files,
    sweep: openSweep({ storage, files, ...told }),
    close: () => decoder.close(),
  }
}

/** Only names of our own form are ever looked for. */
function servedFiles(files: ImageFiles): ServedFiles {
  return {
    path: MEDIA_PATH,
    open: async (name) => {
      const { mime } = readFileName(name) ?? {}
      const file = mime === undefined ? undefined : await files.open(name)
      return file === undefined || mime === undefined ? undefined : { ...file, name, mime }
    },
  }
}
