import { readFileSync } from 'node:fs'
import { mailboxIn } from '../text/mailbox.ts'
import { isAnything, text } from './kinds.ts'
import { option } from './option.ts'

/** Options of the server that mails are sent through. */
export const MAIL_OPTIONS = {
  smtp: option({
    flag: '--smtp',
    env: 'KALENDS_SMTP',
    kind: text('URL', 'smtps://USER:PASSWORD@HOST, or smtp:// for STARTTLS', isSmtpAddress),
    default: '',
    defaultText: 'no mail',
    secret: true,
    description:
      'Mail server. `smtp://` requires STARTTLS; with `?insecure` it may be missing, and no certificate is checked. Mail also needs `--mail-from` and a public address.',
  }),
  smtpFile: option({
    flag: '--smtp-file',
    env: 'KALENDS_SMTP_FILE',
    kind: text('FILE', 'a file', isAnything),
    default: '',
    defaultText: 'none',
    description: 'File with the address of the mail server, instead of `--smtp`.',
  }),
  mailFrom: option({
    flag: '--mail-from',
    env: 'KALENDS_MAIL_FROM',
    kind: text('MAILBOX', 'an address, or a name with an address in <>', (given) => mailboxIn(given) !== undefined),
    default: '',
    defaultText: 'none',
    description: 'Sender of all mails: `Name <address>`.',
  }),
} as const

/** Where mails are sent. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Whether the connection starts with TLS. */
  readonly isSecure: boolean
  /** Whether it may stay without TLS, or have any certificate. */
  readonly mayBeInsecure: boolean
  /** Absent where nobody has to sign in. */
  readonly login?: { readonly user: string; readonly pass: string }
}

function isSmtpAddress(given: string): boolean {
  return smtpServerAt(given) !== undefined
}

/** The server in the address of an option; undefined where it is none. */
function smtpServerAt(address: string): SmtpServer | undefined {
  const url = URL.parse(address)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || !/^(\?insecure=?)?$/.test(url.search)) return undefined
  const isSecure = url.protocol === 'smtps:'
  const login = { user: decoded(url.username), pass: decoded(url.password) }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    mayBeInsecure: url.search !== '',
    ...(login.user !== '' && { login }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The mail server of a configuration; undefined for none. Problems read on after the name of the option. */
export function smtpServerOf({
  smtp,
  smtpFile,
}: {
  readonly smtp: string
  readonly smtpFile: string
}): { readonly ok: true; readonly server: SmtpServer | undefined } | { readonly ok: false; readonly problem: string } {
  try {
    const address = smtp !== '' || smtpFile === '' ? smtp : readFileSync(smtpFile, 'utf8').trim()
    const server = smtpServerAt(address)
    if (server !== undefined || address === '') return { ok: true, server }
    return { ok: false, problem: 'holds no address such as smtps://USER:PASSWORD@HOST' }
  } catch (error) {
    return { ok: false, problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
