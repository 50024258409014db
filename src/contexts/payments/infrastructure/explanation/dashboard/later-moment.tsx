import type { VNode } from 'preact';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t, type Said } from '#shared/web/dashboard/words/text.js';
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

/** The ledger's transactions of a payment and its refunds, by their types. */
const POSTED: Readonly<Record<string, Word>> = {
  payment_in: 'Ledger: payment in',
  deposit: 'Ledger: deposit',
  refund: 'Ledger: refund',
  adjustment: 'Ledger: adjustment',
};

function nameOf({ kind, type = '', attempt, httpStatus }: LaterRecord): Said {
  switch (kind) {
    case 'transaction':
      return POSTED[type] === undefined ? t('Ledger: {type}', { type: spoken(type) }) : t(POSTED[type]);
    case 'settlement':
      return t('Settlement with this payment, in all');
    case 'refund':
      return t('Refund');
    case 'webhook': {
      const event = spoken(type);
      if (attempt === undefined) return t('Webhook {event}, waiting', { event });
      const answer = httpStatus === undefined ? '' : `, HTTP ${httpStatus}`;
      return t('Webhook {event}, attempt {attempt}{answer}', { event, attempt, answer });
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
