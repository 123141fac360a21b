/** An address with the name that is shown beside it; '' for none. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/**
 * Whether a text is one email address of at most 254 characters: no name, no comment, no second address and nothing that
 * ends a line. Its domain may be a single word, so that `admin@localhost` is one.
 */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@:,;<>()"\\\p{Cc}]+@[^\s@:,;<>()"\\\p{Cc}]+$/u.test(text)
}

/** The mailbox in `Name <address>` or in an address alone; undefined where it is none. */
export function mailboxIn(text: string): Mailbox | undefined {
  const [, name = '', inner] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]*)>\s*$/u.exec(text) ?? []
  const address = inner ?? text.trim()
  return isAddress(address) ? { name, address } : undefined
}

/** An address as logs show it: `a***@example.org`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0] ?? ''}***${at < 0 ? '' : address.slice(at)}`
}

/** A text with each address in it as logs show it. */
export function maskAddresses(text: string): string {
  return text.replaceAll(/[^\s<>]+@[^\s<>]+/g, (found) => maskAddress(found))
}
