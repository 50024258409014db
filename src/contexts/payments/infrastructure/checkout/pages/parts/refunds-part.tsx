import type { VNode } from 'preact';
import { Copyable } from '#shared/web/parts/copyable.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { PageView } from '../page-view.js';

/** What the merchant has paid back, and by which transactions. */
export function RefundsPart({ model, text }: PageView): VNode | null {
  if (model.refunds === undefined || model.refunds.length === 0) return null;
  return (
    <dl class="facts">
      {model.refunds.map(({ amount, symbol, arrived, transactionHash }, i) => (
        <>
          <div class="fact">
            <dt>{arrived ? text.refunded : text.refundOnItsWay}</dt>
            <dd>{shownAsset(amount, symbol)}</dd>
          </div>
          {transactionHash !== undefined && (
            <Copyable id={`refund${i}`} label={text.transaction} value={transactionHash} text={text} cut />
          )}
        </>
      ))}
    </dl>
  );
}
