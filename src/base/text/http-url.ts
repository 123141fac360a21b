/** Most characters of the URL of a website. */
export const URL_LIMIT = 2000

/** Whether the text is an absolute http or https address with a host. */
export function isHttpUrl(text: string): boolean {
  if (text.length > URL_LIMIT || !/^https?:\/\/[^\s/]/i.test(text) || /[\s<>\p{Cc}\p{Cs}]/u.test(text)) return false
  return URL.canParse(text)
}
