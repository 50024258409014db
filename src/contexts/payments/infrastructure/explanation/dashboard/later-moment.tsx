import type { VNode } from 'preact';
import { Badge, isStatus } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/money.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import type { LaterRecord } from '#contexts/payments/contract/later-records.js';

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
      <div>
        <a href={hrefOf(record)}>{nameOf(record)}</a> <MovedAmount record={record} />{' '}
        {isStatus(status) ? <Badge status={status} /> : status}
      </div>
      {error !== undefined && <div class="note">{error}</div>}
      {transactionHash !== undefined && (
        <div>
          <ShortId kind="tx" value={transactionHash} explorer={explorer} />
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

function MovedAmount({ record: { amount, currency, decimals } }: { record: LaterRecord }): VNode | null {
  if (amount === undefined || currency === undefined || decimals === undefined) return null;
  return <Money amount={amount} decimals={decimals} symbol={currency} />;
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
