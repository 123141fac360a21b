import type { MessageId, MessageValues } from '../../base/i18n/translate.ts'

/** What a mail says, in IDs of messages; all of them get the values of the mail, and `site`, `host` and `until`. */
export interface MailTemplate {
  readonly subject: MessageId
  /** Lines are paragraphs. */
  readonly text: MessageId
  /** Text of the button that opens the link of the mail; absent where it has none. */
  readonly button?: MessageId
  /** Whether the link works once, until the moment `until`. */
  readonly isOneTime?: boolean
  /** What the recipient may unsubscribe from; absent for mails that nobody can. */
  readonly topic?: string
  /**
   * How many of them an address may get: of this kind alone as many as of all others together (`own`), or any number, as
   * nobody may silence it (`none`). Absent for mails that share what an address may get.
   */
  readonly budget?: 'own' | 'none'
}

/** Every kind of mail. */
export const MAILS = {
  invitation: {
    subject: 'mail.invitation.subject',
    text: 'mail.invitation.text',
    button: 'mail.invitation.button',
    isOneTime: true,
  },
  reset: {
    subject: 'mail.reset.subject',
    text: 'mail.reset.text',
    button: 'admin.signIn.chooseAPassword',
    isOneTime: true,
    budget: 'own',
  },
  address: {
    subject: 'mail.address.subject',
    text: 'mail.address.text',
    button: 'mail.address.button',
    isOneTime: true,
  },
  formerAddress: { subject: 'mail.formerAddress.subject', text: 'mail.formerAddress.text', budget: 'none' },
  signInMethod: { subject: 'mail.signInMethod.subject', text: 'mail.signInMethod.text', budget: 'none' },
  // Strangers cause them, with any address: they silence no answer of those who review.
  received: {
    subject: 'mail.received.subject',
    text: 'mail.received.text',
    button: 'mail.received.button',
    budget: 'own',
  },
  question: { subject: 'mail.question.subject', text: 'mail.question.text', button: 'mail.question.button' },
  published: { subject: 'mail.published.subject', text: 'mail.published.text', button: 'common.viewEvent' },
  declined: { subject: 'mail.declined.subject', text: 'mail.declined.text' },
  arrived: {
    subject: 'mail.arrived.subject',
    text: 'mail.arrived.text',
    button: 'admin.reviewQueue',
    topic: 'review',
    budget: 'own',
  },
  subscription: {
    subject: 'mail.subscription.subject',
    text: 'mail.subscription.text',
    button: 'mail.subscription.button',
    topic: 'site',
  },
  backup: {
    subject: 'mail.backup.subject',
    text: 'mail.backup.text',
    button: 'admin.backups.start',
    topic: 'site',
  },
  test: { subject: 'mail.test.subject', text: 'mail.test.text' },
} as const satisfies Readonly<Record<string, MailTemplate>>

/** A mail that is to be sent. */
export interface NewMail {
  readonly kind: keyof typeof MAILS
  readonly to: Recipient
  /** Values of its messages, by name. */
  readonly values?: MessageValues
  /** Path that its button opens, below the public address: `/admin/link/...`. */
  readonly path?: string
  /** Until when that works, Unix milliseconds. */
  readonly until?: number
  /** What a person wrote, quoted below the text. */
  readonly quote?: string
  /** Lines below the text, in the language of the recipient. */
  readonly list?: readonly string[]
  /** What must lead to one mail only, with the recipient: queued again it changes nothing. */
  readonly cause?: string
}

/** Who gets a mail. */
export interface Recipient {
  readonly address: string
  /** '' if unknown. */
  readonly name: string
  /** Of the texts. */
  readonly language: string
  /** Absent for somebody without an account. */
  readonly userId?: number
}

const ALL: Readonly<Record<string, MailTemplate>> = MAILS

/** The kinds that share what an address may get. */
export const SHARING: readonly string[] = Object.keys(ALL).filter((kind) => ALL[kind]?.budget === undefined)
