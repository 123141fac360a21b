/** Backup and restore. */

export { type BackupReport, makeBackup, removeLeftovers } from './backup.ts'
export { type LastBackup, lastBackup } from './last.ts'
export { type BackupEntry, listBackups } from './list.ts'
export { type RestoreReport, restoreBackup } from './restore.ts'
