import type { Transporter } from 'nodemailer'
import type { Mailbox } from '../../base/text/mailbox.ts'
import type { MailBody } from './layout.ts'

/** A mail for the server. */
export interface OutgoingMail extends MailBody {
  readonly to: Mailbox
  /** `<...>` */
  readonly messageId: string
  /** When it was queued. */
  readonly date: Date
  /** Ends the attempt. */
  readonly signal?: AbortSignal
}

/** Hands a mail to the server. @throws what the server or the connection says */
export type SendMail = (mail: OutgoingMail) => Promise<void>

/** Milliseconds for a connection, and for each answer of the server. */
const [CONNECTING, ANSWERING] = [10_000, 30_000] as const

/** Prepares sending through the server at an address; the library is loaded with the first mail. */
export function openTransport(address: string, from: Mailbox): SendMail {
  const mayBeInsecure = new URL(address).search !== ''
  const options = {
    url: address,
    requireTLS: !mayBeInsecure,
    opportunisticTLS: mayBeInsecure,
    tls: { rejectUnauthorized: !mayBeInsecure },
    connectionTimeout: CONNECTING,
    greetingTimeout: ANSWERING,
    socketTimeout: ANSWERING,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let opened: Promise<Transporter> | undefined
  return async ({ unsubscribe, ...mail }) => {
    opened ??= import('nodemailer').then(({ createTransport }) => createTransport(options))
    await (await opened).sendMail({
      ...mail,
      from,
      encoding: 'utf-8',
      textEncoding: 'quoted-printable',
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
  }
}

/** Whether the server wants no mail for this recipient, now or later. */
export function isRefusedRecipient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { command, responseCode } = error as { readonly command?: unknown; readonly responseCode?: unknown }
  return command === 'RCPT TO' && Number(responseCode) >= 500
}
