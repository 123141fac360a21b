import { htmlTokens } from '../../../../base/text/tokens.ts'

/** Relation of the link with which a site announces its API. */
const API = 'https://api.w.org/'

/** Addresses of the API in a Link header (RFC 8288). */
export function linksInHeader(header: string): string[] {
  const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i
  return header.split(/,(?=\s*<)/).flatMap((link) => {
    const [, quoted, plain] = rel.exec(link) ?? []
    return isApi(quoted ?? plain) ? (/<([^>]*)>/.exec(link)?.[1] ?? []) : []
  })
}

function isApi(rel: string | undefined): boolean {
  return rel?.toLowerCase().split(/\s+/).includes(API) === true
}

/** Characters of a page in which its head is looked for. */
const LONGEST_HEAD = 500_000

/** What a head may have; anything else starts the body. */
const IN_HEAD = ['html', 'head', 'base', 'link', 'meta', 'script', 'style', 'title', 'noscript', 'template']
/** Elements whose content is not part of the head. */
const APART = ['title', 'noscript', 'template']

/** Addresses of the API in the head of a page: what its comments, scripts, templates and body have was written by anybody. */
export function linksInHead(html: string): string[] {
  const links: string[] = []
  const inside: string[] = []
  for (const token of htmlTokens(withoutOpenComment(html.slice(0, LONGEST_HEAD)))) {
    if (token.kind === 'text') continue
    const { kind, name } = token
    if (kind === 'close' && name === inside.at(-1)) inside.pop()
    else if (kind === 'open' && APART.includes(name) && inside.every((one) => one === name)) inside.push(name)
    else if (inside.length > 0) continue
    else if (kind === 'close' ? name === 'head' || name === 'html' : !IN_HEAD.includes(name)) break
    else if (kind === 'open' && name === 'link' && isApi(token.attributes.get('rel')))
      links.push(token.attributes.get('href') ?? '')
  }
  return links.filter((link) => link !== '')
}

/** A comment that never ends hides all of the rest. */
function withoutOpenComment(html: string): string {
  const at = html.lastIndexOf('<!--')
  return at < 0 || html.includes('-->', at) ? html : html.slice(0, at)
}
