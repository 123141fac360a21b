import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIGRATIONS } from '../src/storage/migrations/index.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

const ROOT = join(import.meta.dirname, '..')

/** A change of a file: what is put before the last occurrence of a text. */
interface Edit {
  readonly file: string
  readonly before: string
  readonly text: string
}

/** A plain field for each resource, added as the recipe says and no further. */
const PLANTS: Readonly<Record<'venue' | 'organizer' | 'event', { readonly edits: readonly Edit[] }>> = {
  venue: {
    edits: [
      {
        file: 'src/model/venue.ts',
        before: '] as const',
        text: "  field('seats', number(0, 100000), 'planted.seats', { cleared: null }),\n",
      },
      { file: 'src/model/venue.ts', before: '} as const', text: '  seats: numberColumn(100000),\n' },
      { file: 'src/calendar/venues/schema.ts', before: '      json_ld:', text: "      seats: { type: 'number' },\n" },
    ],
  },
  organizer: {
    edits: [
      {
        file: 'src/model/organizer.ts',
        before: '] as const',
        text: "  field('trade_name', line, 'planted.tradeName', TEXT),\n",
      },
      { file: 'src/model/organizer.ts', before: '} as const', text: '  trade_name: lineColumn,\n' },
      {
        file: 'src/calendar/organizers/schema.ts',
        before: '      json_ld:',
        text: "      trade_name: content('planted.itsTradeName', 'Rowers Ltd'),\n",
      },
    ],
  },
  event: {
    edits: [
      {
        file: 'src/model/event.ts',
        before: 'import { website }',
        text: "import { line as lineColumn } from './column.ts'\n",
      },
      {
        file: 'src/model/event.ts',
        before: '] as const',
        text: `  field('step_free', boolean, 'planted.stepFree', {
    label: 'planted.label.stepFree',
    section: 'form.section.where',
    column: flag(),
    csv: { also: ['barrierfree'] },
    icalendar: 'X-STEP-FREE',
  }),
  field('door_note', line, 'planted.doorNote', {
    label: 'planted.label.doorNote',
    section: 'form.section.where',
    cleared: '',
    column: lineColumn,
    isCommon: true,
    csv: { also: [] },
    icalendar: 'X-DOOR-NOTE',
  }),
`,
      },
    ],
  },
}

const NUMBER = MIGRATIONS.length + 1

/** The part of the recipe that the three share. */
const MIGRATION = `import type { Migration } from './migration.ts'

export const planted: Migration = {
  id: ${NUMBER},
  name: 'planted',
  up: () => [
    'alter table venue add column seats double precision',
    "alter table organizer add column trade_name text not null default ''",
    'alter table event add column step_free integer not null default 0',
    "alter table event add column door_note text not null default ''",
  ],
}
`

/** Filters of events, each added by one entry. */
const FILTER_PLANTS: readonly Edit[] = [
  {
    file: 'src/calendar/events/list/filters.ts',
    before: "  parameter('password'",
    text: `  filter('sticky', boolean, 'planted.sticky', { where: (wanted) => eventColumn('sticky', wanted) }),
  filter('city', line, 'planted.city', {
    where: (city) => linkedTo('event_venue', sql<SqlBool>\`event_venue.venue_id in (select id from venue where city = \${city})\`),
  }),
  filter('published_after', date, 'planted.publishedAfter', {
    where: (moment, { row }) => row('occurrence.published_at', '>', moment.kind === 'local' ? moment.local : moment.utc),
  }),
`,
  },
  {
    file: 'src/calendar/events/list/filters.ts',
    before: 'import type { FieldOptions',
    text: "import { date } from '../../../model/kinds/date.ts'\nimport { line } from '../../../model/kinds/text.ts'\n",
  },
]

/** Texts of what is planted, by their IDs. */
const TEXTS: Readonly<Record<string, string>> = {
  'planted.seats': 'How many people the venue seats',
  'planted.tradeName': 'Name under which the organizer trades',
  'planted.itsTradeName': 'Name under which it trades',
  'planted.stepFree': 'Whether the event can be reached without steps',
  'planted.label.stepFree': 'Step-free',
  'planted.doorNote': 'What people at the door should know',
  'planted.label.doorNote': 'Door note',
  'planted.sticky': 'Whether the events stay on top',
  'planted.city': 'City of the venue',
  'planted.publishedAfter': 'Events that were published after this date',
}

/** A copy of this tree, with the texts of what is planted in its English catalogue. */
function copyOf(folder: string): void {
  for (const place of ['src', 'test/support', 'test/planted', 'locales', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, place), join(folder, place), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const catalogue = join(folder, 'locales/en.json')
  const english: unknown = JSON.parse(readFileSync(catalogue, 'utf8'))
  writeFileSync(catalogue, JSON.stringify({ ...(english as typeof TEXTS), ...TEXTS }))
}

/** Plants the fields. */
function plantFields(folder: string): void {
  writeFileSync(join(folder, 'src/storage/migrations/planted.ts'), MIGRATION)
  const place: Edit = { file: 'src/storage/migrations/index.ts', before: ']', text: ', planted' }
  const known: Edit = { ...place, before: 'import type', text: "import { planted } from './planted.ts'\n" }
  for (const edit of [place, known, ...Object.values(PLANTS).flatMap(({ edits }) => edits)]) apply(folder, edit)
}

function apply(folder: string, { file, before, text }: Edit): void {
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  const at = source.lastIndexOf(before)
  assert.ok(at >= 0, `${file} has no ${before}`)
  writeFileSync(path, source.slice(0, at) + text + source.slice(at))
}

test('a plain field that is added by the recipe alone is read, stored, shown, described, imported and moved', (t) => {
  const folder = testFolder(t)
  copyOf(folder)
  plantFields(folder)
  run(folder, 'test/planted/fields.ts')
  run(folder, 'test/planted/event-field.ts')
  // The types of what runs in production, which do not depend on the engine.
  if (TEST_ENGINE === 'sqlite') checkTypes(folder)
})

test('a filter that is added by one entry filters, is repeated in links, holds nobody up and is never stale', (t) => {
  const folder = testFolder(t)
  copyOf(folder)
  for (const edit of FILTER_PLANTS) apply(folder, edit)
  run(folder, 'test/planted/filters.ts')
  if (TEST_ENGINE === 'sqlite') checkTypes(folder)
})

function run(folder: string, file: string): void {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

function checkTypes(folder: string): void {
  const include = ['src']
  const exclude = ['**/*.test.ts', 'src/pages/client']
  writeFileSync(join(folder, 'tsconfig.planted.json'), JSON.stringify({ extends: './tsconfig.json', include, exclude }))
  const types = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.planted.json'],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(types.status, 0, types.stdout)
}

test('the recipe names every file that a plain field touches, and these are at most five', () => {
  const lines = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n')
  const venues = lines.find((line) => line.startsWith('| a plain field of venues |')) ?? ''
  const recipeOf = (name: string): string =>
    lines.find((line) => line.startsWith(`| a plain field of ${name}s |`)) ?? ''
  assert.match(venues, /a migration and its place in `src\/storage\/migrations\/index\.ts`/)
  for (const [resource, { edits }] of Object.entries(PLANTS)) {
    const files = new Set(edits.map(({ file }) => file))
    const recipe = recipeOf(resource)
    for (const file of files) assert.ok(recipe.includes(`\`${file}\``), `the recipe of ${resource} names ${file}`)
    assert.ok(files.size + 2 <= 5, resource)
  }
})
