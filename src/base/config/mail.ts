import { readFileSync } from 'node:fs'
import { mailboxIn } from '../text/mailbox.ts'
import { isAnything, type Parsed, text } from './kinds.ts'
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

/** Whether an address has a documented form, and names a host: one with `%20` would fail with each mail. */
function isSmtpAddress(given: string): boolean {
  const url = URL.parse(given)
  // Only in addresses of the web are hosts decoded.
  if (url === null || !/^smtps?:$/.test(url.protocol) || !URL.canParse(`http://${url.host}`)) return false
  return /^\/?$/.test(url.pathname) && /^(\?insecure=?)?$/.test(url.search)
}

/** The address of the mail server of a configuration; '' for none. Problems read on after the name of the option. */
export function smtpAddressOf({ smtp, smtpFile }: Readonly<Record<'smtp' | 'smtpFile', string>>): Parsed<string> {
  try {
    const value = smtp !== '' || smtpFile === '' ? smtp : readFileSync(smtpFile, 'utf8').trim()
    if (value === '' || isSmtpAddress(value)) return { ok: true, value }
    return { ok: false, problem: 'holds no address such as smtps://USER:PASSWORD@HOST' }
  } catch (error) {
    return { ok: false, problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
