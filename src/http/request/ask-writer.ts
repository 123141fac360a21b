import { request } from 'node:http'
import { type ErrorCode, isErrorCode } from '../../base/errors.ts'
import type { WritingProcess } from './hand-over.ts'

/** Milliseconds for the response: a process that has just ended is being replaced. */
const PATIENCE = 1000

/** Longest response that is read, in bytes. */
const LONGEST = 64 * 1024

/**
 * Asks the process that writes something that costs next to nothing.
 * @returns the code of the error that it responds with; undefined when it succeeds, does not respond, or is this one
 */
export async function codeOfWriter(writing: WritingProcess, path: string): Promise<ErrorCode | undefined> {
  if (writing.isMine()) return undefined
  try {
    const { code } = JSON.parse(await responseOf(await writing.socketPath(), path)) as { readonly code?: unknown }
    return typeof code === 'string' && isErrorCode(code) ? code : undefined
  } catch {
    return undefined
  }
}

async function responseOf(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // What the socket gets without an expectation are operations of commands.
    const headers = { Host: 'localhost', Expect: '100-continue', Connection: 'close' }
    const sent = request({ socketPath, path, headers, agent: false, signal: AbortSignal.timeout(PATIENCE) })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > LONGEST) sent.destroy(new Error('the response is too long'))
      })
      response.on('error', reject)
      response.on('end', () => resolve(text))
    })
    sent.end()
  })
}
