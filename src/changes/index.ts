export { openCursor } from './cursor.ts'
export { changesRoute } from './routes.ts'
export { changeStreamRoute } from './stream.ts'
