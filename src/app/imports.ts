import type { App } from '../cli/types.ts'
import type { Config } from '../config.ts'
import {
  type CalendarFilesImport,
  openCalendarImport,
  openJsonImport,
  openSiteImport,
  type SiteImportParts,
} from '../feeds/index.ts'
import type { MediaRoom } from '../media/index.ts'
import { addressGate } from '../outgoing/addresses.ts'
import { addPictureRedirects } from '../redirects/store.ts'
import { openSources, type Sources } from '../sources/index.ts'
import type { Report } from '../storage/engine.ts'

/** What other calendars are taken over with. */
export interface ImportsParts
  extends Omit<SiteImportParts, 'adoptPicture' | 'keepRedirects' | 'pictureLimit' | 'folder' | 'fetchAllow'> {
  readonly config: Pick<Config, 'mediaLimit' | 'data' | 'fetchAllow'>
  readonly media: Pick<MediaRoom, 'adopt'>
  readonly report: Report
}

/** What takes over other calendars, and follows them. */
export interface Imports extends Pick<App, 'importJson' | 'importSite'> {
  /** Takes calendars in other forms over. */
  readonly importCalendars: CalendarFilesImport
  readonly sources: Sources
}

/** What takes over other calendars, and follows them. */
export function importsOf({ config, media, report, ...parts }: ImportsParts): Imports {
  const { mediaLimit: pictureLimit, data: folder, fetchAllow } = config
  const adoptPicture: SiteImportParts['adoptPicture'] = (picture) => media.adopt({ ...picture, now: parts.now() })
  const calendars = { ...parts, gate: addressGate(fetchAllow), adoptPicture, pictureLimit }
  return {
    importJson: openJsonImport(parts),
    importCalendars: openCalendarImport(calendars),
    sources: openSources({ ...calendars, report }),
    importSite: openSiteImport({
      ...parts,
      keepRedirects: (redirects) => addPictureRedirects(parts, redirects),
      adoptPicture,
      pictureLimit,
      folder,
      fetchAllow,
    }),
  }
}
