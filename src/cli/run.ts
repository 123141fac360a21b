import { Command, CommanderError } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { type Failure, fail } from '../base/errors.ts'
import type { CommandGroup } from './command.ts'
import { errorLine } from './output.ts'
import { asFailure } from './running-server/operation-messages.ts'
import type { World } from './types.ts'

/**
 * Runs one command and returns the exit code of the process: 0, the finding of the command, or 1 after an error, which
 * is one line on standard error. `argv` starts with the paths of node and of the program.
 */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  try {
    const outcome = { code: 0 }
    const program = await programOf(argv, world, outcome)
    await program.parseAsync([...argv])
    return outcome.code
  } catch (error) {
    // Help and version come as errors too: with code 0, or after the help was shown because no command was named.
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
      return error.exitCode
    const failure = error instanceof CommanderError ? usageFailure(error) : asFailure(error)
    world.stderr.write(errorLine(failure, argv.includes('--json')))
    return 1
  }
}

type Declare = (shell: CommandGroup) => void

/** What declares each command, as help lists them. They are loaded by themselves: together they need half of the program. */
const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  serve: async () => (await import('./serve.ts')).declareServe,
  migrate: async () => (await import('./migrate.ts')).declareMigrate,
  import: async () => (await import('./import.ts')).declareImport,
  export: async () => (await import('./export.ts')).declareExport,
  subscription: async () => (await import('./subscription.ts')).declareSubscription,
  backup: async () => (await import('./backup.ts')).declareBackup,
  restore: async () => (await import('./restore.ts')).declareRestore,
  doctor: async () => (await import('./doctor.ts')).declareDoctor,
  user: async () => (await import('./user.ts')).declareUser,
  password: async () => (await import('./password.ts')).declarePassword,
  mail: async () => (await import('./mail.ts')).declareMail,
  token: async () => (await import('./token.ts')).declareToken,
  field: async () => (await import('./field.ts')).declareField,
  redirect: async () => (await import('./redirect.ts')).declareRedirect,
}

/** What declares the command that was named; where none of ours was, as for help, what declares all of them. */
function declarationsFor(name: string | undefined): Promise<readonly Declare[]> {
  const named = Object.entries(COMMANDS).filter(([own]) => own === name)
  const loaded = named.length > 0 ? named : Object.entries(COMMANDS)
  return Promise.all(loaded.map(([, load]) => load()))
}

async function programOf(argv: readonly string[], world: World, outcome: CommandGroup['outcome']): Promise<Command> {
  const program = new Command('kalends')
  program.description(packageFile.description).version(packageFile.version)
  program.exitOverride().configureOutput({
    writeOut: (text) => void world.stdout.write(text),
    writeErr: (text) => void world.stderr.write(text),
    // The message is in the error as well, and is written in the form of all other errors.
    outputError: () => undefined,
  })
  const shell: CommandGroup = { program, world, outcome }
  for (const declare of await declarationsFor(argv[2])) declare(shell)
  return program
}

function usageFailure(error: CommanderError): Failure {
  return fail('wrong_usage', { reason: error.message.replace(/^error: /, '') })
}
