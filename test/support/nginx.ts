import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Our example of an nginx before several processes. */
export const EXAMPLE = readFileSync(new URL('../../examples/nginx/kalends.conf', import.meta.url), 'utf8')

/** What tests with nginx need, in words. */
export const NGINX = 'nginx, such as that of the Debian package'

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined
}

/** A running nginx. */
export interface Nginx {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** A line for each answer so far: method, status, and addresses and statuses of all attempts. */
  answers(): string[]
  /** Ends it. */
  stop(): Promise<void>
}

/** Everything around `server`: files below the folder, as the user who runs the tests. */
function settings(folder: string): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder};`)
  const format = `log_format attempts '$request_method $status $upstream_addr $upstream_status';`
  const http = `${temporary.join(' ')} ${format} access_log ${folder}/answers attempts; include ${folder}/kalends.conf;`
  return `daemon off; ${user} worker_processes 2; pid ${folder}/pid; error_log ${folder}/errors; events {} http { ${http} }`
}

/** Writes the configuration for our example with other ports; its path. */
export function writeNginx(
  folder: string,
  { port, processes }: { port: number; processes: readonly number[] },
): string {
  const example = EXAMPLE.replace('listen 8080;', `listen 127.0.0.1:${port};`).replaceAll(
    /kalends-(\d):3000/g,
    (_all, number: string) => `127.0.0.1:${processes[Number(number) - 1]}`,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'kalends.conf'), example)
  writeFileSync(join(folder, 'nginx.conf'), settings(folder))
  return join(folder, 'nginx.conf')
}

/** Starts nginx with our example before processes on these ports of 127.0.0.1. */
export async function startNginx(folder: string, processes: readonly number[]): Promise<Nginx> {
  const port = await freePort()
  const child = spawn('nginx', ['-c', writeNginx(folder, { port, processes })], { stdio: ['ignore', 'ignore', 'pipe'] })
  let problems = ''
  child.stderr.on('data', (chunk: Buffer) => {
    problems += chunk.toString()
  })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${problems}`)
    await sleep(10)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    answers: () => readFileSync(join(folder, 'answers'), 'utf8').split('\n').slice(0, -1),
    stop: () => stop(child),
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
