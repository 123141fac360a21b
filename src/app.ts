import { openCache } from './app/cache.ts'
import { siteOf, temporaryIdentity } from './app/site.ts'
import { warm } from './app/warm.ts'
import { authenticate } from './auth/authenticate.ts'
import { entryPasswordSalt } from './auth/entry-password.ts'
import { loadSecret } from './auth/secret.ts'
import type { App, OpenApp, RoutedWriterRole } from './cli/types.ts'
import { OWN_NAMESPACE, WRITERS_NAMESPACE } from './config/namespaces.ts'
import type { Config } from './config.ts'
import { openSchedule, type Schedule } from './entries/schedule.ts'
import { fail, isUnavailable } from './errors.ts'
import { openEvents } from './events/index.ts'
import { calendarRoutes, openJsonImport } from './feeds/index.ts'
import type { AnswerCache } from './http/cache/answer-cache.ts'
import { Idempotency } from './http/idempotency/idempotency.ts'
import { AccessLog } from './http/request/access-log.ts'
import { ClientLimits } from './http/request/client-limits.ts'
import { docRoute } from './http/route/doc-route.ts'
import { Health, healthRoute } from './http/route/health.ts'
import { describeRoutes, indexRoute } from './http/route/index-route.ts'
import { rootRoute } from './http/route/root-route.ts'
import { createServer, type Server } from './http/server.ts'
import type { Bounds, ServerParts } from './http/server-parts.ts'
import { calendarSpace, namesOf, type Space } from './http/space.ts'
import { type Expiry, openExpiry, openKeyStore } from './idempotency/index.ts'
import { type Hearing, hearOthers } from './journal/hear.ts'
import { headSeq } from './journal/read.ts'
import { subscribe } from './journal/subscribe.ts'
import { openLimits } from './limits/open.ts'
import type { Logger } from './log.ts'
import { type MediaRoom, openMedia } from './media/index.ts'
import type { Metrics, openMetrics } from './metrics/open.ts'
import type { Site } from './model/site.ts'
import { openOrganizers } from './organizers/index.ts'
import { forTheCalendar } from './requester.ts'
import { probeDisk } from './storage/disk-full.ts'
import type { Report, Storage } from './storage/engine.ts'
import { openWordKeeper, type WordKeeper } from './storage/gone-words.ts'
import { hasTables, migrate } from './storage/migrate.ts'
import { assertWhole } from './storage/move/marker.ts'
import { openStorage } from './storage/open.ts'
import { storageOptions } from './storage/options.ts'
import { openTerms } from './terms/index.ts'
import { findUserById, hasUsers, userLookup, userRoutes } from './users/index.ts'
import { openVenues } from './venues/index.ts'
import { sitePages } from './web/index.ts'

/** Everything that opening brings together before there is an app. */
interface Opening {
  readonly config: Config
  readonly now: () => number
  readonly log: Logger
  /** Tells the log what went wrong in the background, but not that the database is away. */
  readonly report: Report
  readonly storage: Storage
  readonly site: Site
  readonly secret: string
  readonly hearing: Hearing
  /** Undefined when it is switched off. */
  readonly cache: AnswerCache | undefined
  readonly writerRole: RoutedWriterRole | undefined
  readonly limits: ClientLimits
  readonly access: AccessLog | undefined
  /** Undefined where nobody asks for metrics. */
  readonly openMetrics: typeof openMetrics | undefined
}

/**
 * Opens the application: the only place that knows every part. The database is opened and migrated, the rooms are
 * furnished and their routes put behind one server; `listen` catches up on scheduled publication before it answers,
 * unless another process does that work.
 */
export const openApp: OpenApp = async (
  config,
  { now, log, role, writerRole, accessLog, mayBegin = true, isWorker = false },
) => {
  const report: Report = (err, circumstance) => {
    // That the database is away is told once, by the storage.
    if (!isUnavailable(err)) log.error({ err }, circumstance)
  }
  const notice = (sentence: string): void => log.warn(sentence)
  // What does one thing and closes has nothing to gain from a replica.
  const wanted = role === 'serve' ? config : { ...config, databaseRead: '' }
  const storage = await openStorage({
    ...storageOptions(wanted),
    report,
    notice,
    now,
    ...(writerRole && { writerRole }),
  })
  try {
    if (!mayBegin && !(await hasTables(storage))) throw fail('no_calendar', { path: storage.location })
    // Otherwise the process that writes has done it.
    if (writerRole?.isMine() !== false) await forTheCalendar(() => migrate(storage, { now }))
    await assertWhole(storage)
    // Asked first: whoever adds the first user has made the key before.
    const isNew = !(await hasUsers(storage))
    const secret = await loadSecret(config.secret, config.data, isNew)
    const site = await siteOf(storage, config)
    const identity = role === 'serve' && mayBegin ? temporaryIdentity(site) : undefined
    if (identity !== undefined) log.warn(identity)
    const hearing = await hearOthers(storage, (error) => report(error, 'hearing of the changes of other processes'))
    const access = accessLog && new AccessLog({ log: accessLog, now })
    const cache = await openCache({ config, storage, now })
    const budgets = await openLimits({ config, now, log, isShared: isWorker })
    const limits = new ClientLimits(budgets)
    // Loaded only where it is asked for: it takes 20 MB.
    const metrics = role === 'serve' && config.metricsPort > 0 ? await import('./metrics/open.ts') : undefined
    const openMetrics = metrics?.openMetrics
    const opened = { config, now, log, report, storage, site, secret, hearing }
    return furnish({ ...opened, writerRole, limits, cache, access, openMetrics })
  } catch (error) {
    await storage.close()
    throw error
  }
}

function furnish(opening: Opening): App {
  const { config, now, log, report, storage, site, secret, hearing } = opening
  const isUser = async (id: number): Promise<boolean> => (await findUserById(storage, id)) !== undefined
  const terms = openTerms({ storage, site })
  const media = mediaRoom(opening)
  const { pictures } = media
  const venues = openVenues({ storage, site, isUser, pictures })
  const organizers = openOrganizers({ storage, site, isUser, pictures })
  const lookups = { venue: venues.lookup, organizer: organizers.lookup, category: terms.category, tag: terms.tag }
  const passwordSalt = entryPasswordSalt(secret)
  const events = openEvents({ storage, site, lookups, passwordSalt, isUser, pictures })
  const rooms = [...events.routes, ...venues.routes, ...organizers.routes, ...terms.routes]
  const health = healthOf(opening, media)
  const own = [...calendarRoutes({ queries: events.queries, site }), ...media.routes, healthRoute(health)]
  const writers = [...userRoutes(storage), ...terms.bareRoutes, ...media.writersRoutes]
  const spaces = withDescriptions([
    calendarSpace(rooms, config.namespaces),
    { name: OWN_NAMESPACE, aliases: [], routes: own },
    { name: WRITERS_NAMESPACE, aliases: [], routes: writers },
  ])
  const schedule = openSchedule([events.schedule, venues.schedule, organizers.schedule], { now, log })
  const metrics = metricsOf(opening, { schedule, refused: () => server.refused })
  const pages = sitePages({ reader: storage, site, lookups, namespaces: namesOf(spaces) })
  const server = serverOf(opening, { spaces, site: pages, files: media.files, timer: metrics?.timer })
  const words = openWordKeeper(storage, (error) => report(error, 'forgetting words'))
  const expiry = openExpiry({ storage, report, now })
  const catchUp = () => Promise.all([events.catchUp(), media.catchUp()])
  const running = { server, schedule, hearing, media, words, expiry, catchUp }
  return {
    storage,
    secret,
    now,
    importJson: openJsonImport({ storage, now, secret, site, lookups }),
    ...(metrics && { metrics }),
    answer: (exchange) => server.answer(exchange),
    refuse: () => server.refuse(),
    drain: () => health.drain(),
    warm: () => warm(spaces[0]?.routes ?? [], config, now),
    listen: () => listen(opening, running),
    close: () => close(storage, running),
  }
}

/** While there is no room it is tried to write, once a second: nobody may send a write to a server that is not well. */
function healthOf({ storage, now }: Opening, { disk }: MediaRoom): Health {
  return new Health({
    ask: async () => {
      await headSeq(storage)
      if (storage.trouble()?.code === 'rest_disk_full') await probeDisk(storage)
      if (disk.trouble()?.code === 'rest_disk_full') await disk.probe()
    },
    trouble: () => storage.trouble() ?? disk.trouble(),
    now,
  })
}

function mediaRoom({ config, log, report, storage, site, now }: Opening): MediaRoom {
  const { media: folder, mediaLimit: limit, mediaMemory: memory, fetchAllow } = config
  return openMedia({ storage, site, folder, limit, memory, fetchAllow, log, report, now })
}

function metricsOf(
  { storage, cache, hearing, openMetrics }: Opening,
  { schedule, refused }: { readonly schedule: Schedule; readonly refused: () => Server['refused'] },
): Metrics | undefined {
  return openMetrics?.(() => ({
    engine: storage.engine,
    cache: cache?.stats,
    storage: storage.stats(),
    refused: refused(),
    seq: hearing.seq(),
    isLeading: schedule.isActive(),
  }))
}

/**
 * The namespaces with their indexes and documents, which describe all routes, themselves included. The routes for
 * writers are those of another document and have an index alone.
 */
function withDescriptions(spaces: readonly Space[]): readonly Space[] {
  const all: Space[] = []
  const index = indexRoute(all)
  for (const space of spaces) {
    const routes = [index, ...space.routes]
    if (space.name !== WRITERS_NAMESPACE) routes.splice(1, 0, docRoute(routes))
    all.push({ ...space, routes })
  }
  return all
}

function serverOf(
  { config, now, log, storage, secret, hearing, writerRole, limits, cache, access }: Opening,
  served: Pick<ServerParts, 'spaces' | 'site' | 'files' | 'timer'>,
): Server {
  const users = userLookup(storage, secret)
  return createServer({
    ...served,
    above: [rootRoute({ name: config.siteName, zone: config.siteZone, spaces: served.spaces })],
    options: {
      baseUrl: config.baseUrl,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      bodyLimit: config.bodyLimit,
      bounds: boundsOf(config),
      siteZone: config.siteZone,
      iframeHosts: config.iframeHosts,
      language: config.language,
      requireIfMatch: config.requireIfMatch,
    },
    describe: describeRoutes,
    ...(cache && { cache }),
    authenticate: (header, request) => authenticate(header, users, limits.watch(request)),
    limits,
    idempotency: new Idempotency(openKeyStore({ storage, secret, now, reach: (seq) => hearing.reach(seq) })),
    now,
    seq: () => hearing.seq(),
    reach: (seq) => hearing.reach(seq),
    ...(writerRole && { writing: writerRole }),
    access,
    log,
  })
}

/** One body of the largest kind always has room. */
function boundsOf(config: Config): Bounds {
  return {
    connections: config.connectionLimit,
    clientConnections: config.clientConnectionLimit,
    requests: config.requestLimit,
    bodyBytes: Math.max(config.bodyMemory, config.bodyLimit, config.mediaLimit),
  }
}

interface Running {
  readonly server: Server
  readonly schedule: Schedule
  readonly hearing: Hearing
  readonly media: Pick<MediaRoom, 'sweep' | 'close'>
  readonly words: WordKeeper
  catchUp(): Promise<unknown>
  readonly expiry: Expiry
}

/** What came due while nothing ran is published before the first answer, by one process. */
async function listen({ config, storage }: Opening, running: Running): Promise<{ addresses: string[] }> {
  const {
    server,
    schedule,
    words,
    catchUp,
    expiry,
    media: { sweep },
  } = running
  // What works in the background is called from requests, too.
  subscribe(storage, () =>
    forTheCalendar(() => {
      schedule.reconsider()
      words.reconsider()
    }),
  )
  await storage.lead({
    elected: () =>
      forTheCalendar(() => {
        sweep.begin()
        words.begin()
        expiry.begin()
        return Promise.all([schedule.begin(), catchUp()]).then(() => undefined)
      }),
    lost: () => {
      sweep.pause()
      words.pause()
      expiry.pause()
      schedule.pause()
    },
  })
  const { host } = config
  const port = await server.listen({ host, port: config.port })
  return { addresses: [`http://${host.includes(':') ? `[${host}]` : host}:${port}`] }
}

async function close(storage: Storage, { server, schedule, hearing, media, words, expiry }: Running): Promise<void> {
  // Until the last answer is sent this process has the role of working in the background, so it does.
  await server.close()
  await Promise.all([schedule.stop(), expiry.stop(), hearing.stop(), media.sweep.stop(), words.stop()])
  media.close()
  await storage.close()
}
