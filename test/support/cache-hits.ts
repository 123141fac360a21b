import assert from 'node:assert/strict'
import type { App } from '../../src/cli/types.ts'

/** Flags of a server whose hits can be told: metrics are opened, but nobody listens there. */
export const METRICS = { metricsPort: '9464' }

/**
 * How often a whole kept answer was sent, or a kept text of an event was used, since the server started. Unlike the number of
 * reads it does not grow by what the server does in the background. Needs `METRICS`.
 */
export function hitsOf(app: App, kind: 'answer' | 'text'): Promise<number> {
  return counterOf(app, 'kalends_cache_hits_total', kind)
}

/** How often it was not there and had to be made, since the server started. Needs `METRICS`. */
export function missesOf(app: App, kind: 'answer' | 'text'): Promise<number> {
  return counterOf(app, 'kalends_cache_misses_total', kind)
}

async function counterOf({ metrics }: App, name: string, kind: string): Promise<number> {
  const begin = `${name}{kind="${kind}"} `
  const line = (await metrics?.text(name))?.split('\n').find((one) => one.startsWith(begin))
  return Number(line?.slice(begin.length) ?? assert.fail('no metrics'))
}
