import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { OnChain, StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { LaterRecord } from '#contexts/payments/contract/later-records.js';

const TONES: Record<string, Tone> = { completed: 'good', delivered: 'good', failed: 'bad' };

/** A record of another context about a payment, with a link to it. */
export function LaterMoment({
  record,
  explorer,
}: {
  record: LaterRecord;
  explorer: string | undefined;
}): VNode {
  const { status, transactionHash, error } = record;
  return (
    <>
      <a href={hrefOf(record)}>{nameOf(record)}</a> {amountOf(record)}{' '}
      <StateMark tone={TONES[status] ?? 'care'}>{status}</StateMark>
      {error !== undefined && <div class="note">{error}</div>}
      {transactionHash !== undefined && (
        <div>
          <OnChain kind="tx" value={transactionHash} explorer={explorer} />
        </div>
      )}
    </>
  );
}

function nameOf({ kind, type = '', attempt, httpStatus }: LaterRecord): string {
  switch (kind) {
    case 'transaction':
      return `Ledger: ${spoken(type)}`;
    case 'settlement':
      return 'Settlement with this payment, in all';
    case 'refund':
      return 'Refund';
    case 'webhook': {
      const tried = attempt === undefined ? 'waiting' : `attempt ${attempt}`;
      return `Webhook ${spoken(type)}, ${tried}${httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}`;
    }
  }
}

function amountOf({ amount, currency, decimals }: LaterRecord): string {
  if (amount === undefined || currency === undefined || decimals === undefined) return '';
  return shownAsset(formatAmount(amount, decimals), currency);
}

function hrefOf({ kind, id, transactionHash }: LaterRecord): string {
  switch (kind) {
    case 'transaction':
      return '/app/transactions';
    case 'settlement':
      return `/app/settlements?transaction=${transactionHash}`;
    case 'refund':
      return `/app/refunds/${id}`;
    case 'webhook':
      return `/app/webhooks/${id}`;
  }
}

function spoken(word: string): string {
  return word.replaceAll('_', ' ');
}
