import { type CommandGroup, declare } from './command.ts'

/** `kalends migrate`: migrate the database without starting the server, which does the same. */
export function declareMigrate(shell: CommandGroup): void {
  const declared = { usage: 'migrate', summary: 'migrate the database to this version' }
  declare(shell, declared, async (called) => {
    const state = await called.operate('migrate', {})
    const newest = state.migrations.at(-1)
    const level = newest === undefined ? '' : ` (migration ${newest.id}, ${newest.name})`
    called.show(state, ({ database }) => `The database ${database} is up to date${level}.\n`)
  })
}
