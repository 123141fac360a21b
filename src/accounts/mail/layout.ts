import {
  directionOf,
  isolated,
  localeOf,
  type MessageId,
  type MessageValues,
  translate,
  translateKnown,
} from '../../base/i18n/translate.ts'
import { escapeHtml } from '../../base/text/entities.ts'
import type { Site } from '../../model/site.ts'
import { MAILS, type MailTemplate, type NewMail } from './templates.ts'

/** A mail as it is sent: two forms of the same text. */
export interface MailBody {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where the recipient ends mails of this kind; absent where nobody can. */
  readonly unsubscribe?: string | undefined
}

/** What the site adds to a mail. */
export interface Letterhead {
  readonly site: Pick<Site, 'name' | 'zone' | 'theme'>
  /** Public address of the site, without a slash at its end. */
  readonly address: string
  readonly unsubscribe: string | undefined
}

/** What both forms of a mail say. */
interface Parts {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** Text of the button, and the address that it opens; ''. */
  readonly button: string
  readonly link: string
  /** Until when its link works; ''. */
  readonly validity: string
  /** What to do where the button does nothing. */
  readonly instead: string
  readonly footer: string
}

/** Lays out a mail in the language of its recipient. */
export function layOutMail(mail: NewMail, head: Letterhead): MailBody {
  const parts = partsOf(mail, head)
  const { unsubscribe } = head
  return { subject: parts.subject, text: textOf(mail, head, parts), html: htmlOf(mail, head, parts), unsubscribe }
}

function partsOf({ kind, to, path, until, ...mail }: NewMail, { site, address }: Letterhead): Parts {
  const { language, name } = to
  const { button, isOneTime = false }: MailTemplate = MAILS[kind]
  const given = { ...mail.values, site: site.name, host: URL.parse(address)?.host ?? '' }
  const moment = until === undefined ? '' : momentText(until, { language, zone: site.zone })
  const values = Object.entries({ ...given, name, until: moment }).map(([key, value]) => [
    key,
    plainValue(value, language),
  ])
  const all = Object.fromEntries(values) as MessageValues
  // `kind` chooses among sentences and is in none of them.
  const shown = directionOf(language) === 'rtl' ? { ...isolated(all), kind: all['kind'] ?? '' } : all
  const say = (id: MessageId): string => translate(language, id, shown)
  return {
    subject: translate(language, `mail.${kind}.subject`, all),
    greeting: say(name === '' ? 'mail.greetingNobody' : 'mail.greeting'),
    paragraphs: say(`mail.${kind}.text`).split('\n'),
    button: path === undefined || button === undefined ? '' : say(button),
    link: path === undefined ? '' : address + path,
    validity: isOneTime ? say('mail.oneTime') : '',
    instead: say('mail.openAddress'),
    footer: say(isOneTime ? 'mail.unexpected' : 'mail.sentBy'),
  }
}

/** What people typed stays on its line, also in the header of the subject; the ID of a message says what that does. */
function plainValue(value: string | number, language: string): string | number {
  return typeof value === 'number' ? value : onOneLine(translateKnown(language, value))
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A moment as people write it, with its zone: the recipient may be elsewhere. */
function momentText(at: number, { language, zone }: { readonly language: string; readonly zone: string }): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', timeZoneName: 'short', timeZone: zone } as const
  return new Intl.DateTimeFormat(localeOf(language), { ...day, ...time }).format(at)
}

function textOf({ to, quote, list = [] }: NewMail, { site, address, unsubscribe }: Letterhead, parts: Parts): string {
  const { greeting, paragraphs, button, link, validity, footer } = parts
  const stop = unsubscribe === undefined ? [] : [`${translate(to.language, 'mail.unsubscribe')}\n${unsubscribe}`]
  const blocks = [
    greeting,
    ...paragraphs,
    ...list.map((line) => `- ${onOneLine(line)}`),
    ...(quote === undefined ? [] : [quote.replaceAll(/^/gm, '> ')]),
    ...(button === '' ? [] : [`${button}:\n${link}`]),
    ...(button === '' || validity === '' ? [] : [validity]),
    footer,
    ...stop,
    `-- \n${site.name}\n${address}/`,
  ]
  return `${blocks.join('\n\n')}\n`
}

const FONT = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif`

/** Programs for mail know tables and styles at the elements, and no style sheets; nothing is loaded from anywhere. */
function htmlOf({ to, quote, list = [] }: NewMail, { site, unsubscribe }: Letterhead, parts: Parts): string {
  const { language } = to
  const { subject, greeting, paragraphs, button, link, validity, instead, footer } = parts
  const [first = '', ...others] = paragraphs
  const accent = site.theme?.accent || '#0a6b4a'
  const dark = site.theme?.accentDark || '#6fdcab'
  const direction = directionOf(language)
  const p = (text: string): string =>
    `<p class="ink" style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:#131815">${text}</p>`
  const small = `${FONT};font-size:13px;line-height:20px;color:#56605b`
  const address = escapeHtml(link)
  const act =
    button === ''
      ? ''
      : `<table role="presentation" class="btn" cellpadding="0" cellspacing="0" border="0" style="margin-top:24px"><tr><td align="center" style="background:${accent};border-radius:6px"><a href="${address}" style="display:inline-block;padding:15px 28px;${FONT};font-size:16px;line-height:20px;font-weight:700;color:#ffffff;text-decoration:none">${escapeHtml(button)}</a></td></tr></table>
<p class="mute" style="margin:24px 0 0;${small}">${escapeHtml(`${validity} ${instead}`.trim())}<br><a class="lnk" dir="ltr" href="${address}" style="color:${accent};word-break:break-all">${address}</a></p>`
  const said =
    quote === undefined
      ? ''
      : `<blockquote class="line" style="margin:0 0 16px;padding:0 16px;border:0 solid #dfe4e0;border-inline-start-width:3px" dir="auto">${p(escapeHtml(quote).replaceAll('\n', '<br>'))}</blockquote>`
  const listed = list.map((line) => p(`• ${escapeHtml(onOneLine(line))}`)).join('\n')
  const stop =
    unsubscribe === undefined
      ? ''
      : `<br><a class="lnk" href="${escapeHtml(unsubscribe)}" style="color:${accent}">${escapeHtml(translate(language, 'mail.unsubscribe'))}</a>`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme:dark){.bg{background:#111412!important}.card{background:#191d1b!important;border-color:#2e3532!important}.ink{color:#eef2ef!important}.mute,.mute a{color:#a9b3ad!important}.lnk{color:${dark}!important}.btn td{background:${dark}!important}.btn a{color:#111412!important}.line{border-color:#2e3532!important}}
@media (max-width:520px){.pad{padding:24px 20px!important}.top{padding:18px 20px!important}}
</style>
</head>
<body class="bg" style="margin:0;padding:0;background:#f3f5f3">
<main>
<table role="presentation" class="bg" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f5f3"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" class="card" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;background:#ffffff;border:1px solid #dfe4e0;border-radius:12px;text-align:start">
<tr><td class="top" style="background:${site.theme?.accent || '#0f2a20'};border-radius:11px 11px 0 0;padding:18px 32px;${FONT};font-size:20px;line-height:26px;font-weight:800;color:#ffffff"><bdi>${escapeHtml(site.name)}</bdi></td></tr>
<tr><td class="pad" style="padding:36px 32px 32px">
<h1 class="ink" style="margin:0 0 16px;${FONT};font-size:28px;line-height:34px;letter-spacing:-.5px;font-weight:800;color:#131815">${escapeHtml(subject)}</h1>
${[`${greeting}\n${first}`, ...others].map((text) => p(escapeHtml(text).replace('\n', '<br>'))).join('\n')}
${listed}${said}${act}
</td></tr>
<tr><td class="line pad" style="border-top:1px solid #dfe4e0;padding:20px 32px"><p class="mute" style="margin:0;${small}">${escapeHtml(footer)}${stop}</p></td></tr>
</table>
</td></tr></table>
</main>
</body>
</html>
`
}
