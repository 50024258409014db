// Storage of the phone: its credential, the settings of its point of sale, and the current sale.
import type { Pairing, Shop, StoredSales } from './app-state.browser.js';

interface Stored {
  pairing: Pairing;
  shop: Shop;
  sales: StoredSales;
  muted: true;
}

const SHELF = 'kept';

const opened = new Promise<IDBDatabase>((resolve, reject) => {
  const opening = indexedDB.open('till', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SHELF);
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});
// Every transaction reports the failure itself.
opened.catch(() => undefined);

async function transact<Result>(
  mode: IDBTransactionMode,
  act: (shelf: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const transaction = (await opened).transaction(SHELF, mode, { durability: 'strict' });
  const request = act(transaction.objectStore(SHELF));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

export const readStored = <Key extends keyof Stored>(key: Key) =>
  transact<Stored[Key] | undefined>('readonly', (shelf) => shelf.get(key));

export const writeStored = <Key extends keyof Stored>(key: Key, value: Stored[Key]) =>
  transact('readwrite', (shelf) => shelf.put(value, key));

export const deleteStored = (key: keyof Stored) => transact('readwrite', (shelf) => shelf.delete(key));
