import type { MessageId } from '../../base/i18n/translate.ts'
import { address, flag, id, integer, list, moment, named, object, text, word } from '../../http/openapi/parts.ts'

const AT = '2027-04-17 09:30:00'

const TOLD = object('api.subscriptions.eventWhatHappened', {
  what: text('api.subscriptions.whatAbout', 'Regatta'),
  why: text('api.subscriptions.whatHappened', '“Title” was changed here and stays'),
})

const count = (description: MessageId) => integer(description, 0, { minimum: 0 })

const REPORT = object('api.subscriptions.resultLastSyncReturned', {
  created: count('api.subscriptions.numberNewEvents'),
  updated: count('api.subscriptions.numberUpdatedEvents'),
  unchanged: count('api.subscriptions.numberUnchangedEvents'),
  trashed: count('api.subscriptions.numberEventsMovedTrash'),
  skipped: list('api.subscriptions.whatWasSkipped', TOLD),
  notes: list('api.subscriptions.notes', TOLD),
})

/** A subscription as responses show it. */
export const SUBSCRIPTION = named(
  'Subscription',
  object('api.subscriptions.calendarSubscriptionAllTimes', {
    id: id('api.subscriptions.idCalendarSubscription', 1),
    name: text('api.subscriptions.nameCalendarSubscription', 'Rowing club'),
    url: address('api.subscriptions.url', 'https://rowers.example/diary.ics'),
    every: integer('api.subscriptions.minimumNumberSecondsBetween', 3600, { minimum: 300 }),
    status: word('api.subscriptions.statusNewEvents', ['publish', 'pending', 'draft', 'private']),
    categories: list(
      'api.subscriptions.namesCategoriesAddEvery',
      text('api.subscriptions.categoryName', 'Water sports'),
    ),
    timezone: text('api.subscriptions.timeZoneTimesWithoutOne', 'Europe/Berlin'),
    paused: flag('api.subscriptions.whetherSyncingPaused'),
    next_visit: moment('api.subscriptions.timeWhenNextSync', AT),
    last_visit: { ...moment('api.subscriptions.timeLastSync', AT), type: ['string', 'null'] },
    last_success: { ...moment('api.subscriptions.timeLastSuccessfulSync', AT), type: ['string', 'null'] },
    failures: count('api.subscriptions.numberConsecutiveFailedSyncs'),
    problem: text('api.subscriptions.whyLastSyncFailed', 'the server responded with 503'),
    report: { ...REPORT, type: ['object', 'null'] },
    events: count('api.subscriptions.numberImportedEventsStill'),
    visiting: flag('api.subscriptions.whetherSyncRunning'),
    modified_at: moment('api.timeLastChangeUtc', AT),
  }),
)

/** The subscriptions. */
export const SUBSCRIPTIONS = named(
  'Subscriptions',
  object('api.subscriptions.allCalendarSubscriptions', {
    sources: list('api.sortedById', { $ref: '#/components/schemas/Subscription' }),
  }),
  [SUBSCRIPTION],
)

/** The syncs of a subscription. */
export const VISITS = named(
  'SubscriptionVisits',
  object('api.subscriptions.lastSyncsCalendarSubscription', {
    visits: list(
      'api.newestFirst',
      object('api.subscriptions.consecutiveSyncsSameResult', {
        first_at: moment('api.subscriptions.timeFirstSyncs', AT),
        last_at: moment('api.subscriptions.timeLastSyncs', AT),
        times: integer('api.subscriptions.numberConsecutiveSyncs', 1, { minimum: 1 }),
        outcome: word('api.subscriptions.resultSyncs', ['changed', 'unchanged', 'failed']),
        created: count('api.subscriptions.numberNewEvents'),
        updated: count('api.subscriptions.numberUpdatedEvents'),
        unchanged: count('api.subscriptions.numberUnchangedEvents'),
        trashed: count('api.subscriptions.numberEventsMovedTrash'),
        skipped: count('api.subscriptions.whatSkippedUp100'),
        notes: count('api.subscriptions.notesUp100'),
        problem: text('api.subscriptions.whySyncsFailedEmpty', 'the server responded with 503'),
      }),
    ),
  }),
)
