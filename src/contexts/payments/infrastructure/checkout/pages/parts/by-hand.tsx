import type { VNode } from 'preact';
import type { PageSelection } from '../checkout-page-model.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import type { PageView } from '../page-view.js';
import { isolated } from '#shared/web/formatting/plain-text.js';
import { TransferQr } from './payment-qr.js';

/**
 * Serves wallets that do not know the token. It is open until the browser script closes it, so that it stays readable
 * without JavaScript, over every refresh.
 */
export function ByHand(view: PageView & { selected: PageSelection }): VNode {
  const { text, selected } = view;
  const uri = selected.transferUri;
  return (
    <details id="by-hand" open data-fold={true}>
      <summary>{text.byHand}</summary>
      <p class="note">{text.byHandNote}</p>
      <TransferQr {...view} />
      <p class="warning">{text.onlyThis(isolated(selected.symbol), isolated(selected.networkName))}</p>
      <p class="note">{text.exactly}</p>
      <dl class="facts">
        <div class="fact">
          <dt>{text.network}</dt>
          <dd>{selected.networkName}</dd>
        </div>
        <div class="fact">
          <dt>{text.asset}</dt>
          <dd>{`${selected.assetName} (${selected.symbol})`}</dd>
        </div>
        <Copyable
          id="amount"
          label={text.amount}
          value={selected.missingAmount}
          unit={selected.symbol}
          text={text}
        />
        <Copyable id="address" label={text.address} value={selected.address} text={text} />
        {uri !== undefined && <Copyable id="uri" label={text.paymentLink} value={uri} text={text} cut />}
      </dl>
      {uri !== undefined && (
        <p>
          <a class="button" id="open-uri" href={uri}>
            {text.openAnyWallet}
          </a>
        </p>
      )}
    </details>
  );
}
