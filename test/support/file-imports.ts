import type { Visitor } from './admin.ts'
import { eventually } from './webhook-receiver.ts'

/** Sends a file with the form of the page that imports files, as a browser does. */
export async function choose(
  { origin }: { readonly origin: string },
  { cookie, show }: Visitor,
  { file, ...form }: { readonly file: File; readonly status?: string; readonly categories?: string },
) {
  const { text } = await show('/admin/import')
  const body = new FormData()
  body.append('_csrf', /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? '')
  for (const [name, value] of Object.entries(form)) body.append(name, value)
  body.append('file', file)
  const headers = { cookie, origin }
  const response = await fetch(`${origin}/admin/import`, { method: 'POST', redirect: 'manual', headers, body })
  return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() }
}

/** The page that imports files once nothing is under way. */
export async function report({ show }: Visitor): Promise<string> {
  let text = ''
  await eventually('the end of the import', async () => {
    text = (await show('/admin/import')).text
    return !text.includes('<work-progress')
  })
  return text
}

/** What people read of a page, on one line. */
export function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}
