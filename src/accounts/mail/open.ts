import type { BackgroundWork } from '../../base/background.ts'
import { smtpServerOf } from '../../base/config/mail.ts'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { mailboxIn } from '../../base/text/mailbox.ts'
import type { Report } from '../../storage/engine.ts'
import { type Mailer, type MailerDeps, openMailer } from './mailer.ts'
import { type MailSender, openSender } from './sender.ts'
import { openTransport } from './transport.ts'

/** What mails need. */
export interface MailDeps extends Omit<MailerDeps, 'hasServer'> {
  readonly config: Pick<Config, 'smtp' | 'smtpFile' | 'mailFrom'>
  readonly report: Report
}

/** The mails of a calendar. */
export interface MailService {
  readonly mailer: Mailer
  /** Undefined where no server is configured. */
  readonly sender: MailSender | undefined
}

/** Opens the mails of a calendar. @throws bad_configuration */
export function openMail({ config, report, ...deps }: MailDeps): MailService {
  const read = smtpServerOf(config)
  if (!read.ok) throw fail('bad_configuration', { problems: `--smtp-file ${read.problem}` })
  const { server } = read
  const from = mailboxIn(config.mailFrom)
  if (server === undefined || from === undefined) {
    if (server !== undefined) deps.log.warn('no mail is sent without --mail-from')
    return { mailer: openMailer({ ...deps, hasServer: false }, () => undefined), sender: undefined }
  }
  if (deps.baseUrl() === '') deps.log.warn('no mail is sent while the site has no public address')
  let work: BackgroundWork | undefined
  const mailer = openMailer({ ...deps, hasServer: true }, () => work?.wake())
  const sender = openSender({
    ...deps,
    report,
    send: openTransport(server, from),
    isReady: () => mailer.isConfigured,
    resolveAsked: async () => undefined,
  })
  work = sender.work
  return { mailer, sender }
}
