import { expect } from '@jest/globals';
import { addMonths, periodOf, type Period } from '../domain/periods/period.js';
import { STATEMENT_AMOUNT_NAMES } from '../infrastructure/persistence/journal-parts.sql.js';
import type { PublishedSourceEvent } from '../infrastructure/subscribers/source-event-types.js';
import { confirmedPayment } from './movements.js';
import { openBooks, type FileRecord } from './open-books.js';
import { openLedger, type TestLedger } from './open-ledger.js';
import type { Owner } from './source-events.js';

export const FEE_BASIS_POINTS = 100;

export type OpenMonth = Awaited<ReturnType<typeof openMonth>>;

/** Opens a ledger whose previous month has ended and can be closed. */
export async function openMonth(batch?: number) {
  const ledger = await openLedger();
  const books = openBooks(ledger, batch);
  const next = periodOf(await ledger.clock.now());
  const month = addMonths(next, -1);
  const inMonth = (day: string) => new Date(`${month}-${day}T12:00:00.000Z`);
  return {
    ledger,
    books,
    month,
    next,
    inMonth,
    paid: (owner: Owner, receivedAmount: bigint, day = '10') =>
      confirmedPayment({
        ...owner,
        receivedAmount,
        feeBasisPoints: FEE_BASIS_POINTS,
        occurredAt: inMonth(day),
      }),
    async post(...movements: Parameters<TestLedger['post']>[0]) {
      await ledger.happen(movements);
      await ledger.post(movements);
    },
    /** Publishes and books the events. Default of `occurredAt`: now. */
    async follow(events: readonly PublishedSourceEvent[], occurredAt?: Date) {
      await ledger.publish(events);
      await ledger.follow(occurredAt ? events.map((event) => ({ ...event, occurredAt })) : events);
    },
    shown: async (owner: Owner, period: Period) =>
      Object.fromEntries(
        (await books.statements(owner, period)).map((row) => [
          row.currency,
          STATEMENT_AMOUNT_NAMES.map((name) => Number(row[name])),
        ]),
      ),
    close: async (brokenOnPurpose?: 'any') => {
      try {
        expect(await ledger.breaches()).toEqual({});
      } finally {
        await ledger.close(brokenOnPurpose);
      }
    },
  };
}

/** Returns the amount of a journal line in whole units. Debits are positive. */
export function signedAmount({ debit, credit }: FileRecord): number {
  return Number(debit ?? 0) - Number(credit ?? 0);
}

/** Returns the change in the funds held according to the journal file, in smallest units. */
export function heldFundsChange(file: readonly FileRecord[], asset: string): number {
  return -file
    .filter(
      (line) =>
        line.unique_asset_id === asset &&
        ['merchant_payable', 'delivered', 'gas_spent'].includes(line.ledger_account!),
    )
    .reduce((sum, line) => sum + Math.round(signedAmount(line) * 1e6), 0);
}

export const depositPlaceOf = ({ paymentRequestId, to }: { paymentRequestId: string; to: string }) => ({
  paymentRequestId,
  address: to,
});
