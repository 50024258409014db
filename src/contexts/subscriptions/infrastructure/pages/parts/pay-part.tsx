import type { VNode } from 'preact';
import { Fact } from '#shared/web/parts/fact.js';
import type { PartProps } from '../page-words.js';
import { pathOf } from '../subscription-page-model.js';

export function PayPart({ model, words: { text, price, date, moment } }: PartProps): VNode | null {
  const { toPay } = model;
  if (toPay === undefined) return null;
  return (
    <div class="pay">
      <h3>{text.toPay}</h3>
      <dl class="facts">
        <Fact name={text.due}>{date(toPay.dueAt)}</Fact>
        <Fact name={text.payableUntil}>{moment(toPay.until)}</Fact>
      </dl>
      {toPay.refused && (
        <p class="warning" role="alert">
          {text.refused}
        </p>
      )}
      <form method="post" action={pathOf(model, '/pay')}>
        <button class="button primary">{text.payNow(price)}</button>
      </form>
    </div>
  );
}
