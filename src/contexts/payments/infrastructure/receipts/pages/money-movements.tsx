import type { VNode } from 'preact';
import { Copyable, NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import { formatUngroupedAmount } from '#shared/web/formatting/shown-amounts.js';
import { formatDateTime } from '#shared/web/formatting/shown-time.js';
import type { ReceiptTransaction } from '#contexts/payments/application/receipts/receipt.js';
import type { ReceiptPageProps } from './receipt-messages.js';

export function MoneyMovements({ receipt, language, text }: ReceiptPageProps): VNode {
  const { transactions, other_transactions: others, refunds } = receipt;
  const shown = (list: readonly ReceiptTransaction[], name: string) =>
    list.map((transaction, index) => (
      <Movement
        id={`${name}${index}`}
        amount={formatUngroupedAmount(transaction.amount, transaction.symbol, language)}
        hash={transaction.transaction_hash}
        href={transaction.explorer_url}
        network={transaction.network_name}
        notes={[
          text.block(
            String(transaction.block_number),
            formatDateTime(new Date(transaction.arrived_at ?? transaction.block_time), language),
          ),
          ...(transaction.transaction_hash === undefined ? [text.unknownTransaction] : []),
        ]}
        warning={
          transaction.reversed_at &&
          text.reversedOn(formatDateTime(new Date(transaction.reversed_at), language))
        }
        text={text}
      />
    ));
  return (
    <>
      <h3>{text.transactions}</h3>
      <ul class="movements">{shown(transactions, 'transaction')}</ul>
      {others.length > 0 && (
        <>
          <h3>{text.others}</h3>
          <p class="note">{text.othersNote}</p>
          <ul class="movements">{shown(others, 'other')}</ul>
        </>
      )}
      {refunds.length > 0 && (
        <>
          <h3>{text.refunds}</h3>
          <ul class="movements">
            {refunds.map((refund, index) => (
              <Movement
                id={`refund${index}`}
                amount={formatUngroupedAmount(refund.amount, refund.symbol, language)}
                hash={refund.transaction_hash}
                href={refund.explorer_url}
                network={refund.network_name}
                notes={[refund.status === 'paid' ? text.refunded : text.refundOnItsWay]}
                text={text}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface MovementProps {
  readonly id: string;
  readonly amount: string;
  readonly hash: string | undefined;
  readonly href: string | undefined;
  readonly network: string;
  readonly notes: readonly string[];
  readonly warning?: string | undefined;
  readonly text: ReceiptPageProps['text'];
}

function Movement({ id, amount, hash, href, network, notes, warning, text }: MovementProps): VNode {
  return (
    <li>
      <p>
        <strong {...NOT_TRANSLATED}>{amount}</strong> <span class="note">{notes.join(' ')}</span>
      </p>
      {warning !== undefined && <p class="warning">{warning}</p>}
      {hash !== undefined && (
        <dl>
          <Copyable id={id} label={text.transaction} value={hash} text={text} />
        </dl>
      )}
      {href !== undefined && (
        <a href={href} rel="noopener noreferrer" class="on-screen">
          {text.seeTransaction(network)}
        </a>
      )}
    </li>
  );
}
