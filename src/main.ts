import { runCli } from './cli/run.ts'
import { askSecret } from './cli/secret-input.ts'

/**
 * Entry of the process: hands everything that comes from outside (environment, clock, output) to the commands.
 * Returns the exit code; `argv` starts with the paths of node and of the program.
 */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runCli(argv, {
    env,
    now: Date.now,
    // Loaded only when a command opens the data itself: help, and what a running server does, start at once.
    openApp: async (config, options) => (await import('./app/app.ts')).openApp(config, options),
    askSecret: (question) => askSecret(question, { input: process.stdin, output: process.stderr }),
    stdout: process.stdout,
    stderr: process.stderr,
  })
}
