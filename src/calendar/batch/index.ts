export { batchRoute } from './routes.ts'
