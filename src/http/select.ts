/** A tree of the members that `_fields` keeps; an empty tree keeps everything below. */
interface Kept {
  [member: string]: Kept
}

/** Reads `_fields`: CSV or array of dotted paths. Undefined when it asks for nothing. */
export function readSelection(sent: unknown): readonly string[] | undefined {
  const items = Array.isArray(sent) ? sent : typeof sent === 'string' ? [sent] : []
  const paths = items.flatMap((item) => String(item).split(',')).map((path) => path.trim())
  const named = paths.filter((path) => path !== '')
  return named.length === 0 ? undefined : named
}

/** The parts of an answer that the paths name; they reach into lists (`events.id`). `[]` when nothing is left. */
export function select(body: unknown, paths: readonly string[]): unknown {
  const kept = keep(body, treeOf(paths))
  return isObject(kept) && Object.keys(kept).length === 0 ? [] : kept
}

function treeOf(paths: readonly string[]): Kept {
  const root: Kept = Object.create(null)
  for (const path of paths) {
    let node = root
    for (const member of path.split('.')) {
      node[member] ??= Object.create(null) as Kept
      node = node[member]
    }
  }
  return root
}

function keep(value: unknown, tree: Kept): unknown {
  if (Object.keys(tree).length === 0) return value
  if (Array.isArray(value)) return value.map((item) => keep(item, tree))
  if (!isObject(value)) return value
  const kept: Record<string, unknown> = {}
  for (const [member, content] of Object.entries(value)) {
    const below = tree[member]
    if (below !== undefined) kept[member] = keep(content, below)
  }
  return kept
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
