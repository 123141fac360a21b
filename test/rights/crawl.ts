/** A form of a page. */
export interface Form {
  /** Path and query that it is sent to. */
  readonly action: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Names and values of its buttons; [] where it has one without a name. */
  readonly buttons: readonly (readonly [name: string, value: string])[]
}

/** What is found on a site. */
export interface Found {
  readonly addresses: string[]
  readonly forms: Form[]
}

/** Most addresses of one shape, such as months one after the other. */
const MOST_ALIKE = 2

/** Where sessions end, and what shows nothing of the calendar. */
const NEVER = /^\/(?:admin\/logout|assets\/.*(?:js|css)|reference\/guides\/(?!api))/

/** Follows all links from some addresses on, with the headers of someone. */
export async function crawl(
  origin: string,
  start: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Found> {
  const queue = new Set(start)
  const shapes = new Map<string, number>()
  const forms = new Map<string, Form>()
  for (const path of queue) {
    const answer = await fetch(origin + path, { headers, redirect: 'manual' })
    const text = await answer.text()
    const target = answer.headers.get('location')
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href)
    for (const href of target === null ? links : [target, ...links]) {
      const next = URL.parse(plain(href), origin + path)
      if (next?.origin !== origin || NEVER.test(next.pathname)) continue
      const shape = shapeOf(next)
      const count = shapes.get(shape) ?? 0
      shapes.set(shape, count + 1)
      if (count < MOST_ALIKE) queue.add(next.pathname + next.search)
    }
    for (const form of formsIn(text, path)) forms.set(JSON.stringify([form.action, form.buttons]), form)
  }
  return { addresses: [...queue], forms: [...forms.values()] }
}

/** What addresses of one kind have in common; languages, and what filters there are, make no other kind. */
function shapeOf({ pathname, search }: URL): string {
  const path = pathname
    .replace(/^\/[a-z]{2}\//, '/')
    .replace(/\d+|(?<=\/(?:category|tag|event|venue|organizer|series)\/)[^/]+/g, '0')
  return path + (search === '' ? '' : '?')
}

function plain(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : plain(found)
}

/** The forms of a page that are sent with POST. */
export function formsIn(text: string, path: string): Form[] {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, tag = '', inside = '']) => {
    if (attribute(tag, 'method')?.toLowerCase() !== 'post') return []
    const named = (pattern: RegExp) =>
      [...inside.matchAll(pattern)].flatMap(([whole, value]) => {
        const name = attribute(whole, 'name')
        return name === undefined ? [] : [[name, plain(value ?? attribute(whole, 'value') ?? '')] as const]
      })
    const fields = [...named(/<input\b[^>]*>/g), ...named(/<textarea\b[^>]*>([^<]*)<\/textarea>/g)]
    const chosen = [...inside.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)].flatMap(
      ([, head = '', options = '']) => {
        const name = attribute(head, 'name')
        const value = attribute(/<option\b[^>]*\bselected[^>]*>/.exec(options)?.[0] ?? '', 'value')
        return name === undefined ? [] : [[name, value ?? ''] as const]
      },
    )
    const action = URL.parse(attribute(tag, 'action') ?? path, `http://x${path}`)
    return [
      {
        action: `${action?.pathname}${action?.search}`,
        fields: [...fields, ...chosen],
        buttons: named(/<button\b[^>]*>/g),
      },
    ]
  })
}
