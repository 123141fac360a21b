import { extname } from 'node:path'

/**
 * Address of a module of the program that is loaded by address instead of by `import`, such as the file of a worker
 * thread. It has the extension of this very file, so that the program runs from its sources (`.ts`) and compiled
 * (`.js`) alike. `name` is relative to `base` (the `import.meta.url` of the caller) and has no extension.
 */
export function programFile(name: string, base: string): URL {
  return new URL(name + extname(import.meta.filename), base)
}
