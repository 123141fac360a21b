import { type TextsDeps, textsOf } from '../readers/site/image-texts.ts'
import type { Skipped } from '../types.ts'
import { type ImageImport, type ImportedImages, importImages } from './images.ts'

/** What images of a site are fetched with. */
export interface SiteImageDeps extends TextsDeps, Pick<ImageImport, 'storage' | 'adoptImage' | 'owner' | 'isDryRun'> {
  /** Most bytes of an image. */
  readonly limit: number
  /** Texts that stand for images, by their address, if the site does not have them; none if absent. */
  readonly alts?: ReadonlyMap<string, string>
  onImage(): void
}

/** Fetches images of a site by their addresses; `wanted` has their IDs there. */
export async function fetchSiteImages(
  wanted: ReadonlyMap<string, number | undefined>,
  { client, limit, alts, ...deps }: SiteImageDeps,
): Promise<ImportedImages> {
  const { api, concurrency: atOnce } = deps
  const notes: Skipped[] = []
  const images = await importImages(new Set(wanted.keys()), {
    ...{ ...deps, origin: api.root, atOnce, looks: 4 },
    fetch: async (address) => {
      const sent = await client.ask(api.reach(address), { want: 'bytes', limit })
      if (!sent.ok) return { ok: false, why: sent.why }
      const { status, bytes } = sent.response
      return status === 200 ? { ok: true, bytes } : { ok: false, why: `the site answered ${status}` }
    },
    describe: async (missing) => {
      const ids = new Set(missing.flatMap((address) => wanted.get(address) ?? []))
      const { texts, problem } = await textsOf([...ids], { ...deps, client })
      const why = `what the site says of some could not be read: ${problem}; those came without titles, captions and alternative texts`
      if (problem !== '') notes.push({ what: 'images', why })
      return (address) => {
        const wishedId = wanted.get(address)
        return { alt: alts?.get(address) ?? '', ...texts.get(wishedId ?? 0), wishedId }
      }
    },
  })
  return { ...images, notes: [...notes, ...images.notes] }
}
