import { slugify } from '../../../base/text/slug.ts'
import { writeRecurrence } from '../../../base/time/recurrence/write.ts'
import { globalId } from '../../../calendar/shared/present.ts'
import { isTrashedSlug } from '../../../calendar/shared/trash.ts'
import { BLANK_EVENT } from '../../../model/event.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import type { Site } from '../../../model/site.ts'
import type { Status } from '../../../model/status.ts'
import type { EventContent } from '../readers/icalendar/content.ts'
import type { SourceCalendarEvent, SourceTimes } from '../readers/icalendar/types.ts'
import type { Identity } from '../readers/json/identity.ts'
import type { SourceColumns } from '../readers/json/read-event.ts'
import { BLANK_ENTRY, organizerName, runName } from './plan-linked.ts'
import { termName } from './plan-names.ts'
import { placesIn } from './plan-places.ts'
import type { PlannedDate, PlannedEvent } from './planned.ts'

/** How events of a file become events here. */
export interface PlanningOptions {
  readonly file: string
  readonly site: Site
  /** Status of events that are new here. */
  readonly status: Status
  /** Names of categories that every event gets. */
  readonly categories: readonly string[]
  /** Further names of places and organizers, each with the one that the run uses. */
  readonly same: ReadonlyMap<string, string>
}

/** The event that an event of a file is to be here. */
export function planEvent(event: SourceCalendarEvent, options: PlanningOptions): PlannedEvent {
  const identity = identityOf(event.uid, options.site)
  const unknown = keptOf(event, identity)
  const plan = (content: EventContent, times: SourceTimes): PlannedEvent => ({
    place: { file: options.file, path: `line ${event.line}` },
    identity,
    entry: {
      ...BLANK_ENTRY,
      status: content.isPrivate ? 'private' : options.status,
      publishedAt: content.created ?? content.modified,
      modifiedAt: content.modified,
      description: content.description,
      image_recorded: content.image === '' ? null : JSON.stringify({ url: content.image }),
      imageAddress: content.image,
      unknown,
      ...event.entry,
    },
    isPrivate: content.isPrivate || event.entry?.status === 'private',
    columns: columnsOf(content, times, event.columns),
    parentGlobalId: '',
    recurrence: [],
    venue: placesIn(content).map(([name]) => options.same.get(name) ?? name),
    organizer: content.organizers.map(organizerName).map((name) => options.same.get(name) ?? name),
    category: [...options.categories, ...content.categories].map(termName),
    tag: content.tags.map(termName),
  })
  const whole = plan(event.content, event.times)
  const planned = { ...whole, entry: { ...whole.entry, slug: event.entry?.slug || slugIn(event.content.url) } }
  const { recurrence, exceptions } = event
  if (recurrence === undefined) return planned
  const dates = exceptions.map(
    ({ recurrenceId, times, content = event.content }): PlannedDate => ({
      recurrenceId,
      wishedId: undefined,
      own: plan(onPageOf(event, content), times),
    }),
  )
  return { ...planned, series: { lines: writeRecurrence(recurrence, event.times), dates } }
}

/** The slug of an event whose address is that of its page in a calendar like this one; '' for others. */
function slugIn(url: string): string {
  const [, name = ''] = /\/event\/([^/?#]{1,200})\/?$/.exec(url) ?? []
  return slugify(name) === name && !isTrashedSlug(name) ? name : ''
}

/** A date whose page lies below that of its event has no address of its own. */
function onPageOf({ content: { url } }: SourceCalendarEvent, content: EventContent): EventContent {
  return url !== '' && url.endsWith('/') && content.url.startsWith(url) ? { ...content, url } : content
}

/** Who an event is: what was exported from here is the event that it was here. */
function identityOf(uid: string, site: Site): Identity {
  const [, id, host] = /^(\d{1,10})@(.+)$/.exec(uid) ?? []
  const own = id !== undefined && host === site.host
  return {
    globalId: own ? globalId(site.host, Number(id)) : runName('UID', uid),
    lineage: [],
    wishedId: undefined,
  }
}

/** Whether a file still has what was imported under a global ID; true for events that could not be read. */
export function followedNames(
  read: { readonly events: readonly SourceCalendarEvent[]; readonly mentioned: ReadonlySet<string> },
  site: Site,
): (name: string) => boolean {
  const names = new Set(read.events.map(({ uid }) => identityOf(uid, site).globalId))
  const uids = new Set(read.events.flatMap(({ uid }) => [uid, uid.replace(/ \d{8}\S*$/, '')]))
  const unread = [...read.mentioned].filter((uid) => !uids.has(uid)).map((uid) => identityOf(uid, site).globalId)
  const broken = new Set(unread)
  return (name) => names.has(name) || broken.has(name) || broken.has(name.replace(/ \S+ \S+$/, ''))
}

/** What the exporter makes of what an event is here: it says nothing new of one that comes back. */
const MADE = /^(?:STATUS|CLASS|TRANSP|COMMENT|CONTACT|RELATED-TO)[;:]/

/** What is given back in iCalendar: the UID, and what has no place here. */
function keptOf({ uid, content }: SourceCalendarEvent, identity: Identity): Readonly<Record<string, unknown>> {
  const isOwn = !identity.globalId.startsWith('UID:')
  const kept = isOwn ? content.kept.filter((one) => !MADE.test(one)) : content.kept
  if (isOwn && kept.length === 0) return {}
  const lines = kept.length === 0 ? {} : { lines: kept }
  return { icalendar: { ...(!isOwn && { uid }), ...lines } }
}

function columnsOf(content: EventContent, times: SourceTimes, more: Partial<SourceColumns> = {}): SourceColumns {
  const { trashed_from: _, description: _d, excerpt: _e, image_id: _i, image_recorded: _r, ...blank } = BLANK_EVENT
  const { extra: _x, revision: _v, password_hash: _h, post_parent: _p, ...columns } = blank
  const online = webAddress(content.conference) ?? ''
  const isOnline = online !== '' || content.isOnline === true
  return {
    ...columns,
    title: content.title,
    all_day: times.isAllDay ? 1 : 0,
    start_local: times.start,
    end_local: times.end,
    start_utc: times.startUtc,
    end_utc: times.endUtc,
    timezone: times.zone,
    website: content.url === '' ? null : content.url,
    event_status: content.state === 'CANCELLED' ? 'canceled' : 'scheduled',
    event_status_reason: content.state === 'CANCELLED' ? content.comment : '',
    is_virtual: isOnline ? 1 : 0,
    virtual_url: online,
    virtual_type: !isOnline ? '' : content.location === '' ? 'virtual' : 'hybrid',
    language: content.language,
    ...content.plain,
    ...more,
  }
}
