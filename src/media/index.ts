/** The room of pictures: taken in, kept with their smaller sizes, served. */

import type { Pictures } from '../entries/image.ts'
import { MEDIA_PATH } from '../entries/picture.ts'
import type { ServedFiles } from '../http/response/served-file.ts'
import type { AnyRoute } from '../http/route.ts'
import type { Logger } from '../log.ts'
import type { Site } from '../model/site.ts'
import type { Report, Storage } from '../storage/engine.ts'

export { type CopiedPictures, copyPictures, namesOfPictures } from './copy.ts'
export { pathOfFile } from './folder.ts'

import { addressGate } from './addresses.ts'
import { openAlbum } from './album.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { openCabinet } from './cabinet.ts'
import { openDecoder } from './decoder.ts'
import type { FileDisk, FileStore } from './files.ts'
import { folderStore } from './folder.ts'
import { readFileName } from './format.ts'
import { mediaRoutes, writersMediaRoutes } from './routes.ts'
import { isFileNamed, storeSlugs } from './store.ts'
import { openSweep, type Sweep } from './sweep.ts'

/** What the room is made of. */
export interface MediaParts {
  readonly storage: Storage
  readonly site: Site
  /** Folder of the files; made when the first one comes. */
  readonly folder: string
  /** Most bytes of a picture as it is sent or fetched. */
  readonly limit: number
  /** Most memory of the process that decodes pictures, in bytes. */
  readonly memory: number
  /** Addresses and networks that pictures may be fetched from although they are not public. */
  readonly fetchAllow: readonly string[]
  readonly log: Logger
  /** Takes what goes wrong and fails no request. */
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** An open room of pictures. */
export interface MediaRoom {
  /** In our own namespace. */
  readonly routes: readonly AnyRoute[]
  /** In the namespace of writers. */
  readonly writersRoutes: readonly AnyRoute[]
  /** What events, venues and organizers use. */
  readonly pictures: Pictures
  /** What the site serves. */
  readonly files: ServedFiles
  /** What the files are kept on. */
  readonly disk: FileDisk
  /** Removes files that a crash has left; done by one process at a time. */
  readonly sweep: Sweep
  /** Stores the slugs of pictures that versions without slugs took in; called by the one who works in the background. */
  catchUp(): Promise<void>
  /** Ends the process that decodes pictures. */
  close(): void
}

/** Opens the room of pictures. */
export function openMedia({ storage, site, folder, limit, memory, fetchAllow, ...told }: MediaParts): MediaRoom {
  const { report } = told
  const files = folderStore(folder, report)
  const cabinet = openCabinet({
    files,
    isNamed: (full) => isFileNamed(storage, full),
    isNamedByAnybody: (full) => storage.write((tx) => isFileNamed(tx, full)),
    report: (error) => report(error, 'files of a picture could not be kept or taken away'),
  })
  const failed = (error: unknown): void => report(error, 'the process that decodes pictures could not be started')
  const decoder = openDecoder({ limit, memory, report: failed })
  const album = openAlbum({ cabinet, decoder, gate: addressGate(fetchAllow), limit })
  const parts = { storage, site, album, limit }
  return {
    routes: mediaRoutes(parts),
    writersRoutes: [...writersMediaRoutes(parts), ...attachmentRoutes(parts)],
    pictures: album.pictures,
    files: servedFiles(files),
    disk: files,
    sweep: openSweep({ storage, files, cabinet, ...told }),
    catchUp: () => storeSlugs(storage),
    close: () => decoder.close(),
  }
}

/** Only names of our own form are ever looked for. */
function servedFiles(files: FileStore): ServedFiles {
  return {
    path: MEDIA_PATH,
    open: async (name) => {
      const { mime } = readFileName(name) ?? {}
      const file = mime === undefined ? undefined : await files.open(name)
      return file === undefined || mime === undefined ? undefined : { ...file, name, mime }
    },
  }
}
