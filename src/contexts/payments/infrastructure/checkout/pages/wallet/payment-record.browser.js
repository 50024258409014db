// @ts-check
// Remembers requests to a wallet, so that a second press, a reload or a second tab does not pay again. Browsers separate the storage of a
// frame in a shop's page from that of a tab, so these two share no record.

const PREFIX = 'browser-wallet:';
/** Milliseconds after which a record is removed. A session ends within a day. */
const FORGOTTEN_AFTER = 2 * 86_400_000;

/** Records in memory, used if the browser stores nothing for this page. */
const unstored = new Map();

/** @returns {any} */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} session
 * @returns {any} undefined if there is no record
 */
export function readRecord(session) {
  try {
    const text = storage()?.getItem(PREFIX + session) ?? unstored.get(session);
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} session
 * @param {any} record undefined removes the record
 */
export function writeRecord(session, record) {
  const text = JSON.stringify(record);
  if (record) unstored.set(session, text);
  else unstored.delete(session);
  try {
    if (record) storage()?.setItem(PREFIX + session, text);
    else storage()?.removeItem(PREFIX + session);
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
  return locks ? locks.request(PREFIX + session, begin) : begin();
}

/** Removes records of sessions from earlier days. */
export function forgetOld(now) {
  const stored = storage();
  for (const key of Object.keys(stored ?? {})) {
    if (!key.startsWith(PREFIX)) continue;
    const session = key.slice(PREFIX.length);
    if (now - (readRecord(session)?.at ?? 0) > FORGOTTEN_AFTER) writeRecord(session, undefined);
  }
}

/** Calls `changed` when another tab changes the record. */
export function watchRecord(session, changed) {
  window.addEventListener('storage', (event) => {
    if (/** @type {any} */ (event).key === PREFIX + session) changed();
  });
}
