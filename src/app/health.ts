import { type Failure, fail } from '../base/errors.ts'
import type { MediaRoom } from '../calendar/media/index.ts'
import { codeOfWriter } from '../http/request/ask-writer.ts'
import type { WritingProcess } from '../http/request/hand-over.ts'
import { HEALTH_ADDRESS, Health } from '../http/route/health.ts'
import { probeDisk } from '../storage/disk-full.ts'
import type { Storage } from '../storage/engine.ts'
import { headSeq } from '../storage/journal/read.ts'

/** What health is judged by. */
export interface HealthOf {
  readonly storage: Storage
  /** Where image files are kept. */
  readonly disk: MediaRoom['disk']
  /** Absent where this process writes. */
  readonly writerRole: WritingProcess | undefined
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * The health of this process. While there is no space a test write is made once a second, because an unhealthy server
 * gets no writes that would notice more. Whether there is space only the process that writes knows, so others ask it.
 */
export function openHealth({ storage, disk, writerRole, now }: HealthOf): Health {
  let ofWriter: Failure | undefined
  return new Health({
    ask: async () => {
      const asking = writerRole && codeOfWriter(writerRole, HEALTH_ADDRESS)
      await headSeq(storage)
      if (storage.trouble()?.code === 'rest_disk_full') await probeDisk(storage)
      if (disk.trouble()?.code === 'rest_disk_full') await disk.probe()
      ofWriter = (await asking) === 'rest_disk_full' ? fail('rest_disk_full') : undefined
    },
    trouble: () => storage.trouble() ?? disk.trouble() ?? ofWriter,
    now,
  })
}
