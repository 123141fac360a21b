import type { MessageId, MessageValues } from '../../base/i18n/translate.ts'

/** What is special about a kind of mail, beside what it says. */
export interface MailTemplate {
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

/**
 * Every kind of mail. It says `mail.KIND.subject` and `mail.KIND.text`, whose lines are paragraphs, with the values of
 * the mail, and `site`, `host` and `until`.
 */
export const MAILS = {
  invitation: { button: 'mail.invitation.button', isOneTime: true },
  reset: { button: 'admin.signIn.chooseAPassword', isOneTime: true, budget: 'own' },
  address: { button: 'mail.address.button', isOneTime: true },
  formerAddress: { budget: 'none' },
  signInMethod: { budget: 'none' },
  // Strangers cause them, with any address: they must not use up the budget of reviewers’ answers.
  received: { button: 'mail.received.button', budget: 'own' },
  question: { button: 'mail.question.button' },
  published: { button: 'common.viewEvent' },
  declined: {},
  arrived: { button: 'admin.reviewQueue', topic: 'review', budget: 'own' },
  subscription: { button: 'mail.subscription.button', topic: 'site' },
  backup: { button: 'admin.backups.start', topic: 'site' },
  test: {},
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

/** Whether the link of a kind of mail works once, for an account. */
export function isOneTime(kind: string): boolean {
  return ALL[kind]?.isOneTime === true
}
