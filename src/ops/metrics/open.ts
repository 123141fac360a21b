import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { TimedRequest } from '../../http/server-deps.ts'
import { LAG_PRECISION, METRICS, type Metric, type Numbers, REQUESTS } from './catalogue.ts'

/** The metrics of this process. */
export interface Metrics {
  /** Starts to time a request; what it returns takes it when it was answered. */
  timer(): (timed: TimedRequest) => void
  /** All of them as Prometheus reads them, or a single one by its name, which costs far less. */
  text(name?: string): Promise<string>
}

/** Opens the metrics of this process; `numbers` is called whenever someone asks for them. */
export function openMetrics(numbers: () => Numbers): Metrics {
  const registry = new Registry()
  // Memory, processor time, delay of the event loop and the like, under the names that every program gives them.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION })
  for (const metric of METRICS) register(metric, registry, numbers)
  const { name, help, labels, buckets } = REQUESTS
  const requests = new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [registry] })
  return {
    timer: () => {
      const end = requests.startTimer()
      return ({ route, method, status }) => void end({ route, method, status })
    },
    text: (name) => (name === undefined ? registry.metrics() : registry.getSingleMetricAsString(name)),
  }
}

function register(metric: Metric, registry: Registry, numbers: () => Numbers): void {
  const { name, help, labels = [] } = metric
  const settings = { name, help, labelNames: labels, registers: [registry] }
  const values = () => metric.read(numbers())
  if (metric.type === 'gauge') {
    new Gauge({
      ...settings,
      collect() {
        this.reset()
        for (const [value, of = {}] of values()) this.set(of, value)
      },
    })
    return
  }
  // The parts count by themselves; this only reads their numbers.
  new Counter({
    ...settings,
    collect() {
      this.reset()
      for (const [value, of = {}] of values()) this.inc(of, value)
    },
  })
}
