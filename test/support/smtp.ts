import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atEnd, type TestScope } from './at-end.ts'
import { freePort } from './free-port.ts'

/** A mail that arrived, as it was sent over the wire. */
export interface ArrivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  /** Header fields in their order, unfolded, not decoded. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The value of a header field; '' for none. */
  header(name: string): string
  /** Decoded parts by media type. */
  readonly parts: Readonly<Record<string, string>>
  /** The first address of a one-time link in it, as a path; ''. */
  readonly link: string
}

/** A real mail server on 127.0.0.1. */
export interface TestSmtp {
  /** `smtp://127.0.0.1:PORT?insecure` */
  readonly address: string
  readonly mails: readonly ArrivedMail[]
  /** Waits for so many mails; all of them. */
  arrived(count: number): Promise<readonly ArrivedMail[]>
  /** Refuses the mails from now on with this answer; undefined accepts them. */
  refuse(answer: string | undefined): void
}

/** Opens a mail server that accepts all mails, without TLS unless the options say otherwise. */
export async function openSmtp(t: TestScope, options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const mails: ArrivedMail[] = []
  let refusal: string | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    ...options,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusal !== undefined) return done(Object.assign(new Error(refusal), { responseCode: 450 }))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        mails.push({ from, to, ...parsed(Buffer.concat(chunks).toString('utf8')) })
        done()
      })
    },
  })
  // A client that is killed resets its connection.
  server.on('error', () => undefined)
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  atEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    address: `smtp://127.0.0.1:${port}?insecure`,
    mails,
    arrived: async (count) => {
      for (let wait = 0; mails.length < count && wait < 1500; wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 20))
      if (mails.length < count) throw new Error(`${mails.length} mails arrived instead of ${count}`)
      return mails
    },
    refuse: (answer) => {
      refusal = answer
    },
  }
}

function parsed(raw: string): Omit<ArrivedMail, 'from' | 'to'> {
  const { headers, body } = divided(raw)
  const header = (name: string): string => fieldOf(headers, name)
  const [, boundary = ''] = /boundary="?([^";]+)"?/.exec(header('content-type')) ?? []
  const parts =
    boundary === ''
      ? [raw]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => part.replace(/^\r\n/, ''))
  const decoded = Object.fromEntries(parts.map(decodedPart))
  const [link = ''] = /\/admin\/link\/[\w-]+/.exec(decoded['text/plain'] ?? '') ?? []
  return { raw, headers, header, parts: decoded, link }
}

function divided(text: string): { readonly headers: ArrivedMail['headers']; readonly body: string } {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 2),
  ])
  return { headers, body: text.slice(end + 4) }
}

function fieldOf(headers: ArrivedMail['headers'], name: string): string {
  return headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? ''
}

function decodedPart(part: string): [string, string] {
  const { headers, body } = divided(part)
  const [type = ''] = fieldOf(headers, 'content-type').split(';')
  const encoding = fieldOf(headers, 'content-transfer-encoding').toLowerCase()
  if (encoding === 'base64') return [type, Buffer.from(body, 'base64').toString('utf8')]
  if (encoding !== 'quoted-printable') return [type, body]
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return [type, Buffer.from(bytes, 'latin1').toString('utf8')]
}

/** The text of a header field of RFC 2047. */
export function decodedHeader(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, '?==?')
  return joined.replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
    how.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/g, (_one, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
          'latin1',
        ).toString('utf8'),
  )
}

/** Flags with which a site sends through a server. */
export function mailFlags({ address }: Pick<TestSmtp, 'address'>) {
  return { smtp: address, mailFrom: 'Harbour <calendar@harbour.example>', baseUrl: 'https://harbour.example' } as const
}
