/** The module for mails: an outbox, its sender, and the templates. */

export { canGetMail, type Mailer } from './mailer.ts'
export { type MailService, openMail } from './open.ts'
export { countMailsOf, failedMails, findChoice, storeChoice } from './store.ts'
export type { NewMail, Recipient } from './templates.ts'
export { readUnsubscribeToken } from './unsubscribe.ts'
