import type { VNode } from 'preact';
import type { PageView } from '../page-view.js';
import { shownAsset, shownCoin } from '#shared/web/formatting/shown-amounts.js';

export function SummaryPart({ model, text, price, phase, language }: PageView): VNode {
  const { selected } = model;
  const isOpen = phase === 'choosing' || phase === 'waiting';
  const symbol = selected?.symbol ?? '';
  return (
    <section id="summary" aria-labelledby="title">
      <h1 id="title">
        <span class="label">{isOpen ? text.amountToPay : text.amount}</span>{' '}
        <span class="price">{price}</span>
      </h1>
      {selected !== undefined && (
        <p class="asset">
          <strong>{shownAsset(selected.amount, symbol)}</strong>{' '}
          <span>{text.onNetwork(selected.networkName)}</span>
        </p>
      )}
      {selected?.rate !== undefined && phase !== 'partlyPaid' && (
        <p class="note">{text.rate(symbol, shownCoin(selected.rate, model.coinCode, language))}</p>
      )}
    </section>
  );
}
