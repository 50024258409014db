// @ts-check
// Remembers what a wallet was asked for, so that no second press, no reload and no second tab pays again. Browsers keep what
// a frame in a shop's page stores apart from a tab's: these two do not know of each other.

const PREFIX = 'browser-wallet:';
/** A session ends within a day. */
const FORGOTTEN_AFTER = 2 * 86_400_000;

/** Where a browser stores nothing for this page. @type {Map<string, string>} */
const unstored = new Map();

/** @returns {any} */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** @param {string} session @returns {any} undefined where nothing was asked for */
export function readRecord(session) {
  try {
    const text = storage()?.getItem(PREFIX + session) ?? unstored.get(session);
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} session @param {any} record undefined forgets it */
export function writeRecord(session, record) {
  const text = JSON.stringify(record);
  if (record) unstored.set(session, text);
  else unstored.delete(session);
  try {
    if (record) storage()?.setItem(PREFIX + session, text);
    else storage()?.removeItem(PREFIX + session);
  } catch {
    // A browser that stores nothing remembers until the page is left.
  }
}

/**
 * Stores the first record of a session, under a lock of all tabs that share the storage.
 * @param {string} session @param {any} record @returns {Promise<boolean>} false where another is there
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

/** Forgets what sessions of earlier days have left. @param {number} now */
export function forgetOld(now) {
  const stored = storage();
  for (const key of Object.keys(stored ?? {})) {
    if (!key.startsWith(PREFIX)) continue;
    const session = key.slice(PREFIX.length);
    if (now - (readRecord(session)?.at ?? 0) > FORGOTTEN_AFTER) writeRecord(session, undefined);
  }
}

/** Calls back when another tab has changed the record. @param {string} session @param {() => void} changed */
export function watchRecord(session, changed) {
  window.addEventListener('storage', (event) => {
    if (/** @type {any} */ (event).key === PREFIX + session) changed();
  });
}
