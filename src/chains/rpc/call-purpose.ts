import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * - `reading`: heads and contents of new blocks, and what their transfers require
 * - `confirmation`: the same blocks from the second endpoint
 * - `sending`: fees, accounts, plans and broadcasts of the service's own transactions
 * - `check`: identities and heads of endpoints, and single transactions
 */
export type CallPurpose = 'reading' | 'confirmation' | 'sending' | 'check';

const purposes = new AsyncLocalStorage<CallPurpose>();

export function withCallPurpose<T>(purpose: CallPurpose, work: () => Promise<T>): Promise<T> {
  return purposes.run(purpose, work);
}

export function currentCallPurpose(): CallPurpose {
  return purposes.getStore() ?? 'check';
}
