import { error, info, warn } from './log-levels.js';

export const PLATFORM_LOG_EVENTS = {
  // Processes
  'api.listening': info('The API accepts connections.', 'url'),
  'api.no_trusted_proxies': warn('TRUSTED_PROXIES is empty. Set it if a proxy forwards requests.'),
  'worker.started': info('The worker started.'),
  'metrics.listening': info('The metrics endpoint accepts connections.', 'url'),
  'runtime.outdated': warn('The Node.js release has a known vulnerability.', 'reason'),
  'background.failed': error('A background loop failed. It retries automatically.', 'loop err'),
  'background.recovered': info('A background loop works again.', 'loop failures'),
  'tracing.export_failed': warn('Traces could not be exported.', 'code'),
  'tracing.export_recovered': info('Traces are exported again.'),
  'metrics.database_failed': warn('The database did not answer a metrics scrape.', 'reason'),
  'metrics.database_recovered': info('The database answers metrics scrapes again.'),

  // HTTP
  'http.request': info('A request was served.', 'method route status ms address key_id aborted'),
  'http.request_failed': error('A request failed unexpectedly.', 'code err'),
  'http.request_unavailable': warn('A request failed because a part is unavailable.', 'code err'),
  'http.unlisted_proxy': warn(
    'A proxy missing in TRUSTED_PROXIES forwards requests. All its callers count as one.',
    'proxy',
  ),

  // Database and event log
  'database.connection_lost': warn('A database connection was lost.', 'reason'),
  'database.role_owns_tables': warn('The role of DATABASE_URL owns the tables.', 'reason'),
  'database.changed': warn('The database server or timeline changed.', 'from to'),
  'database.writing_stopped': error('The service stopped writing. Run: operator recover.', 'reason'),
  'database.sent_recently': error('This process sent these items before the loss.', 'sent'),
  'database.writing_resumed': warn('An operator accepted the loss. The service writes again.'),
  'replica.connection_lost': warn('A connection to the replica was lost.', 'reason'),
  'replica.bypassed': warn('Reads use the primary because the replica is unsuitable.', 'reason'),
  'replica.recovered': info('Reads use the replica again.'),
  'events.dead_lettered': error(
    'A subscriber could not apply an event. See: operator events list-parked.',
    'subscriber event_id event_type aggregate_id reason',
  ),
  'events.sealed': info('New events were added to the hash chain.', 'seal digest events'),

  // Signing keys
  'signing_keys.loaded': info('The signing keys changed.', 'keys'),
  'signing_keys.file_invalid': error(
    'SIGNING_KEYS_FILE is invalid. The previous keys stay in use.',
    'problems',
  ),
  'signing_keys.expiring': warn(
    'No key of this kind signs after this time. Run: operator keys create.',
    'kind signs_until',
  ),
  'signing_keys.signs_too_early': warn(
    'A new key signs before every process and cache has it. Some tokens may be rejected.',
    'kind key_id signs_from',
  ),
  'signing_keys.expired': error(
    'No payment request can be created because the signing key expires first. Run: operator keys create naspip.',
    'key_id expires_at',
  ),
};
