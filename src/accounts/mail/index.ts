/** The module for mails: an outbox, its sender, and the templates. */

export type { Mailer, NewMail, Recipient } from './mailer.ts'
export { canGetMail } from './mailer.ts'
export { type MailService, openMail } from './open.ts'
export { countMailsOf, failedMails, findChoice, storeChoice } from './store.ts'
export { MAILS } from './templates.ts'
export { readUnsubscribeToken } from './unsubscribe.ts'
