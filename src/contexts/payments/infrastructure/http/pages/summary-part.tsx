import type { VNode } from 'preact';
import type { PageView } from './page-view.js';
import { isPayable } from './phase.js';
import { shownAsset, shownPrice } from './shown-amounts.js';

/** How much, in both units. */
export function SummaryPart({ model, text, price, phase, language }: PageView): VNode {
  const { selected } = model;
  const symbol = selected?.symbol ?? '';
  return (
    <section id="summary" aria-labelledby="title">
      <h1 id="title">
        <span class="label">{isPayable(phase) ? text.amountToPay : text.amount}</span>{' '}
        <span class="price">{price}</span>
      </h1>
      {selected !== undefined && (
        <p class="asset">
          <strong>{shownAsset(selected.amount, symbol)}</strong>{' '}
          <span>{text.onNetwork(selected.networkName)}</span>
        </p>
      )}
      {selected?.price !== undefined && (
        <p class="note">{text.rate(symbol, shownPrice(selected.price, model.coinCode, language))}</p>
      )}
    </section>
  );
}
