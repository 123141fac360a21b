// Which module may import which. The picture behind it is in ARCHITECTURE.md; `npm run arrows` checks it.

// From the bottom up. A module imports itself and the modules below it.
const LAYERS = [
  'base',
  'model',
  'storage',
  'http',
  'accounts',
  'calendar',
  'ops',
  'exchange',
  'changes',
  'tec',
  'mcp',
  'cli',
  'pages',
  'admin',
  'app',
  'main',
]

// Modules that are entered through their index.ts: importer outside -> only index.ts.
const RESOURCES = [
  'calendar/(events|venues|organizers|terms|media)',
  'accounts/(users|sessions|passkeys|ways-in|mail|tokens|single-sign-on)',
]
const TESTS = '\\.test\\.ts$'
const at = (...names) => `^src/(${names.join('|')})(/|\\.ts$)`
const resourceFile = (...roles) =>
  `^src/(${RESOURCES.join('|')}|calendar/shared)/((list|show|write)/)?(${roles.join('|')})[-/.]`

const forbid = (name, comment, { from, to }) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TESTS, ...from },
  to,
})

const layerRules = LAYERS.map((name, height) => {
  const allowed = LAYERS.slice(0, height + 1)
  return forbid(
    `layer-${name}`,
    `${name} imports itself and what lies below it: ${LAYERS.slice(0, height).join(', ') || 'nothing'}`,
    {
      from: { path: at(name) },
      to: { path: '^(src|test|scripts|bench|bin)/', pathNot: at(...allowed) },
    },
  )
})

// The way through a resource: routes -> store, rules, present, filters; store -> filters. Routes see them all, so they
// need no rule. An index.ts is that of another resource.
const resourceRules = Object.entries({
  store: ['store', 'filters', 'index'],
  filters: ['filters', 'index'],
  rules: ['rules'],
  present: ['present', 'index'],
}).map(([role, allowed]) =>
  forbid(`resource-${role}`, `of the named files of a resource, ${role} imports ${allowed.join(', ')} only`, {
    from: { path: resourceFile(role) },
    to: {
      path: resourceFile('routes', 'store', 'filters', 'rules', 'present', 'index'),
      pathNot: resourceFile(...allowed),
    },
  }),
)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...resourceRules,
    forbid('known-module', 'every file of src belongs to a module; a new one is entered in the list of layers first', {
      from: { path: '^src/', pathNot: [TESTS, at(...LAYERS)] },
      to: {},
    }),
    forbid('no-cycle', 'modules never import each other in a circle', {
      from: { path: '^(src|scripts|test)/' },
      to: { circular: true },
    }),
    forbid('http-without-storage', 'requests and responses know no storage: http gets what it needs passed in', {
      from: { path: '^src/http/', pathNot: [TESTS, '^src/http/(auth|limits|stored-replies)/'] },
      to: { path: at('storage') },
    }),
    forbid(
      'readers-only-read',
      'readers of imports know neither the importer nor storage, except the types of its rows',
      {
        from: { path: '^src/exchange/imports/readers/' },
        to: { path: at('exchange/imports/importer', 'storage'), pathNot: '^src/storage/schema\\.ts$' },
      },
    ),
    forbid('resources-through-index', 'a resource is entered through its index.ts', {
      from: { path: `^src/(?!(?:${RESOURCES.join('|')})/)` },
      to: { path: at(...RESOURCES), pathNot: '/index\\.ts$' },
    }),
    forbid('resources-meet-at-index', 'a resource enters another one through its index.ts', {
      from: { path: `^src/(${RESOURCES.join('|')})/` },
      to: { path: at(...RESOURCES), pathNot: ['^src/$1/', '/index\\.ts$'] },
    }),
    forbid(
      'pure-rules-and-present',
      'rules and present know neither SQL nor HTTP; of storage they see the types of the rows',
      {
        from: { path: resourceFile('rules', 'present') },
        to: {
          path: [at('http', 'storage'), '(^|/)kysely(/|$)', '(^|/)find-my-way(/|$)'],
          pathNot: '^src/(storage/schema|http/auth/.*)\\.ts$',
        },
      },
    ),
    forbid(
      'sql-in-stores',
      'SQL is written in storage, in calendar/event-store and events/list, and in store and filters files',
      {
        from: {
          path: '^src/',
          pathNot: [TESTS, at('storage', 'calendar/events/list', 'calendar/event-store'), '/(store|filters)[-/.]'],
        },
        to: { path: '(^|/)kysely(/|$)' },
      },
    ),
    forbid('one-router-file', 'the router is imported in src/http/pipeline.ts only', {
      from: { path: '^src/', pathNot: [TESTS, '^src/http/pipeline\\.ts$'] },
      to: { path: '(^|/)find-my-way(/|$)' },
    }),
    forbid('drivers-in-engines', 'database drivers are imported in src/storage/engines/ only', {
      from: { path: '^src/', pathNot: [TESTS, '^src/storage/engines/'] },
      to: { path: ['^(node:)?sqlite$', '(^|node_modules/)(better-sqlite3|pg|pg-[a-z-]+|@types/pg)(/|$)'] },
    }),
    forbid('metrics-in-metrics', 'the library for metrics is imported in src/ops/metrics/ only', {
      from: { path: '^src/', pathNot: [TESTS, at('ops/metrics')] },
      to: { path: '(^|/)prom-client(/|$)' },
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
