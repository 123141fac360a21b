import { exactChoice } from '../../model/kinds/choice.ts'
import { type AnyField, field } from '../../model/kinds/field.ts'
import { positive, positiveOrNone } from '../../model/kinds/integer.ts'
import type { Kind } from '../../model/kinds/kind.ts'
import { STATUSES } from '../../model/status.ts'
import { IDS, passing, RENDERED, UTC_MOMENT } from './kinds.ts'

/** A member that writes of this namespace take. */
export interface WriteMember {
  readonly name: string
  /** The field of the interface that it becomes; absent for one that is accepted without effect. */
  readonly to?: string
  /** How it is read; as the field of the interface if absent. */
  readonly kind?: Kind<unknown>
  /** Whether null counts as not sent: there is another form of the same. */
  readonly hasForms?: true
}

const same = (...names: readonly string[]): WriteMember[] => names.map((name) => ({ name, to: name }))
const idle = (...names: readonly string[]): WriteMember[] => names.map((name) => ({ name }))

const UNTRASHED = exactChoice(
  STATUSES.filter((status) => status !== 'trash'),
  'bad_status',
)

/** Of several members that become one field, the later one wins. */
const COMMON = (title: string): readonly WriteMember[] => [
  { name: 'title', to: title, kind: RENDERED },
  ...same('slug'),
  { name: 'status', to: 'status', kind: UNTRASHED },
  { name: 'content', to: 'description', kind: RENDERED },
  { name: 'excerpt', to: 'excerpt', kind: RENDERED },
  ...same('author'),
  { name: 'date_gmt', to: 'date', kind: UTC_MOMENT, hasForms: true },
  { name: 'date', to: 'date', hasForms: true },
  { name: 'featured_media', to: 'image', kind: positiveOrNone },
  ...same('image'),
  ...idle('comment_status', 'ping_status', 'format', 'template'),
]

/** The members of events. */
export const EVENT_MEMBERS: readonly WriteMember[] = [
  ...COMMON('title'),
  { name: 'tags', to: 'tags', kind: IDS },
  { name: 'tribe_events_cat', to: 'categories', kind: IDS },
  { name: 'start_date_utc', to: 'start_date', kind: UTC_MOMENT, hasForms: true },
  { name: 'start_date', to: 'start_date', hasForms: true },
  { name: 'end_date_utc', to: 'end_date', kind: UTC_MOMENT, hasForms: true },
  { name: 'end_date', to: 'end_date', hasForms: true },
  ...same('timezone', 'all_day', 'featured', 'sticky', 'cost'),
  { name: 'organizers', to: 'organizer', kind: IDS },
  { name: 'venues', to: 'venue', kind: IDS },
  { name: 'virtual', to: 'is_virtual' },
  ...same('is_virtual', 'virtual_url', 'virtual_type', 'event_status', 'event_status_reason', 'website'),
  ...same('recurrence', 'custom_fields', 'tickets', 'post_parent', 'language', 'password', 'scope'),
]

/** The member of events that takes the place of an end. */
export const DURATION = field('duration', positive, 'api.tec.duration')

/** The members of venues. */
export const VENUE_MEMBERS: readonly WriteMember[] = [
  ...COMMON('venue'),
  ...same('address', 'country', 'city'),
  { name: 'state_province', to: 'stateprovince' },
  ...same('state', 'province', 'zip', 'phone', 'website'),
  { name: 'lat', to: 'geo_lat' },
  { name: 'lng', to: 'geo_lng' },
  ...same('geo_lat', 'geo_lng'),
  ...idle('tags', 'sticky'),
]

/** The members of organizers. */
export const ORGANIZER_MEMBERS: readonly WriteMember[] = [
  ...COMMON('organizer'),
  ...same('phone', 'website', 'email'),
  ...idle('tags', 'sticky'),
]

/** The members as fields, whose values the fields of the interface read further. */
export function fieldsOf(members: readonly WriteMember[], inner: readonly AnyField[]): readonly AnyField[] {
  return members.flatMap(({ name, to, kind, hasForms }): AnyField | [] => {
    if (to === undefined) return field(name, passing(RENDERED), 'api.tec.withoutEffect')
    const target = inner.find((one) => one.name === to)
    // Only updates have a scope.
    if (target === undefined) return []
    const { default: _default, shownDefault: _shown, ...described } = target
    return {
      ...described,
      name,
      kind: kind ?? passing(target.kind),
      declared: (kind ?? target.kind).declared,
      ...(kind === IDS && { example: [7] }),
      required: name === 'title' && target.required,
      ...(target.whenNull === 'clear' && { cleared: null }),
      ...(hasForms && { whenNull: 'unsent' }),
    }
  })
}
