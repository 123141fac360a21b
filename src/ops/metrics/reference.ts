import { LAG_PRECISION, METRICS, REQUESTS } from './catalogue.ts'

/** The page `docs/reference/metrics.md`, generated so that it cannot disagree with the metrics. */
export function metricsReference(): string {
  const rows = [...METRICS, { ...REQUESTS, type: 'histogram' }].map(({ name, type, labels = [], help }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${named} | ${help} |`
  })
  return [
    '# Metrics',
    '',
    'Written by `node scripts/docs.ts` from `src/ops/metrics/catalogue.ts`; do not edit.',
    '',
    'With `--metrics-port`, a separate port serves `GET /metrics` in the text format of Prometheus.',
    '',
    '| Name | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    'The usual process metrics are there as well: `process_cpu_seconds_total`, `process_resident_memory_bytes`,',
    `\`nodejs_heap_size_used_bytes\`, \`nodejs_gc_duration_seconds\`, \`nodejs_eventloop_lag_p99_seconds\` (${LAG_PRECISION / 1000} if`,
    'nothing is late) and so on.',
    '',
  ].join('\n')
}
