import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of the Node that a fresh machine would use: the first in PATH that no package brought; else the one that runs. */
export function hostNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? process.execPath
}
