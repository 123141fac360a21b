import { type CommandGroup, declare, group } from './command.ts'

/** `kalends mail ...`: whether mails are sent. */
export function declareMail(shell: CommandGroup): void {
  const mail = group(shell, 'mail', 'check the mail server')
  const test = { usage: 'test <address>', summary: 'send a test mail to an address' }
  declare(mail, test, async (called) => {
    const sent = await called.operate('testMail', { address: called.argument(0) })
    called.show(sent, ({ address }) => `The mail server has accepted a mail to ${address}.\n`)
  })
}
