import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { OPTION_LIST, readConfig } from '../src/base/config.ts'
import { freePort } from './support/free-port.ts'
import { testFolder } from './support/test-storage.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = readFileSync(join(ROOT, 'docs/install.md'), 'utf8')
const BLOCKS = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
/** The commands of an upgrade, in docs/operate.md. */
const [, UPGRADE = ''] = /^```bash\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')) ?? []
const ADDRESS = 'https://calendar.example.org'

/** Starts a unit as systemd would: its environment, its folder, its command. */
const RUN_UNIT = `
unit="$ETC/systemd/system/$1.service"
eval "export $(sed -n 's/^Environment=//p' "$unit")"
while IFS= read -r line; do export "$line"; done < "$ETC/kalends.env"
cd "$(sed -n 's/^WorkingDirectory=//p' "$unit")"
exec $(sed -n 's/^ExecStart=//p' "$unit")
`

/** Programs that would change this machine, and what is done in their place. */
const STANDINS: Readonly<Record<string, string>> = {
  sudo: 'exec "$@"',
  'apt-get': 'true',
  journalctl: 'true',
  npm: `test "\${*%"$5"}" = 'ci --omit=dev --loglevel=error --prefix ' && ln -s '${ROOT}/node_modules' "$5/node_modules"`,
  'run-unit': RUN_UNIT,
  systemctl: `
case "$*" in
  daemon-reload | 'reload caddy') ;;
  'start kalends') run-unit kalends > "$ETC/log" 2>&1 & echo "$!" > "$ETC/pid" ;;
  'stop kalends') pid="$(cat "$ETC/pid")"; kill "$pid"; while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done ;;
  'start '*.service) unit="\${2%.service}"; run-unit "$unit" ;;
  'enable --now '*) test -e "$ETC/systemd/system/$3.service" || test -e "$ETC/systemd/system/$3" ;;
  *) echo "unexpected: systemctl $*"; exit 1 ;;
esac`,
}

function makePrograms(folder: string): string {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  for (const [name, text] of Object.entries(STANDINS)) {
    writeFileSync(join(programs, name), `#!/bin/sh -eu\n${text}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  return programs
}

test('installing Kalends ends with a calendar at its address and a backup of it, which an upgrade continues', async (t) => {
  const folder = testFolder(t)
  const [opt, etc] = [join(folder, 'opt/kalends'), join(folder, 'etc')]
  mkdirSync(join(etc, 'systemd/system'), { recursive: true })
  mkdirSync(join(etc, 'caddy'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const programs = makePrograms(folder)
  const env = {
    PATH: `${programs}:${process.env['PATH']}`,
    HOME: folder,
    no_proxy: '127.0.0.1',
    ETC: etc,
    KALENDS_PORT: String(port),
  }
  const placed = (text: string): string =>
    text.replaceAll(/(?<![\w/])\/(opt|etc|var)\//g, `${folder}/$1/`).replaceAll(`${folder}/var/lib/`, `${folder}/`)
  const run = async (block: string): Promise<string> => {
    // Nobody but Caddy answers at the address itself.
    const commands = placed(block).replaceAll(
      /(?<=curl .*)(https:\/\/calendar\.example\.org|http:\/\/127\.0\.0\.1:3000)/g,
      origin,
    )
    const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { cwd: ROOT, env })
    return stdout
  }
  const outputs: string[] = []
  for (const block of BLOCKS) {
    outputs.push(await run(block))
    if (block.includes('npm ci')) {
      for (const unit of ['kalends', 'kalends-backup']) {
        const path = join(opt, `examples/systemd/${unit}.service`)
        writeFileSync(path, placed(readFileSync(path, 'utf8')))
      }
    }
    if (!/enable --now kalends$/m.test(block)) continue
    const server = spawn(join(programs, 'run-unit'), ['kalends'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    writeFileSync(join(etc, 'pid'), String(server.pid))
    t.after(() => void server.kill('SIGKILL'))
    const output = await new Promise<string>((resolve, reject) => {
      let text = ''
      server.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)))
      for (const stream of [server.stdout, server.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          if (/Password {2}\S/.test(text)) resolve(text)
        })
      }
    })
    assert.match(output, /User {6}admin/)
  }
  const all = outputs.join('\n')
  assert.match(all, /^\{"status":"ok"\}/m)
  assert.match(all, new RegExp(`"rest_url":"${ADDRESS}/cal/events/v1/events/`))
  assert.match(all, /^kalends-\d{8}-\d{6}$/m)
  assert.match(all, /(\w{4} ){5}\w{4}/)
  const before = readFileSync(join(etc, 'pid'), 'utf8')
  const status = await run(UPGRADE).finally(() => process.kill(Number(readFileSync(join(etc, 'pid'), 'utf8'))))
  assert.match(status, /^\{"status":"ok"\}$/m)
  assert.notEqual(readFileSync(join(etc, 'pid'), 'utf8'), before)
})

test('the options of the page exist, and Caddy hands over to the port of Kalends at the address of the calendar', () => {
  const [, options = ''] = /kalends\.env > \/dev\/null <<'END'\n(.*?)^END$/ms.exec(PAGE) ?? []
  const env = Object.fromEntries(
    options
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
  const names: readonly string[] = OPTION_LIST.map(([, option]) => option.env)
  for (const name of Object.keys(env)) assert.ok(names.includes(name), name)
  const config = readConfig({}, env)
  assert.equal(config.baseUrl, ADDRESS)
  assert.deepEqual(config.trustedProxies, ['127.0.0.1'])
  const [, caddy = ''] = /Caddyfile > \/dev\/null <<'END'\n(.*?)^END$/ms.exec(PAGE) ?? []
  assert.equal(caddy, `${new URL(ADDRESS).host} {\n\treverse_proxy 127.0.0.1:${config.port}\n}\n`)
})
