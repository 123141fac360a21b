/** Name of the file that a data folder has while a restore into it has not ended; nothing opens a calendar beside it. */
export const RESTORING = 'kalends.restoring'
