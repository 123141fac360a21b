import { fold } from '../../../../base/text/fold.ts'
import { percentDecoded } from '../../../../base/text/slug.ts'
import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'
import { addressIn } from './values.ts'

/** Properties that name the address of an online meeting: the one of RFC 7986, and those of programs. */
const NAMED = /^(?:CONFERENCE|X-[A-Z-]*(?:CONFERENCE|HANGOUT|MEETING-?URL|CONFLINK|EXTERNALLINK|JOIN-?URL))$/

/** Addresses of meetings of well-known programs. */
const LINK =
  /\bhttps:\/\/(?:[\w-]+\.)*(?:teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/|zoom(?:gov)?\.(?:us|com)\/(?:j|w|s|my|meeting)\/|meet\.google\.com\/[a-z]|webex\.com\/(?:meet|join|[\w./-]+\/j\.php)|gotomeeting\.com\/join\/|meet\.goto\.com\/|meet\.jit\.si\/|whereby\.com\/|join\.skype\.com\/|meet\.lync\.com\/)[^\s<>"'()[\]]*/i

/** Names of programs, and words that say as much. */
const PROGRAM =
  /\b(?:(?:microsoft|ms)[ -]?)?teams\b|\bzoom(?:\.us)?\b|\bgoogle[ -]?(?:meet|hangouts?)\b|\bhangouts?\b|\b(?:cisco )?webex\b|\bskype(?: for business|[a-z]+)?\b|\bgo ?to ?meeting\b|\bjitsi(?: meet)?\b|\bbig ?blue ?button\b|\bwhereby\b|\blync\b|\bonline\b|\bvirtuale?\b|\ben ligne\b|\ben linea\b|オンライン|线上|在线|عبر الإنترنت/g

/** Words beside the name of a program that name no place, in the languages of programs. */
const WORDS: ReadonlySet<string> = new Set(
  'a app aplikacji below beschreibung besprechung call chamada conference de description descripción descrizione details di del della do en event evenement evento événement im in join konferenz kokous link llamada meeting meetings mote møde møte online overleg over per reunião reunión réunion riunione schůzka přes see siehe sitzung spotkanie sur termin toplantısı usługi értekezlet vergadering via video videochamada videoconference videoconferenza videoconferencia videokonferenz videollamada videovergadering videochiamata virtual visio visioconférence w web webinar wideokonferencja 会议 會議 会議 ミーティング オンライン اجتماع собрание 회의 모임 イベント 開催 活动 فعالية veranstaltung voir vedi wydarzenie zie'
    .split(' ')
    .map(fold),
)

/** A link that Outlook leads past a scanner. */
const WRAPPED = /https:\/\/[\w.-]+\.safelinks\.protection\.outlook\.com\/[^\s<>"']*?[?&]url=([^&\s<>"']+)[^\s<>"']*/gi

/** The address of an online meeting that an event names; '' for none. */
export function namedMeeting({ properties }: Component): string {
  const named = properties.filter(isMeeting).toSorted((one, other) => rankOf(one) - rankOf(other))
  return named.map(({ value }) => addressIn(value)).find((one) => one !== '') ?? ''
}

/** Whether a property names the address of an online meeting. */
export function isMeeting({ name }: Pick<Property, 'name'>): boolean {
  return NAMED.test(name)
}

function rankOf({ name }: Property): number {
  return name === 'CONFERENCE' ? 0 : 1
}

/** The first address of a meeting of a well-known program in a text or HTML; '' for none. */
export function meetingIn(text: string): string {
  const [found = ''] =
    LINK.exec(text.replaceAll('&amp;', '&').replace(WRAPPED, (_link, url: string) => percentDecoded(url))) ?? []
  return addressIn(found.replace(/[.,;:!?]+$/, ''))
}

/** What a location names: a place, and how to attend online. */
export interface Location {
  /** Lines of the place as they were written; '' for none. */
  readonly place: string
  /** Address of a meeting; ''. */
  readonly address: string
  /** Whether an address or the name of a program stands there. */
  readonly isOnline: boolean
}

/** Takes addresses and names of programs out of a location; a real place beside them stays. */
export function readLocation(text: string): Location {
  const addresses: string[] = []
  let place = ''
  const parts = text.split(/(\s*[;\n|]\s*|,\s+(?=https?:))/)
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) continue
    const { rest, address } = readPart(part)
    if (address !== undefined) addresses.push(address)
    if (rest !== '') place += place === '' ? rest : `${parts[index - 1]}${rest}`
  }
  return { place, address: addresses.find((one) => one !== '') ?? '', isOnline: addresses.length > 0 }
}

/** An address without its scheme. */
const BARE = /^\s*[\w-]+(?:\.[\w-]+)+\/\S*\s*$/

/** A part of a location without what is online in it; `address` is '' for a program without one, undefined for a place alone. */
function readPart(part: string): { readonly rest: string; readonly address: string | undefined } {
  if (BARE.test(part) && LINK.test(`https://${part.trim()}`))
    return { rest: '', address: addressIn(`https://${part.trim()}`) }
  const [written = ''] = /https?:\/\/[^\s<>"()]+/i.exec(part) ?? []
  const rest = part
    .replace(written, '')
    .replace(/^[\s:,<(-]+|[\s:,>(-]+$|[(<][)>]\s*$/g, '')
    .trim()
  const isOnly = rest === '' || isProgram(rest)
  if (part.trim() === '' || (!isOnly && !LINK.test(written))) return { rest: part.trim(), address: undefined }
  return { rest: isOnly ? '' : rest, address: addressIn(written) }
}

/** Whether a text is the name of a program for meetings, in any language. */
function isProgram(text: string): boolean {
  const folded = fold(text)
  const rest = folded.replace(PROGRAM, ' ')
  return rest !== folded && rest.split(/[^\p{L}\p{M}\p{N}]+/u).every((word) => word === '' || WORDS.has(word))
}
