/** The commands of `kalends`. */

export { runCli } from './run.ts'
