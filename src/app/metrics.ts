import type { MailService } from '../accounts/mail/index.ts'
import { millisFromUtc } from '../base/time/zones.ts'
import type { ResponseCache } from '../http/cache/response-cache.ts'
import type { Server } from '../http/server.ts'
import type { Numbers } from '../ops/metrics/catalogue.ts'
import type { Metrics, openMetrics } from '../ops/metrics/open.ts'
import type { Storage } from '../storage/engine.ts'
import type { ExternalChanges } from '../storage/journal/external-changes.ts'

/** Whose numbers the metrics are. */
export interface MetricsDeps {
  readonly storage: Storage
  readonly cache: Pick<ResponseCache, 'stats'> | undefined
  readonly externalChanges: Pick<ExternalChanges, 'seq'>
  readonly mail: Pick<MailService, 'sender'>
  readonly mcp: { calls(): Numbers['toolCalls'] }
  now(): number
  /** Undefined where nobody asks for metrics. */
  readonly openMetrics: typeof openMetrics | undefined
}

/** Those whose numbers are known only while they work. */
export interface MeasuredWork {
  readonly schedule: { readonly isActive: () => boolean }
  refused(): Server['refused']
}

/** The metrics of this process; undefined where nobody asks for them. */
export function metricsOf(
  { storage, cache, externalChanges, mail, mcp, now, openMetrics }: MetricsDeps,
  { schedule, refused }: MeasuredWork,
): Metrics | undefined {
  return openMetrics?.(() => ({
    cache: cache?.stats,
    storage: storage.stats(),
    refused: refused(),
    toolCalls: mcp.calls(),
    seq: externalChanges.seq(),
    isLeading: schedule.isActive(),
    mails: mail.sender.states().map(({ state, count, oldest }) => ({
      result: state,
      count,
      age: Math.max(0, now() - millisFromUtc(oldest)) / 1000,
    })),
  }))
}
