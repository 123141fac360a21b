import { type MailService, openMail } from '../accounts/mail/index.ts'
import { type ProviderClient, readProviders } from '../accounts/single-sign-on/index.ts'
import { tokenRoutes } from '../accounts/tokens/index.ts'
import { accountsRoute, findUserById, hasUsers, userRoutes } from '../accounts/users/index.ts'
import { type OpenWays, openWaysOf } from '../accounts/ways-in/index.ts'
import { openReviewDigests, openSiteNotices, openSubmissionExpiry } from '../admin/index.ts'
import type { BackgroundWork } from '../base/background.ts'
import { NAMESPACE, OWN_NAMESPACE, TEC_NAMESPACE, WRITERS_NAMESPACE } from '../base/config/namespaces.ts'
import type { Config } from '../base/config.ts'
import { fail, isUnavailable } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { forTheCalendar } from '../base/requester.ts'
import { batchRoute } from '../calendar/batch/index.ts'
import { openEvents, openHorizon, openZoneData, standingOverlaps, storeZoneVersion } from '../calendar/events/index.ts'
import { type MediaRoom, openMedia } from '../calendar/media/index.ts'
import { openOrganizers } from '../calendar/organizers/index.ts'
import { mayHaveScheduled, openSchedule, type Schedule, type Scheduled } from '../calendar/shared/schedule.ts'
import { firstDate } from '../calendar/shared/store-dates.ts'
import { openTerms } from '../calendar/terms/index.ts'
import { openVenues } from '../calendar/venues/index.ts'
import { changeStreamRoute, changesRoute, openCursor } from '../changes/feed/index.ts'
import type { Webhooks } from '../changes/webhooks/index.ts'
import type { App, OpenApp } from '../cli/types.ts'
import { calendarRoutes, openFormats } from '../exchange/index.ts'
import { entryPasswordSalt } from '../http/auth/entry-password.ts'
import { loadSecret } from '../http/auth/secret.ts'
import type { ResponseCache } from '../http/cache/response-cache.ts'
import type { FormPage, Pages } from '../http/html-page.ts'
import { Idempotency } from '../http/idempotency/idempotency.ts'
import { openLimits } from '../http/limits/open.ts'
import { calendarNamespace, type Namespace, namesOf } from '../http/namespace.ts'
import { ClientLimits } from '../http/request/client-limits.ts'
import { docRoute } from '../http/route/doc-route.ts'
import { healthRoute } from '../http/route/health.ts'
import { describeRoutes, indexRoute } from '../http/route/index-route.ts'
import { rootRoute } from '../http/route/root-route.ts'
import { settingsRoute } from '../http/route/settings-route.ts'
import type { AnyRoute } from '../http/route.ts'
import { createServer, type Server } from '../http/server.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import { openExpiry, openKeyStore } from '../http/stored-replies/index.ts'
import type { Site } from '../model/site.ts'
import type { openMetrics } from '../ops/metrics/open.ts'
import type { PagesDeps } from '../pages/deps.ts'
import { sitePages } from '../pages/index.ts'
import type { Report, Storage } from '../storage/engine.ts'
import { type LongWork, openLongWork } from '../storage/jobs/index.ts'
import { type ExternalChanges, followExternalChanges } from '../storage/journal/external-changes.ts'
import { subscribe } from '../storage/journal/subscribe.ts'
import { hasTables, migrate } from '../storage/migrate.ts'
import { openStorage } from '../storage/open.ts'
import { storageOptions } from '../storage/options.ts'
import { joinable } from '../storage/reads.ts'
import { openTec, showingErrors, tecDocsRoute } from '../tec/index.ts'
import { openBackups } from './backups.ts'
import { openCache } from './cache.ts'
import { callersOf } from './callers.ts'
import { formsOf } from './forms.ts'
import { openHealth } from './health.ts'
import { type Imports, importsOf } from './imports.ts'
import { mcpOf } from './mcp.ts'
import { metricsOf } from './metrics.ts'
import { optionsOf } from './server-options.ts'
import { followLevel, type LiveSettings, liveSite, openSettings, withSettings } from './settings.ts'
import { openProviders } from './single-sign-on.ts'
import { fixHost } from './site.ts'
import { warm } from './warm.ts'
import { webhooksOf } from './webhooks.ts'

/** What opening creates before there is an app. */
interface Opening {
  readonly config: Config
  readonly now: () => number
  readonly log: Logger
  /** Tells the log what went wrong in the background, but not that the database is away. */
  readonly report: Report
  readonly storage: Storage
  readonly site: Site
  readonly settings: LiveSettings
  readonly secret: string
  /** Of the process, for the programs that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly externalChanges: ExternalChanges
  readonly longWork: LongWork
  readonly mail: MailService
  readonly providers: readonly ProviderClient[]
  readonly openWays: OpenWays
  /** Undefined when it is switched off. */
  readonly cache: ResponseCache | undefined
  readonly limits: ClientLimits
  readonly mcp: ReturnType<typeof mcpOf>
  /** Undefined where nobody asks for metrics. */
  readonly openMetrics: typeof openMetrics | undefined
}

/**
 * Opens the application: the only place that knows every part. The database is opened and migrated, the modules are
 * composed and their routes put behind one server; before it serves requests `listen` catches up on scheduled
 * publication, unless another process does that work.
 */
export const openApp: OpenApp = async (given, { now, log, role, isOnlyWriter = false, env = {}, mayBegin = true }) => {
  const report: Report = (err, circumstance) => {
    // The storage logs once that the database is away.
    if (!isUnavailable(err)) log.error({ err }, circumstance)
  }
  const notice = (sentence: string): void => log.warn(sentence)
  // What does one thing and closes has nothing to gain from a replica.
  const wanted = role === 'serve' ? given : { ...given, databaseRead: '' }
  const options = { ...storageOptions(wanted), report, notice, now, isOnlyWriter }
  // What is wrong with it is known before anything is changed.
  const configured = role === 'serve' ? readProviders(given) : []
  const storage = joinable(await openStorage(options))
  try {
    if (!mayBegin && !(await hasTables(storage))) throw fail('no_calendar', { path: storage.location })
    await forTheCalendar(() => migrate(storage, { now }))
    // Checked first: adding the first user has created the key.
    const isNew = !(await hasUsers(storage))
    if (isNew) await storeZoneVersion(storage)
    const secret = await loadSecret(given.secret, given.data, isNew)
    await fixHost(storage, given)
    const settings = await openSettings(storage, given, now)
    const config = withSettings(given, settings)
    if (role === 'serve') followLevel(log, given.logLevel, settings)
    const site = liveSite(given, settings)
    const externalChanges = await followExternalChanges(storage, (error) =>
      report(error, 'reading changes of other processes'),
    )
    const cache = await openCache({ config, storage, now, settings })
    const limits = new ClientLimits(openLimits({ config, now, log, onChange: settings.onChange }))
    // Loaded only where it is needed: it takes 20 MB.
    const metrics = role === 'serve' && config.metricsPort > 0 ? await import('../ops/metrics/open.ts') : undefined
    const openMetrics = metrics?.openMetrics
    const longWork = openLongWork({ storage, now, report })
    const issuers = role === 'serve' ? configured.map(({ issuer }) => issuer) : undefined
    const openWays = openWaysOf(config, issuers)
    const mail = openMail({ ...{ config, now, log, report, storage, site, secret, openWays }, ...mailGround(settings) })
    const providers = openProviders(configured, { config, now, log })
    const ground = { config, now, log, report, storage, site, settings, secret, externalChanges, longWork }
    const opening = { ...ground, mail, providers, openWays, mcp: mcpOf({ ...ground, providers }) }
    return { ...compose({ ...opening, env, limits, cache, openMetrics }), mail, mailer: mail.mailer, openWays }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What mails read of the settings. */
function mailGround(settings: LiveSettings): Pick<Parameters<typeof openMail>[0], 'baseUrl' | 'language'> {
  return { baseUrl: () => settings.current.baseUrl, language: () => settings.current.language }
}

function compose(opening: Opening): App {
  const { config, now, storage, site, secret, externalChanges, longWork } = opening
  const isUser = async (id: number): Promise<boolean> => (await findUserById(storage, id)) !== undefined
  const terms = openTerms({ storage, site })
  const media = mediaRoom(opening)
  const venues = openVenues({ storage, site, isUser, pictures: media.pictures, standingOverlaps })
  const organizers = openOrganizers({ storage, site, isUser, pictures: media.pictures })
  const lookups = { venue: venues.lookup, organizer: organizers.lookup, category: terms.category, tag: terms.tag }
  const settings = { passwordSalt: entryPasswordSalt(secret), recurrenceYears: config.recurrenceYears }
  const events = openEvents({ ...opening, ...settings, lookups, isUser, pictures: media.pictures })
  const formats = openFormats({ events: events.queries(), site })
  const rooms = [...formats.of(events.routes), ...venues.routes, ...organizers.routes, ...terms.routes]
  const health = openHealth({ ...opening, disk: media.disk })
  const calendar = calendarRoutes({ queries: events.queries, site })
  const telling = tellingOf(opening, lookups)
  const imports = importsOf({ ...opening, ...settings, lookups, media })
  const further = [...telling.routes, batchOf(opening, rooms), ...imports.subscriptions.routes, ...media.routes]
  const own = [...calendar, ...formats.routes, ...events.ownRoutes, ...accountRoutes(opening, health), ...further]
  const writers = writersRoutes(opening, [...terms.bareRoutes, ...media.writersRoutes])
  const tec = openTec({ storage, site, events, venues, organizers })
  const namespaces = withDescriptions({ calendar: calendarNamespace(rooms, config.namespaces), own, writers, tec })
  const schedule = scheduleOf(opening, [events.schedule, venues.schedule, organizers.schedule])
  const metrics = metricsOf(opening, { schedule, refused: () => server.refused })
  const options = optionsOf(config, opening.settings)
  const forms = formsOf({ ...opening, options, namespaces, media, importCalendars: imports.importCalendars })
  const pages = pagesOf(opening, { lookups, calendarFiles: calendar, queries: events.queries, namespaces, forms })
  const server = serverOf(opening, { options, namespaces, site: pages, files: media.files, timer: metrics?.timer })
  const work = backgroundOf(opening, { places: { venues, organizers }, media, imports, telling })
  const running = { server, schedule, externalChanges, media, longWork, ...work, listening: { at: '' } }
  return {
    storage,
    secret,
    now,
    ...imports,
    ...(metrics && { metrics }),
    refuse: () => server.refuse(),
    publicAddress: () => options.baseUrl || running.listening.at,
    drain: () => health.drain(),
    warm: () => warm(namespaces[0]?.routes ?? [], config, now),
    listen: () => listen(opening, running),
    close: () => close(storage, running),
  }
}

/** The few routes in the shape of generic clients: those of resources, and those about the caller and the site. */
function writersRoutes({ storage, site, settings }: Opening, ofResources: readonly AnyRoute[]): AnyRoute[] {
  const ofSite = settingsRoute({ site, language: () => settings.current.language })
  return [...userRoutes(storage), ofSite, ...ofResources]
}

/** The routes of users and of what they sign in with, and that of the health of the server. */
function accountRoutes(opening: Opening, health: ReturnType<typeof openHealth>): AnyRoute[] {
  const tokens = tokenRoutes({ ...opening, mailer: opening.mail.mailer })
  return [accountsRoute(opening.storage), ...tokens, healthRoute(health)]
}

/** What works in the background. */
interface Workers {
  readonly places: Pick<Parameters<typeof openSubmissionExpiry>[0], 'venues' | 'organizers'>
  readonly media: MediaRoom
  readonly imports: Imports
  readonly telling: Webhooks
}

/** The work in the background, beside publishing; `afterCommits` is the part of it that has more to do after each. */
function backgroundOf(
  opening: Opening,
  { places, media, imports, telling }: Workers,
): Pick<Running, 'afterCommits' | 'background'> {
  const horizon = openHorizon({ ...opening, recurrenceYears: opening.config.recurrenceYears })
  const afterCommits = [telling.work, openSubmissionExpiry({ ...opening, ...places, mailer: opening.mail.mailer })]
  const others = [media.sweep, imports.subscriptions.work, openExpiry(opening), horizon, openZoneData(opening)]
  const { mailer, sender } = opening.mail
  others.push(sender.work, siteNoticesOf(opening), openReviewDigests({ ...opening, mailer }))
  return { afterCommits, background: [...afterCommits, ...others] }
}

function siteNoticesOf(opening: Opening): BackgroundWork {
  return openSiteNotices({ ...opening, mailer: opening.mail.mailer, backups: openBackups(opening) })
}

function batchOf({ storage, config, secret, now }: Opening, routes: readonly AnyRoute[]): AnyRoute {
  const passwordSalt = entryPasswordSalt(secret)
  return batchRoute({ storage, settings: config, passwordSalt, routes, aliases: config.namespaces, now })
}

/** What others follow changes by: routes that they ask, and webhooks. */
function tellingOf(opening: Opening, lookups: PagesDeps['lookups']): Webhooks {
  const { storage, site, externalChanges } = opening
  const deps = { storage, site, lookups, reach: (seq: number) => externalChanges.reach(seq) }
  const webhooks = webhooksOf({ ...opening, lookups })
  return { ...webhooks, routes: [changesRoute(deps), changeStreamRoute(deps), ...webhooks.routes] }
}

/** The pages of the site and those of the administration. */
function pagesOf(
  { storage, site, config }: Opening,
  {
    namespaces,
    forms,
    ...shown
  }: Omit<PagesDeps, 'reader' | 'site' | 'namespaces' | 'contact'> & {
    readonly namespaces: readonly Namespace[]
    readonly forms: readonly FormPage[]
  },
): Pages {
  const own = sitePages({ ...shown, reader: storage, site, namespaces: namesOf(namespaces), contact: config })
  return { ...own, forms: [...(own.forms ?? []), ...forms] }
}

function scheduleOf({ storage, now, log }: Opening, scheduled: readonly Scheduled[]): Schedule {
  return openSchedule(scheduled, { now, log, next: () => firstDate(storage) })
}

function mediaRoom({ config, log, report, storage, site, now }: Opening): MediaRoom {
  const { media: folder, mediaLimit: limit, mediaMemory: memory, fetchAllow } = config
  return openMedia({ storage, site, folder, limit, memory, fetchAllow, log, report, now })
}

/** The routes of the documents of namespaces; one that has none has an index alone. */
const DOCUMENTS: ReadonlyMap<string, (routes: readonly AnyRoute[]) => AnyRoute> = new Map([
  [NAMESPACE, docRoute],
  [OWN_NAMESPACE, docRoute],
  [TEC_NAMESPACE, tecDocsRoute],
])

/** What the server answers to: namespaces, and the routes of our own and those for writers. */
interface Served {
  readonly calendar: Namespace
  readonly own: readonly AnyRoute[]
  readonly writers: readonly AnyRoute[]
  readonly tec: Namespace
}

/** The namespaces with their indexes and documents, which describe all routes, themselves included. */
function withDescriptions({ calendar, own, writers, tec }: Served): readonly Namespace[] {
  const namespaces = [
    calendar,
    { name: OWN_NAMESPACE, aliases: [], routes: own },
    { name: WRITERS_NAMESPACE, aliases: [], routes: writers },
    tec,
  ]
  const all: Namespace[] = []
  const index = indexRoute(all)
  for (const namespace of namespaces) {
    const routes = [namespace === tec ? showingErrors(index) : index, ...namespace.routes]
    const documentOf = DOCUMENTS.get(namespace.name)
    if (documentOf !== undefined) routes.splice(1, 0, documentOf(routes))
    all.push({ ...namespace, routes })
  }
  return all
}

function serverOf(
  { site, now, log, report, storage, secret, externalChanges, limits, cache, mcp }: Opening,
  served: Pick<ServerDeps, 'options' | 'namespaces' | 'site' | 'files' | 'timer'>,
): Server {
  return createServer({
    ...served,
    above: [rootRoute({ site, namespaces: served.namespaces })],
    describe: describeRoutes,
    ...(cache && { cache }),
    ...callersOf({ storage, secret, options: served.options, limits, report, log, now }),
    further: mcp.paths,
    limits,
    idempotency: new Idempotency(openKeyStore({ storage, secret, now, reach: (seq) => externalChanges.reach(seq) })),
    now,
    seq: externalChanges.seq,
    cursor: openCursor(storage, externalChanges),
    reach: externalChanges.reach,
    log,
  })
}

interface Running {
  readonly server: Server
  readonly schedule: Schedule
  readonly externalChanges: ExternalChanges
  readonly media: Pick<MediaRoom, 'close'>
  readonly longWork: Pick<LongWork, 'close'>
  readonly afterCommits: readonly BackgroundWork[]
  /** The background work of the one process that does it, beside publishing. */
  readonly background: readonly BackgroundWork[]
  /** Origin at which it listens; '' before it does. */
  readonly listening: { at: string }
}

/** What became due while nothing ran is published before the first response, by one process. */
async function listen({ config, storage }: Opening, running: Running): Promise<{ addresses: string[] }> {
  const { server, schedule, afterCommits, background } = running
  // What works in the background is called from requests, too.
  subscribe(storage, (changes) =>
    forTheCalendar(() => {
      if (changes.some(mayHaveScheduled)) schedule.reconsider()
      for (const work of afterCommits) work.wake()
    }),
  )
  await storage.lead({
    elected: () =>
      forTheCalendar(() => {
        for (const work of background) work.begin()
        return schedule.begin()
      }),
    lost: () => {
      for (const work of background) work.pause()
      schedule.pause()
    },
  })
  const { host } = config
  const port = await server.listen({ host, port: config.port })
  running.listening.at = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { addresses: [running.listening.at] }
}

async function close(
  storage: Storage,
  { server, schedule, externalChanges, media, background, longWork }: Running,
): Promise<void> {
  // Until the last response is sent this process has the role of working in the background, so it does.
  await server.close()
  await longWork.close()
  await Promise.all([schedule.stop(), externalChanges.stop(), ...background.map((work) => work.stop())])
  media.close()
  await storage.close()
}
