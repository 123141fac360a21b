import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Cluster, openNest } from './cluster.ts'

/** A primary and a replica that follows it by streaming. */
export interface Pair {
  readonly primary: Cluster
  readonly replica: Cluster
  /** Ends both and removes their files. */
  close(): Promise<void>
}

/** What `programsForReplicas` looks for, in words. */
export const REPLICA_PROGRAMS = 'the programs of PostgreSQL, such as those of the Debian package postgresql'

/** The folder of the newest PostgreSQL that has all the programs; the one of the tests has no pg_basebackup. */
export function programsForReplicas(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').map(dirname)
  return found.sort((one, other) => versionOf(other) - versionOf(one))[0]
}

function versionOf(programs: string): number {
  return Number(/postgresql\/(\d+)/.exec(programs)?.[1] ?? 0)
}

/** Starts one server on a free port of 127.0.0.1; `programs` is the folder of its programs. */
export async function startInstalled(programs: string): Promise<Cluster & { close(): Promise<void> }> {
  const nest = await openNest(programs)
  const data = await nest.folder('data')
  await nest.initialize(data)
  const cluster = await nest.cluster(data)
  await cluster.ask('create database calendar')
  const close = async (): Promise<void> => {
    await cluster.signal('SIGQUIT')
    await nest.remove()
  }
  return { ...cluster, close }
}

/** Starts two servers on free ports of 127.0.0.1; `programs` is the folder of theirs. */
export async function startPair(programs: string): Promise<Pair> {
  const nest = await openNest(programs)
  const data = await nest.folder('primary')
  await nest.initialize(data)
  const primary = await nest.cluster(data)
  await primary.ask('create database calendar')
  const copy = await nest.folder('replica')
  const { hostname, port } = new URL(primary.database)
  const source = ['-h', hostname, '-p', port, '-U', 'kalends']
  await nest.run('pg_basebackup', ['-D', copy, ...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  const replica = await nest.cluster(copy)
  const close = async (): Promise<void> => {
    await Promise.all([replica.signal('SIGQUIT'), primary.signal('SIGQUIT')])
    await nest.remove()
  }
  return { primary, replica, close }
}
