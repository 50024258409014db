import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { LANGUAGE, t, type Said } from '#shared/web/dashboard/words/text.js';
import { Badge, isStatus } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/money.js';
import { roundedDuration } from '#shared/web/formatting/shown-time.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { READER } from '#shared/web/parts/when.js';
import type { LaterRecord } from '#contexts/payments/contract/later-records.js';

/** Another context's record about a payment, with a link to it. */
export function LaterMoment({
  record,
  explorer,
}: {
  record: LaterRecord;
  explorer: string | undefined;
}): VNode {
  const { status, transactionHash } = record;
  return (
    <>
      <div>
        <a href={hrefOf(record)}>{nameOf(record)}</a> <MovedAmount record={record} />{' '}
        {record.kind === 'webhook' ? (
          <NextAttempt at={record.nextAttemptAt} />
        ) : isStatus(status) ? (
          <Badge status={status} />
        ) : (
          status
        )}
      </div>
      {transactionHash !== undefined && (
        <div>
          <ShortId kind="tx" value={transactionHash} explorer={explorer} />
        </div>
      )}
    </>
  );
}

/** Types of ledger transactions of a payment and its refunds. */
const POSTED: Readonly<Record<string, Word>> = {
  payment_in: 'Ledger: incoming payment',
  deposit: 'Ledger: deposit',
  refund: 'Ledger: refund',
  adjustment: 'Ledger: adjustment',
};

function nameOf({ kind, type = '', status, attempt, httpStatus, error = '' }: LaterRecord): Said {
  switch (kind) {
    case 'transaction':
      return POSTED[type] === undefined ? t('Ledger: {type}', { type: spoken(type) }) : t(POSTED[type]);
    case 'settlement':
      return t('Settlement (total)');
    case 'refund':
      return t('Refund');
    case 'webhook': {
      if (attempt === undefined) return t('Webhook delivery pending');
      if (status === 'delivered') return t('Webhook delivered, attempt {attempt}', { attempt });
      const reason = error === 'http_status' ? `HTTP ${httpStatus}` : spoken(error);
      return t('Webhook delivery failed ({reason}), attempt {attempt}', { reason, attempt });
    }
  }
}

/** Counts down to the next attempt; a later attempt has its own line. */
function NextAttempt({ at }: { at: Date | undefined }): VNode | null {
  const { now } = useContext(READER);
  const language = useContext(LANGUAGE);
  if (at === undefined || now === undefined || at <= now) return null;
  const seconds = (at.getTime() - now.getTime()) / 1000;
  return (
    <span class="note">{t('next attempt in {time}', { time: roundedDuration(seconds, language) })}</span>
  );
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
