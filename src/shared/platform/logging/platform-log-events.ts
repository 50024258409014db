import { error, info, warn } from './log-event.js';

export const PLATFORM_LOG_EVENTS = {
  'api.listening': info('The API accepts connections.', 'url'),
  'api.no_trusted_proxies': warn(
    'TRUSTED_PROXIES is empty. If a proxy forwards requests to this process, list it there.',
  ),
  'worker.started': info('The worker has started.'),
  'metrics.listening': info('The metrics endpoint accepts connections.', 'url'),
  'runtime.outdated': warn(
    'The Node.js release that this process runs on has a known vulnerability.',
    'reason',
  ),
  'background.failed': error('A background loop failed. It will be retried automatically.', 'loop err'),
  'background.recovered': info('A background loop has recovered.', 'loop failures'),
  'tracing.export_failed': warn('Traces could not be exported to the collector.', 'code'),
  'tracing.export_recovered': info('The export of traces has recovered.'),
  'metrics.database_failed': warn(
    'The database metrics are missing from a scrape because the database did not answer.',
    'reason',
  ),
  'metrics.database_recovered': info('The database metrics are available again.'),

  'http.request': info('A request was served.', 'method route status ms address key_id aborted'),
  'http.request_failed': error('A request failed because of an unexpected error.', 'code err'),
  'http.request_unavailable': warn(
    'A request failed because something that it needs is unavailable.',
    'code err',
  ),
  'http.unlisted_proxy': warn(
    'A proxy that is not in TRUSTED_PROXIES forwards requests. All clients behind this proxy share one rate limit.',
    'proxy',
  ),

  'database.connection_lost': warn('A connection to the database was lost.', 'reason'),
  'database.role_owns_tables': warn(
    'The role in DATABASE_URL owns the tables, so it could rewrite the ledger. Use a role that does not own them.',
    'reason',
  ),
  'database.changed': warn('The process is now connected to another database server or timeline.', 'from to'),
  'database.writing_stopped': error(
    'The service has stopped writing because the database lost committed data. Run: operator recover.',
    'reason',
  ),
  'database.sent_recently': error(
    'The database lost committed data. This process had recently sent these webhooks and transactions.',
    'sent',
  ),
  'database.writing_resumed': warn(
    'An operator accepted the loss of committed data. The service is writing again.',
  ),
  'replica.connection_lost': warn('A connection to the replica was lost.', 'reason'),
  'replica.bypassed': warn('Reads go to the primary because the replica cannot answer them.', 'reason'),
  'replica.recovered': info('Reads go to the replica again.'),
  'events.dead_lettered': error(
    'A subscriber could not apply an event. To list all such events, run: operator events list-parked.',
    'subscriber event_id event_type aggregate_id reason',
  ),
  'events.sealed': info('New events were added to the hash chain.', 'seal digest events'),

  'signing_keys.loaded': info('The process has loaded the signing keys.', 'keys'),
  'signing_keys.file_invalid': error(
    'SIGNING_KEYS_FILE is invalid. The process keeps using the previous keys.',
    'problems',
  ),
  'signing_keys.expiring': warn(
    'After signs_until, no key of this kind can sign tokens. Run: operator keys create.',
    'kind signs_until',
  ),
  'signing_keys.signs_too_early': warn(
    'A new key starts signing before all processes and caches have loaded it. Some tokens may be rejected.',
    'kind key_id signs_from',
  ),
};
