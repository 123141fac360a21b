import assert from 'node:assert/strict'
import type { App } from '../../src/cli/types.ts'

/** Flags of a server whose hits can be told: metrics are opened, but nobody listens there. */
export const METRICS = { metricsPort: '9464' }

/**
 * How often a whole kept answer was sent, or a kept text of an event was used, since the server began. Unlike the number of
 * reads it does not grow by what the server does in the background. Needs `METRICS`.
 */
export async function hitsOf({ metrics }: App, kind: 'answer' | 'text'): Promise<number> {
  const [, hits] =
    new RegExp(`^kalends_cache_hits_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec((await metrics?.text()) ?? '') ?? []
  return Number(hits ?? assert.fail('no metrics'))
}
