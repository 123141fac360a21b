import { domainToASCII } from 'node:url'
import { smtpAddressOf } from '../../base/config/mail.ts'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { isAddress, mailboxIn } from '../../base/text/mailbox.ts'
import type { Report } from '../../storage/engine.ts'
import { layOut, type Mailer, type MailerDeps, newMessageId, openMailer } from './mailer.ts'
import { askForReset, resolveAsked } from './resets.ts'
import { type MailSender, openSender } from './sender.ts'
import { openTransport, type SendMail } from './transport.ts'

/** What mails need. */
export interface MailDeps extends Omit<MailerDeps, 'hasServer' | 'domain'> {
  readonly config: Pick<Config, 'smtp' | 'smtpFile' | 'mailFrom'>
  readonly report: Report
}

/** The mails of a calendar. */
export interface MailService {
  readonly mailer: Mailer
  /** Sends mails where a server is configured, and deletes old ones in any case. */
  readonly sender: MailSender
  /** Sends a test mail at once. @throws mail_not_configured, bad_user_email, mail_failed */
  test(address: string): Promise<void>
}

/** Opens the mails of a calendar. @throws bad_configuration */
export function openMail({ config, report, ...ground }: MailDeps): MailService {
  const read = smtpAddressOf(config)
  if (!read.ok) throw fail('bad_configuration', { problems: `--smtp-file ${read.problem}` })
  const { value: server } = read
  const from = mailboxIn(config.mailFrom)
  const domain = domainToASCII(from?.address.split('@').at(-1) ?? '') || 'localhost'
  const deps = { ...ground, domain, hasServer: server !== '' && from !== undefined }
  const wake = (): void => sender.work.wake()
  const mailer: Mailer = openMailer(deps, { wake, askForReset: (login) => askForReset(deps, login) })
  if (server !== '' && from === undefined) deps.log.warn('no mail is sent without --mail-from')
  if (deps.hasServer && deps.baseUrl() === '') deps.log.warn('no mail is sent while the site has no public address')
  const send: SendMail =
    server === '' || from === undefined
      ? () => Promise.reject(fail('mail_not_configured'))
      : openTransport(server, from)
  const sender: MailSender = openSender({
    ...deps,
    report,
    send,
    isReady: () => mailer.isConfigured,
    resolveAsked: (tx, row) => resolveAsked({ deps, mailer }, tx, row),
  })
  const test = async (address: string): Promise<void> => {
    if (!mailer.isConfigured) throw fail('mail_not_configured')
    if (!isAddress(address)) throw fail('bad_user_email', { email: address })
    await sendTest(deps, send, address)
  }
  return { mailer, sender, test }
}

async function sendTest(deps: MailerDeps, send: SendMail, address: string): Promise<void> {
  const to = { address, name: '', language: deps.language() }
  const body = layOut(deps, { kind: 'test', to })
  const date = new Date(deps.now())
  await send({ to, ...body, messageId: newMessageId(deps, 0), date }).catch((error: unknown) => {
    throw fail('mail_failed', { reason: error instanceof Error ? error.message : String(error) })
  })
}
