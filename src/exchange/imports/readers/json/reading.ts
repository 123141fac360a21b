/** Reads recorded responses in a thread of its own: the server answers meanwhile. */

import { extname } from 'node:path'
import { fail } from '../../../../base/errors.ts'
import type { JsonFile } from '../../types.ts'
import { ReadingThread } from '../thread/thread.ts'
import type { SourceItem } from './items.ts'
import type { FilesToRead } from './reading-worker.ts'

const THREAD = new ReadingThread<FilesToRead, null, SourceItem>({
  program: new URL(`./reading-worker${extname(import.meta.filename)}`, import.meta.url),
  name: 'kalends-json',
  memory: 2_048,
  sizeOf: (files) => files.reduce((sum, { bytes }) => sum + bytes.length, 0),
  refusal: (files, reason) => fail('recorded_not_usable', { place: files.map(({ name }) => name).join(', '), reason }),
})

/**
 * The items of recorded files, of which events that recur have the dates that were recorded of them.
 * @throws recorded_not_json, recorded_not_usable when a file is broken, rest_unavailable
 */
export async function readRecorded(files: readonly JsonFile[]): Promise<readonly SourceItem[]> {
  return (await THREAD.read(files)).items
}
