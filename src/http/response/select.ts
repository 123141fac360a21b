/** The members that `_fields` selects of an object. */
interface Branch {
  [member: string]: Selection
}

/** What `_fields` selects of a value: true is all of it. */
type Selection = true | Branch

/** Reads `_fields`: CSV or array of dotted paths; other items are ignored. Undefined when it selects nothing. */
export function readSelection(sent: unknown): readonly string[] | undefined {
  const items = Array.isArray(sent) ? sent : typeof sent === 'string' ? [sent] : []
  // Never String(item): an object may have a `toString` that is no function, and the work is done by now.
  const paths = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [])).map((path) => path.trim())
  const named = paths.filter((path) => path !== '')
  return named.length === 0 ? undefined : named
}

/** The parts of a response that the paths name; they reach into lists (`events.id`). `[]` when nothing is left. */
export function select(body: unknown, paths: readonly string[]): unknown {
  const selected = keep(body, treeOf(paths))
  return isObject(selected) && Object.keys(selected).length === 0 ? [] : selected
}

function treeOf(paths: readonly string[]): Branch {
  const root: Branch = Object.create(null)
  for (const path of paths) plant(root, path.split('.'))
  return root
}

/** Adds a path to a tree. A path that names a whole includes any path into it, in whichever order they come. */
function plant(root: Branch, members: readonly string[]): void {
  let node = root
  for (const [index, member] of members.entries()) {
    const below = node[member]
    if (below === true) return
    if (index === members.length - 1) {
      node[member] = true
      return
    }
    const next: Branch = below ?? Object.create(null)
    node[member] = next
    node = next
  }
}

function keep(value: unknown, tree: Selection): unknown {
  if (tree === true || !isObject(value)) return value
  if (Array.isArray(value)) return value.map((item) => keep(item, tree))
  const selected: Record<string, unknown> = {}
  for (const [member, content] of Object.entries(value)) {
    const below = tree[member]
    // Undefined members are not in the response.
    if (below !== undefined && content !== undefined) selected[member] = keep(content, below)
  }
  return selected
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
