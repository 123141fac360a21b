import type { Storage } from '../../../storage/engine.ts'
import type { Access } from '../readers/site/access.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import type { SiteImportInput } from '../readers/site/types.ts'
import { provenanceOf, storeProvenance } from './store-items.ts'

/** Kind of the note that a user could see everything. */
const EDITOR = 'editor'

/** What the site lets us see, compared with the imports before: a user may have lost rights there. */
export async function comparedAccess(
  storage: Storage,
  { api, access, input }: { readonly api: SiteApi; readonly access: Access; readonly input: SiteImportInput },
): Promise<Access> {
  const { user: key = '', dryRun } = input
  if (key === '' || access.areLost === true) return access
  const wasEditor = (await provenanceOf(storage, api.root, EDITOR)).has(key)
  if (access.isEditor && !wasEditor && !dryRun)
    await storeProvenance(storage, [{ origin: api.root, kind: EDITOR, key, item_id: 0, digest: '' }])
  if (access.isEditor || !wasEditor) return access
  const problem = `${access.problem}; at an import before the user could see more: what is hidden now stays here as it is`
  return { ...access, problem, areLost: true }
}
