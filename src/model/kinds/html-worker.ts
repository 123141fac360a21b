import { parentPort } from 'node:worker_threads'
import { fold } from '../../base/text/fold.ts'
import { cleanHtml, textOfHtml } from '../../base/text/html.ts'

/** A text for the thread. */
export interface LongHtml {
  readonly html: string
  /** Undefined for stored values, which are clean. */
  readonly iframeHosts: readonly string[] | undefined
}

/** The results for a text. */
export interface MadeHtml {
  readonly clean: string
  readonly seen: string
  readonly folded: string
}

// The body of the thread that sanitizes and folds long texts: one after the other, with one response each.
parentPort?.on('message', ({ html, iframeHosts }: LongHtml) => {
  const clean = iframeHosts === undefined ? html : cleanHtml(html, { iframeHosts })
  const seen = textOfHtml(clean)
  parentPort?.postMessage({ clean, seen, folded: fold(seen) } satisfies MadeHtml)
})
