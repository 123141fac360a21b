import { siteOutcomeOf } from '../admin/index.ts'
import type { Config } from '../base/config.ts'
import { addressGate } from '../base/outgoing/addresses.ts'
import { shownAddress } from '../base/outgoing/shown-address.ts'
import type { MediaRoom } from '../calendar/media/index.ts'
import { addImageRedirects } from '../calendar/redirects/store.ts'
import type { App } from '../cli/types.ts'
import {
  type CalendarFilesImport,
  openCalendarImport,
  openJsonImport,
  openSiteImport,
  type SiteImport,
  type SiteImportDeps,
} from '../exchange/index.ts'
import { openSubscriptions, type Subscriptions } from '../exchange/subscriptions/index.ts'
import type { Report } from '../storage/engine.ts'
import type { LongWork } from '../storage/jobs/index.ts'

/** Dependencies of imports. */
export interface ImportsDeps
  extends Omit<SiteImportDeps, 'adoptImage' | 'keepRedirects' | 'imageLimit' | 'folder' | 'fetchAllow'> {
  readonly config: Pick<Config, 'mediaLimit' | 'data' | 'fetchAllow'>
  readonly media: Pick<MediaRoom, 'adopt'>
  readonly report: Report
  readonly longWork: LongWork
}

/** What takes over other calendars, and follows them. */
export interface Imports extends Pick<App, 'importJson' | 'importSite'> {
  /** Takes calendars in other forms over. */
  readonly importCalendars: CalendarFilesImport
  readonly subscriptions: Subscriptions
}

/** What takes over other calendars, and follows them. */
export function importsOf({ config, media, report, longWork, ...deps }: ImportsDeps): Imports {
  const { mediaLimit: imageLimit, data: folder, fetchAllow } = config
  const adoptImage: SiteImportDeps['adoptImage'] = (picture) => media.adopt({ ...picture, now: deps.now() })
  const calendars = { ...deps, gate: addressGate(fetchAllow), adoptImage, imageLimit }
  return {
    importJson: openJsonImport(deps),
    importCalendars: openCalendarImport(calendars),
    subscriptions: openSubscriptions({ ...calendars, report }),
    importSite: reported(
      longWork,
      openSiteImport({
        ...deps,
        keepRedirects: (redirects) => addImageRedirects(deps, redirects),
        adoptImage,
        imageLimit,
        folder,
        fetchAllow,
      }),
    ),
  }
}

/** An import of sites whose reports are stored. */
function reported(longWork: LongWork, importSite: SiteImport): SiteImport {
  return (input, onProgress) => {
    const { address, author = '', dryRun } = input
    if (dryRun) return importSite(input, onProgress)
    return longWork.during({
      kind: 'site-import',
      by: { id: 0, name: author },
      about: { address: withoutSecrets(address) },
      run: ({ progress }) =>
        importSite(input, (now) => {
          progress(now)
          onProgress(now)
        }),
      told: siteOutcomeOf,
    })
  }
}

/** An address without anything that could be a secret. */
function withoutSecrets(address: string): string {
  const url = URL.parse(shownAddress(address))
  if (url === null) return ''
  url.username = ''
  url.password = ''
  return url.href
}
