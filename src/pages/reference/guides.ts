import { readFileSync } from 'node:fs'
import { Marked, type Tokens } from 'marked'
import { cleanHtml } from '../../base/text/html.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { Incoming } from '../../http/route.ts'
import type { PagesDeps } from '../deps.ts'
import { html, type Markup, trusted } from '../html.ts'
import { layOut } from '../layout.ts'
import { notFoundPage } from '../not-found.ts'
import { contextOf, type PageContext } from '../page-context.ts'

/** The guides by their name in the address, in the order of the list, each with its file below `docs/`. */
const GUIDES: ReadonlyMap<string, string> = new Map([
  ...[
    'getting-started',
    'filters',
    'writing-events',
    'subscribing',
    'moving',
    'importing',
    'editors',
    'api',
    'concurrency',
    'changes',
    'agents',
  ].map(inDocs),
  ...['install', 'accounts', 'operate', 'servers', 'scale', 'performance', 'security', 'limits'].map(inDocs),
  ...['config', 'errors', 'metrics'].map((name) => [name, `reference/${name}.md`] as const),
])

function inDocs(name: string): readonly [string, string] {
  return [name, `${name}.md`]
}

const DOCS = new URL('../../../docs/', import.meta.url)

function sourceOf(file: string): string {
  return readFileSync(new URL(file, DOCS), 'utf8')
}

/** The title of a guide: its first heading. */
function titleOf(source: string): string {
  return /^# (.+)$/m.exec(source)?.[1] ?? ''
}

/** Links to all guides; they are written in English. */
export function guideLinks(context: PageContext): Markup {
  const items = [...GUIDES].map(
    ([name, file]) => html`<li><a href="${addressOf(name, context)}">${titleOf(sourceOf(file))}</a></li>\n`,
  )
  return html`<ul class="guides" lang="en" dir="ltr">\n${items}</ul>`
}

function addressOf(name: string, context: PageContext): string {
  return context.link(`/reference/guides/${name}/`)
}

/** A guide as a page: a document of `docs/` with its links leading to the other guides. */
export function guidePage(deps: PagesDeps, incoming: Incoming): PageResponse {
  const name = incoming.path['name'] ?? ''
  const file = GUIDES.get(name)
  if (file === undefined) return notFoundPage(deps, incoming)
  const context = contextOf(incoming)
  const source = sourceOf(file)
  const body = html`<p class="kind"><a href="${context.link('/reference/')}">${context.say('pages.apiReference')}</a></p>
<article class="guide prose" lang="en" dir="ltr">
${trusted(markupOf(source, context))}
</article>`
  const path = `/reference/guides/${name}/`
  return layOut({ title: titleOf(source), deps, context, body, path, freshness: { dependencies: [] } })
}

/** The document as clean HTML, whose headings have the IDs that links name. */
function markupOf(source: string, context: PageContext): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }: Tokens.Heading): string {
        return `<h${depth} id="${fragmentOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, context)
        return target === undefined ? text : `<a href="${target}">${text}</a>`
      },
    },
  })
  // A corner of a table without text is no heading.
  return cleanHtml(marked.parse(source, { async: false })).replaceAll('<th></th>', '<td></td>')
}

/** Where a link of a document leads; undefined for a file that is not among the guides. */
function targetOf(href: string, context: PageContext): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [, name = '', fragment = ''] = /([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
  return GUIDES.has(name) ? addressOf(name, context) + fragment : undefined
}

/** The ID of a heading, as readers of the files link to it. */
function fragmentOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
