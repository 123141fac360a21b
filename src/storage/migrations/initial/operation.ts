/** Accounts, their passwords, and their sessions in browsers. */
export function accounts(): string[] {
  return [
    `create table "user" (
      id integer primary key, name text not null, name_folded text not null unique, email text not null,
      email_folded text not null unique, role text not null, display_name text not null,
      created_at text not null, disabled_at text)`,
    `create table application_password (
      id integer primary key, user_id integer not null references "user" (id), name text not null,
      hash text not null, created_at text not null, revoked_at text, used_at text)`,
    'create index application_password_user on application_password (user_id)',
    `create table token (
      id text primary key, user_id integer not null references "user" (id), name text not null,
      scopes text not null, hash text not null, created_at text not null, expires_at text, used_at text,
      networks text not null)`,
    'create index token_by_user on token (user_id)',
    'create table user_password (user_id integer primary key, hash text not null, changed_at text not null)',
    `create table session (
      id text primary key, user_id integer not null, created_at text not null, expires_at text not null,
      agent text not null, address text not null, used_at text, authenticated_at text not null default '',
      language text not null default '', identity_id text, provider_session text, id_token text)`,
    'create index session_by_user on session (user_id)',
    'create index session_by_identity on session (identity_id) where identity_id is not null',
    `create table passkey (
      id text primary key, user_id integer not null, user_handle text not null, public_key text not null,
      counter integer not null, name text not null, created_at text not null, used_at text)`,
    'create index passkey_by_user on passkey (user_id)',
    `create table challenge (
      id text primary key, kind text not null, bound_to text not null, user_id integer, user_handle text not null,
      expires_at text not null)`,
    'create index challenge_age on challenge (expires_at)',
    `create table recovery_code (
      user_id integer not null, hash text not null, primary key (user_id, hash))`,
    `create table sign_in_link (
      id text primary key, user_id integer not null, purpose text not null, created_at text not null,
      expires_at text not null, detail text not null default '')`,
    `create table identity (
      id text primary key, issuer text not null, subject text not null, user_id integer not null, name text not null,
      created_at text not null, used_at text, unique (issuer, subject))`,
    'create index identity_by_user on identity (user_id)',
    `create table pending_sign_in (
      id text primary key, browser text not null, provider text not null, nonce text not null, verifier text not null,
      next text not null, user_id integer, link_id text, expires_at text not null)`,
    'create index pending_sign_in_age on pending_sign_in (expires_at)',
    'create table used_logout_token (id text primary key, expires_at text not null)',
  ]
}

/** Mails that wait or were sent, and what people chose to get. */
export function mails(): string[] {
  return [
    `create table mail (
      id integer primary key, kind text not null, user_id integer, address text not null, address_folded text not null,
      cause text unique, message_id text not null unique, content text, state text not null, attempts integer not null,
      next_at text not null, created_at text not null, settled_at text, problem text not null)`,
    'create index mail_waiting on mail (state, next_at)',
    'create index mail_age on mail (created_at)',
    `create table mail_choice (
      user_id integer not null, topic text not null, choice text not null, primary key (user_id, topic))`,
    'create table review_notice (user_id integer primary key, event_id integer not null)',
  ]
}

/** The journal, and responses to requests with an Idempotency-Key for a day. */
export function journal(): string[] {
  return [
    `create table journal (
      seq integer primary key, at text not null, actor integer, resource text not null, id integer not null,
      revision integer not null, action text not null, snapshot text, agent text)`,
    'create index journal_item on journal (resource, id, revision)',
    'create index journal_changed on journal (resource, at, id)',
    'create table journal_head (id integer primary key, seq integer not null)',
    'insert into journal_head (id, seq) values (1, 0)',
    // The running numbers of an owner show how many responses it has and how large they are without counting.
    `create table idempotency_key (
      id text primary key, owner integer not null, place integer not null, bytes integer not null,
      created_at text not null, fingerprint text not null,
      status integer not null, headers text not null, body text not null)`,
    'create index idempotency_key_owner on idempotency_key (owner, place)',
    'create index idempotency_key_age on idempotency_key (created_at)',
  ]
}

/** What was imported, the calendars that are subscribed to, and where addresses of former sites lead. */
export function imports(): string[] {
  return [
    `create table provenance (
      origin text not null, kind text not null, external_id text not null, item_id integer not null,
      digest text not null, is_gone integer not null default 0, primary key (origin, kind, external_id))`,
    'create index provenance_external on provenance (kind, external_id)',
    'create index provenance_item on provenance (kind, item_id)',
    `create table source (
      id integer primary key, name text not null, url text not null, login text not null default '',
      is_webcal integer not null default 0, every integer not null, status text not null, categories text not null,
      zone text not null, paused integer not null, etag text not null, last_modified text not null,
      digest text not null, refresh integer not null, next_at text not null,
      checked_at text, synced_at text, failures integer not null, failing_since text,
      problem text not null, report text, created_at text not null, visiting_since text, modified_at text)`,
    'create unique index source_url on source (url)',
    `create table source_visit (
      source_id integer not null, number integer not null, first_at text not null, last_at text not null,
      times integer not null, outcome text not null, created integer not null, updated integer not null,
      unchanged integer not null, trashed integer not null, skipped integer not null, kept integer not null,
      problem text not null, primary key (source_id, number))`,
    'create table redirect (source text primary key, target text not null, created_at text not null)',
  ]
}

/** Programs elsewhere that are notified of changes, and their notifications. */
export function webhooks(): string[] {
  return [
    `create table webhook (
      id integer primary key, url text not null, description text not null, events text not null,
      audience text not null, active integer not null, secret text not null, former_secret text not null,
      former_until text, seq integer not null, failures integer not null, problem text not null, succeeded_at text,
      created_at text not null, modified_at text)`,
    `create table webhook_delivery (
      id integer primary key, webhook_id integer not null, message text not null, event text not null,
      seq integer not null, at text not null, resource text not null, item_id integer not null,
      revision integer not null, state text not null, attempts integer not null, queued_at text not null,
      next_at text, attempted_at text, finished_at text, status integer not null, problem text not null,
      unmade integer not null default 0)`,
    // What is due, what waits behind it, what may be deleted, and the log.
    'create index webhook_delivery_due on webhook_delivery (webhook_id, next_at, id) where next_at is not null',
    `create index webhook_delivery_pending on webhook_delivery (webhook_id, resource, item_id, id)
      where state = 'pending'`,
    'create index webhook_delivery_finished on webhook_delivery (finished_at) where finished_at is not null',
    'create index webhook_delivery_log on webhook_delivery (webhook_id, id)',
    'create index webhook_delivery_state on webhook_delivery (webhook_id, state, id)',
  ]
}

/** Jobs that run while nobody waits for them, and the trash of what has no status. */
export function jobs(): string[] {
  return [
    `create table long_work (
      id integer primary key, kind text not null, lane text not null, state text not null, by_id integer not null,
      by_name text not null, about text not null, done integer not null, total integer not null,
      started_at text not null, seen_at text not null, ended_at text, is_stopping integer not null,
      follows integer not null, outcome text, problem text)`,
    'create index long_work_lane on long_work (lane, id)',
    `create table long_work_item (
      work_id integer not null, position integer not null, item_id integer not null, status text not null,
      scope text not null, state text not null, title text not null, problem text, primary key (work_id, position))`,
    `create table removed_item (
      id integer primary key, kind text not null, item_id integer not null, title text not null,
      author_id integer not null, actor integer, at text not null, kept text not null)`,
  ]
}
