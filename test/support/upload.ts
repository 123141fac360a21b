import type { Role } from '../../src/http/auth/rights.ts'
import type { Answer, TestApp } from './app.ts'

/** What is uploaded, and where. */
export interface Uploading {
  readonly bytes: Uint8Array
  readonly name?: string
  /** Texts of the form. */
  readonly texts?: Readonly<Record<string, string>>
  /** `kalends/v1` by default. */
  readonly namespace?: string
}

/** Uploads a file as a form. */
export async function upload(
  { origin, authorization }: Pick<TestApp, 'origin' | 'authorization'>,
  as: Role | 'anonymous',
  { bytes, name = 'boat.png', texts = {}, namespace = 'kalends/v1' }: Uploading,
): Promise<Answer> {
  const form = new FormData()
  for (const [field, text] of Object.entries(texts)) form.set(field, text)
  form.set('file', new File([new Uint8Array(bytes)], name))
  return send(`${origin}/wp-json/${namespace}/media`, { body: form, headers: credentials(authorization, as) })
}

/** Uploads a file as the whole body. */
export async function uploadRaw(
  { origin, authorization }: Pick<TestApp, 'origin' | 'authorization'>,
  as: Role | 'anonymous',
  { bytes, headers }: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> },
): Promise<Answer> {
  const body = new Uint8Array(bytes)
  return send(`${origin}/kalends/v1/media`, { body, headers: { ...headers, ...credentials(authorization, as) } })
}

function credentials(authorization: TestApp['authorization'], as: Role | 'anonymous'): Record<string, string> {
  return as === 'anonymous' ? {} : { authorization: authorization(as) }
}

async function send(
  url: string,
  request: { body: FormData | Uint8Array<ArrayBuffer>; headers: Record<string, string> },
) {
  const response = await fetch(url, { method: 'POST', ...request })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
