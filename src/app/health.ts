import type { MediaRoom } from '../calendar/media/index.ts'
import { Health } from '../http/route/health.ts'
import { probeDisk } from '../storage/disk-full.ts'
import type { Storage } from '../storage/engine.ts'
import { headSeq } from '../storage/journal/read.ts'

/** What health is judged by. */
export interface HealthOf {
  readonly storage: Storage
  /** Folder of image files. */
  readonly disk: MediaRoom['disk']
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * The health of this process. While there is no space, it tries a write once a second, because an unhealthy server
 * gets no writes that would notice more.
 */
export function openHealth({ storage, disk, now }: HealthOf): Health {
  return new Health({
    ask: async () => {
      await headSeq(storage)
      if (storage.trouble()?.code === 'rest_disk_full') await probeDisk(storage)
      if (disk.trouble()?.code === 'rest_disk_full') await disk.probe()
    },
    trouble: () => storage.trouble() ?? disk.trouble(),
    now,
  })
}
