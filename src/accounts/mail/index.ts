/** The module for mails: an outbox, its sender, and the templates. */

export type { Mailer, NewMail, Recipient } from './mailer.ts'
export { type MailService, openMail } from './open.ts'
export type { StateCount } from './store.ts'
export { failedMails } from './store.ts'
