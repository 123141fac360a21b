import { integer, isAnything, isNetwork, list, text } from './kinds.ts'
import { option } from './option.ts'

const nothing: readonly string[] = Object.freeze([])

/** Options of image files, and of what may be fetched from elsewhere. */
export const MEDIA_OPTIONS = {
  media: option({
    flag: '--media',
    env: 'KALENDS_MEDIA',
    kind: text('FOLDER', 'a folder', isAnything),
    default: '',
    defaultText: '`media` in the data folder',
    description: 'Folder for image files; created if missing.',
  }),
  mediaLimit: option({
    flag: '--media-limit',
    env: 'KALENDS_MEDIA_LIMIT',
    kind: integer(1024, 1024 ** 3),
    default: 16 * 1024 ** 2,
    description: 'Maximum size of an image in bytes, uploaded or fetched.',
  }),
  mediaMemory: option({
    flag: '--media-memory',
    env: 'KALENDS_MEDIA_MEMORY',
    kind: integer(128 * 1024 ** 2, 1024 ** 4),
    default: 272 * 1024 ** 2,
    description: 'Maximum memory of the process that decodes images, in bytes; images that need more are rejected.',
  }),
  fetchAllow: option({
    flag: '--fetch-allow',
    env: 'KALENDS_FETCH_ALLOW',
    kind: list('ADDRESS', 'addresses or networks such as 10.0.0.0/8', isNetwork),
    default: nothing,
    description: 'Private networks that images and calendars may be fetched from, and that webhooks may be in.',
  }),
} as const
