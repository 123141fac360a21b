/** Backups of a calendar, and what brings them back. */

export { type BackupReport, makeBackup } from './backup.ts'
export { type RestoreReport, restoreBackup } from './restore.ts'
