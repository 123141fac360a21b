import type { Migration } from './migration.ts'

/** Passwords of people, their sessions in browsers, and the links by which they set a password. */
export const sessions: Migration = {
  id: 11,
  name: 'sessions',
  up: () => [
    'create table user_password (user_id integer primary key, hash text not null, changed_at text not null)',
    `create table session (
      id text primary key, user_id integer not null, created_at text not null, expires_at text not null,
      agent text not null, address text not null)`,
    'create index session_by_user on session (user_id)',
    `create table sign_in_link (
      id text primary key, user_id integer not null, purpose text not null, created_at text not null,
      expires_at text not null)`,
  ],
}
