// Which module may import which. The picture behind it is in ARCHITECTURE.md; `npm run arrows` checks it.

// From the ground up. A module imports from lower layers only, never from its own or a higher one.
const LAYERS = [
  ['errors', 'config', 'log', 'requester', 'background', 'text', 'time'],
  ['fields'],
  ['model', 'outgoing'],
  ['storage', 'i18n', 'limits'],
  ['journal', 'auth'],
  ['http'],
  ['event-store'],
  ['entries'],
  ['events', 'venues', 'organizers', 'terms', 'media', 'users', 'sessions', 'idempotency'],
  ['feeds', 'changes', 'webhooks', 'batch', 'metrics', 'backup', 'export', 'redirects', 'doctor', 'long-work'],
  ['sources'],
  ['web', 'cli', 'admin'],
  ['app'],
  ['main'],
]

// Neighbours of one layer that may see each other nevertheless: importer -> imported.
const NEIGHBOURS = {
  config: ['errors'],
  log: ['errors', 'config', 'text'],
  events: ['venues', 'organizers', 'terms', 'media', 'users'],
  sessions: ['users'],
  export: ['backup'],
  webhooks: ['changes'],
  admin: ['web'],
}

const ROOMS = LAYERS[8]
const TESTS = '\\.test\\.ts$|(^|/)testing\\.ts$'
const at = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`
const roomFile = (...roles) => `^src/(entries|${ROOMS.join('|')})/((list|show|write)/)?(${roles.join('|')})[-/.]`

const forbid = (name, comment, { from, to }) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TESTS, ...from },
  to,
})

const layerRules = LAYERS.flatMap((layer, height) =>
  layer.map((name) => {
    const allowed = [name, ...(NEIGHBOURS[name] ?? []), ...LAYERS.slice(0, height).flat()]
    return forbid(
      `layer-${name}`,
      `${name} imports itself and what lies below it: ${allowed.slice(1).join(', ') || 'nothing'}`,
      {
        from: { path: at(name) },
        to: { path: '^(src|test|scripts|bench|bin)/', pathNot: at(...allowed) },
      },
    )
  }),
)

// The way through a room: routes -> store, rules, present, filters; store -> filters. Routes see them all, so they need
// no rule. An index.ts is that of another room.
const roomRules = Object.entries({
  store: ['store', 'filters', 'index'],
  filters: ['filters', 'index'],
  rules: ['rules'],
  present: ['present', 'index'],
}).map(([role, allowed]) =>
  forbid(`room-${role}`, `of the named files of rooms, ${role} imports ${allowed.join(', ')} only`, {
    from: { path: roomFile(role) },
    to: { path: roomFile('routes', 'store', 'filters', 'rules', 'present', 'index'), pathNot: roomFile(...allowed) },
  }),
)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...roomRules,
    forbid(
      'a-place-in-the-house',
      'every module of src belongs to a layer; a new folder is entered in the list of layers first',
      { from: { path: '^src/', pathNot: [TESTS, at(...LAYERS.flat())] }, to: {} },
    ),
    forbid('no-cycle', 'modules never import each other in a circle', {
      from: { path: '^(src|scripts|test)/' },
      to: { circular: true },
    }),
    forbid('http-knows-no-rows', 'http gets what it needs passed in: it imports neither a room nor storage', {
      from: { path: at('http') },
      to: { path: at('storage', 'entries', ...ROOMS) },
    }),
    forbid('rooms-through-index', 'a room is entered through its index.ts', {
      from: { path: `^src/(?!(?:${ROOMS.join('|')})/)` },
      to: { path: at(...ROOMS), pathNot: '/index\\.ts$' },
    }),
    forbid('events-enters-rooms-through-index', 'a room is entered through its index.ts, also by events', {
      from: { path: at('events') },
      to: { path: at(...ROOMS.filter((room) => room !== 'events')), pathNot: '/index\\.ts$' },
    }),
    forbid(
      'pure-rules-and-present',
      'rules and present know neither SQL nor HTTP; of storage they see the types of the rows',
      {
        from: { path: roomFile('rules', 'present') },
        to: {
          path: [at('http', 'storage', 'journal'), '(^|/)kysely(/|$)', '(^|/)find-my-way(/|$)'],
          pathNot: '^src/storage/schema\\.ts$',
        },
      },
    ),
    forbid(
      'sql-in-stores',
      'SQL is written in storage, journal, event-store and events/list, and in store and filters files',
      {
        from: {
          path: '^src/',
          pathNot: [TESTS, at('storage', 'journal', 'event-store', 'events/list'), '/(store|filters)[-/.]'],
        },
        to: { path: '(^|/)kysely(/|$)' },
      },
    ),
    forbid('one-router-file', 'the router is imported in src/http/route/router.ts only', {
      from: { path: '^src/', pathNot: [TESTS, '^src/http/route/router\\.ts$'] },
      to: { path: '(^|/)find-my-way(/|$)' },
    }),
    forbid('drivers-in-engines', 'database drivers are imported in src/storage/engines/ only', {
      from: { path: '^src/', pathNot: [TESTS, '^src/storage/engines/'] },
      to: { path: ['^(node:)?sqlite$', '(^|node_modules/)(better-sqlite3|pg|pg-[a-z-]+|@types/pg)(/|$)'] },
    }),
    forbid('metrics-in-metrics', 'the library for metrics is imported in src/metrics/ only', {
      from: { path: '^src/', pathNot: [TESTS, at('metrics')] },
      to: { path: '(^|/)prom-client(/|$)' },
    }),
    forbid('limiter-in-limits', 'the library for limits is imported in src/limits/shared-counts.ts only', {
      from: { path: '^src/', pathNot: [TESTS, '^src/limits/shared-counts\\.ts$'] },
      to: { path: '(^|/)rate-limiter-flexible(/|$)' },
    }),
    forbid('calendar-time-in-time', 'the library for calendar time is imported in src/time/ only', {
      from: { path: '^src/', pathNot: [TESTS, at('time')] },
      to: { path: '(^|/)(temporal-polyfill|temporal-spec)(/|$)' },
    }),
    forbid('no-test-code', 'what runs in production imports no test and no test support', {
      from: { path: '^(src|bin)/' },
      to: { path: [TESTS, '^test/'] },
    }),
    forbid('no-dev-package', 'what runs in production imports no package that is installed for development only', {
      from: { path: '^(src|bin)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)@types/' },
    }),
    {
      name: 'resolvable',
      comment: 'every import leads somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no interface for parsers; with it alone every TypeScript file would be skipped in silence.
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(data|bench/results)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'default', 'types'] },
  },
}
