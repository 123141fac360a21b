import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { testFolder } from '../../../test/support/test-storage.ts'
import { createLog } from '../../base/log.ts'
import type { App } from '../types.ts'
import { CommandSocket } from './command-socket.ts'
import { inputPieces } from './operation-input.ts'
import { OPERATION_PATH } from './operation-messages.ts'
import { findSocketPath } from './socket-path.ts'

test('an import ends when the command that started it is interrupted', async (t) => {
  const dataFolder = testFolder(t)
  const ended = Promise.withResolvers<unknown>()
  const importSite: App['importSite'] = async (_input, onProgress) => {
    try {
      for (let done = 0; ; done += 1) {
        onProgress({ done, total: done + 1 })
        await new Promise((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      ended.resolve(error)
      throw error
    }
  }
  const app = { importSite } as unknown as App
  const socket = new CommandSocket({ app, dataFolder, log: createLog({ level: 'silent', now: () => 0 }) })
  await socket.open()
  const socketPath = await findSocketPath(dataFolder)
  const sent = request({ socketPath, method: 'POST', path: `${OPERATION_PATH}importSite`, agent: false })
  sent.on('error', () => undefined)
  for (const piece of inputPieces({})) sent.write(piece)
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await once(response, 'data')
  sent.destroy()
  assert.match(String(await ended.promise), /interrupted/)
  await socket.close()
})
