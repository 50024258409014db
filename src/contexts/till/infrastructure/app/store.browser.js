// @ts-check
// What the phone keeps: its credential, the settings of its point of sale, and the sale that is under way.
/* global indexedDB */

const SHELF = 'kept';

/** @type {Promise<any>} */
const opened = new Promise((resolve, reject) => {
  const opening = indexedDB.open('till', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});
// Each use says itself that it failed.
opened.catch(() => undefined);

/** @param {'readonly' | 'readwrite'} mode @param {(shelf: any) => any} act @returns {Promise<any>} once it is on the disk */
async function transact(mode, act) {
  const transaction = (await opened).transaction(SHELF, mode, { durability: 'strict' });
  const request = act(transaction.objectStore(SHELF));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** @param {string} key */
export const kept = (key) => transact('readonly', (shelf) => shelf.get(key));

/** @param {string} key @param {any} value */
export const keep = (key, value) => transact('readwrite', (shelf) => shelf.put(value, key));

/** @param {string} key */
export const drop = (key) => transact('readwrite', (shelf) => shelf.delete(key));
