import { Command, CommanderError } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { type Failure, fail } from '../errors.ts'
import { declareBackup } from './backup.ts'
import { declareCheckLinks } from './check-links.ts'
import { asFailure } from './cluster/operation-messages.ts'
import type { CommandGroup } from './command.ts'
import { declareDoctor } from './doctor.ts'
import { declareExport } from './export.ts'
import { declareField } from './field.ts'
import { declareImport } from './import.ts'
import { declareMigrate } from './migrate.ts'
import { declareMove } from './move.ts'
import { refuseFlagsOfNpm } from './npm-flags.ts'
import { errorLine } from './output.ts'
import { declarePassword } from './password.ts'
import { declareRedirect } from './redirect.ts'
import { declareRestore } from './restore.ts'
import { declareServe } from './serve.ts'
import { declareSource } from './source.ts'
import type { World } from './types.ts'
import { declareUser } from './user.ts'
import { declareWebhook } from './webhook.ts'

/**
 * Runs one command and returns the exit code of the process: 0, the finding of the command, or 1 after an error, which
 * is one line on standard error. `argv` starts with the paths of node and of the program.
 */
export async function runCli(argv: readonly string[], world: World): Promise<number> {
  try {
    refuseFlagsOfNpm(world.env, argv)
    const outcome = { code: 0 }
    await programOf(world, outcome).parseAsync([...argv])
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

function programOf(world: World, outcome: CommandGroup['outcome']): Command {
  const program = new Command('kalends')
  program.description(packageFile.description).version(packageFile.version)
  program.exitOverride().configureOutput({
    writeOut: (text) => void world.stdout.write(text),
    writeErr: (text) => void world.stderr.write(text),
    // The message is in the error as well, and is written in the form of all other errors.
    outputError: () => undefined,
  })
  const shell: CommandGroup = { program, world, outcome }
  declareServe(shell)
  declareMigrate(shell)
  declareImport(shell)
  declareExport(shell)
  declareSource(shell)
  declareWebhook(shell)
  declareMove(shell)
  declareBackup(shell)
  declareRestore(shell)
  declareDoctor(shell)
  declareUser(shell)
  declarePassword(shell)
  declareField(shell)
  declareRedirect(shell)
  declareCheckLinks(shell)
  return program
}

function usageFailure(error: CommanderError): Failure {
  return fail('wrong_usage', { reason: error.message.replace(/^error: /, '') })
}
