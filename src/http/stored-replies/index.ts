export { openExpiry } from './expiry.ts'
export { openKeyStore } from './store.ts'
