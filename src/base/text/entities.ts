import { decodeHTMLStrict } from 'entities'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * The text with its character references decoded exactly once: numeric ones and all names of HTML, each with its
 * semicolon (`&amp;lt;` becomes `&lt;`). What is no reference (`AT&T;`, `?a=1&copy=2`) stays as it is.
 */
export function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text
}

/** Plain text as titles and names are answered: `&`, `<` and `>` as entities, quotes as they are (decisions: Text). */
export function encodeText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Plain text for HTML pages, in text and in quoted attributes: `&`, `<`, `>`, `"` and `'` as entities. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
