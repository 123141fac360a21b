import type { LineOptions } from './controls.ts'
import type { PageRequest } from './page-request.ts'

/** The script by which browsers look at the size of files before they send them. */
export const FILE_SCRIPT = 'file-size.ts'

const MEGABYTE = 1024 ** 2

/** How a control takes an image of so many bytes at most. */
export function imageInput({ t }: Pick<PageRequest, 't'>, mostBytes: number): LineOptions {
  const size = mostBytes < MEGABYTE ? (mostBytes / MEGABYTE).toFixed(1) : Math.floor(mostBytes / MEGABYTE)
  const told = t('admin.form.fileTooLarge', { size })
  return { type: 'file', accept: 'image/*', 'data-most': String(mostBytes), 'data-too-large': told }
}
