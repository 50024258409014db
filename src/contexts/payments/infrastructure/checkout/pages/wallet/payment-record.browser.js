// @ts-check
// Remembers requests to a wallet, so that a second press, a reload or a second tab does not pay again. Browsers separate the storage of a
// frame in a shop's page from that of a tab, so these two share no record.

const RECORD_KEY_PREFIX = 'browser-wallet:';
/** Milliseconds after which a record is removed. A session ends within a day. */
const RECORD_LIFETIME_MS = 2 * 86_400_000;

/** Records in memory, used if the browser stores nothing for this page. */
const recordsInMemory = new Map();

/** @returns {any} */
function openStorage() {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** @param {string} session @returns {any} undefined if there is no record */
export function readRecord(session) {
  try {
    const text = openStorage()?.getItem(RECORD_KEY_PREFIX + session) ?? recordsInMemory.get(session);
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} session @param {any} record undefined removes the record */
export function writeRecord(session, record) {
  const text = JSON.stringify(record);
  if (record) recordsInMemory.set(session, text);
  else recordsInMemory.delete(session);
  try {
    if (record) openStorage()?.setItem(RECORD_KEY_PREFIX + session, text);
    else openStorage()?.removeItem(RECORD_KEY_PREFIX + session);
  } catch {
    // Without storage, the record lasts until the page is closed.
  }
}

/**
 * Stores the first record of a session, under a lock of all tabs with the same storage.
 * @param {string} session
 * @param {any} record
 * @returns {Promise<boolean>} false if a record exists
 */
export async function beginRecord(session, record) {
  const begin = () => {
    if (readRecord(session)) return false;
    writeRecord(session, record);
    return true;
  };
  const locks = /** @type {any} */ (navigator).locks;
  return locks ? locks.request(RECORD_KEY_PREFIX + session, begin) : begin();
}

/** Removes records of sessions from earlier days. */
export function forgetOldRecords(now) {
  const stored = openStorage();
  for (const key of Object.keys(stored ?? {})) {
    if (!key.startsWith(RECORD_KEY_PREFIX)) continue;
    const session = key.slice(RECORD_KEY_PREFIX.length);
    if (now - (readRecord(session)?.at ?? 0) > RECORD_LIFETIME_MS) writeRecord(session, undefined);
  }
}

/** Calls `changed` when another tab changes the record. */
export function watchRecord(session, changed) {
  window.addEventListener('storage', (event) => {
    if (/** @type {any} */ (event).key === RECORD_KEY_PREFIX + session) changed();
  });
}
