/** The commands of `kalends`. */

export { runCli } from './run.ts'
export type {
  App,
  AppRole,
  ImportRecorded,
  ImportReport,
  OpenApp,
  Output,
  Progress,
  RecordedFile,
  World,
} from './types.ts'
