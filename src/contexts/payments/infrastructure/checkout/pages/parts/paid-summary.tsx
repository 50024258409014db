import type { VNode } from 'preact';
import { Copyable } from '#shared/web/parts/copyable.js';
import { Fact } from '#shared/web/parts/fact.js';
import { difference, shownAsset, shownCoin } from '#shared/web/formatting/shown-amounts.js';
import { shownMoment } from '#shared/web/formatting/shown-time.js';
import type { PageSelection } from '../checkout-page-model.js';
import type { PageView } from '../page-view.js';

/** Final part of a paid request's page. The print version contains this part and the order. */
export function PaidSummary({ model, text, language, price }: PageView): VNode | null {
  const { selected, merchant, order } = model;
  if (selected === undefined) return null;
  const { symbol, receivedAmount, rate, paidAt } = selected;
  const excess = difference(receivedAmount, selected.amount);
  return (
    <div class="receipt">
      <h3>{text.receipt}</h3>
      <dl class="facts">
        <Fact name={text.paidTo}>
          <bdi>{merchant.name}</bdi>
        </Fact>
        {merchant.tax_id !== undefined && (
          <Fact name={text.taxId}>
            <bdi>{merchant.tax_id}</bdi>
          </Fact>
        )}
        {order?.description !== undefined && (
          <Fact name={text.paidFor}>
            <bdi>{order.description}</bdi>
          </Fact>
        )}
        <Fact name={text.amount} exact>
          {price}
        </Fact>
        <Fact name={text.paidWith}>
          {`${shownAsset(receivedAmount, symbol)} ${text.onNetwork(selected.networkName)}`}
        </Fact>
        {excess !== '0' && (
          <Fact name={text.tooMuch} exact>
            {shownAsset(excess, symbol)}
          </Fact>
        )}
        {rate !== undefined && (
          <Fact
            name={text.rateOfPayment}
          >{`1 ${symbol} = ${shownCoin(rate, model.coinCode, language)}`}</Fact>
        )}
        {paidAt !== undefined && (
          <Fact name={text.time}>
            <time dateTime={paidAt.toISOString()}>{shownMoment(paidAt, language)}</time>
          </Fact>
        )}
        <Copyable id="reference" label={text.reference} value={model.reference} text={text} cut />
        <TransactionHash selected={selected} text={text} />
      </dl>
      <TransactionLink selected={selected} text={text} />
      <ReceiptLink model={model} text={text} />
      <button type="button" class="button" id="print" hidden data-print>
        {text.print}
      </button>
    </div>
  );
}

/** Links to the receipt page, which remains available after the session is closed. */
export function ReceiptLink({ model, text }: Pick<PageView, 'model' | 'text'>): VNode | null {
  if (model.receiptCode === undefined) return null;
  return (
    <p class="explorer">
      <a id="receipt" href={`/receipt/${model.receiptCode}`} target="_blank" rel="noopener">
        {text.receiptPage}
      </a>
    </p>
  );
}

type TransactionProps = { readonly selected: PageSelection } & Pick<PageView, 'text'>;

export function TransactionHash({ selected, text }: TransactionProps): VNode | null {
  const { transactionHash: hash } = selected;
  if (hash === undefined) return null;
  return <Copyable id="hash" label={text.transaction} value={hash} text={text} cut />;
}

/** Links to the block explorer if the operator configured one. */
export function TransactionLink({ selected, text }: TransactionProps): VNode | null {
  const { transactionUrl: url } = selected;
  if (url === undefined) return null;
  return (
    <p class="explorer">
      <a id="explorer" href={url} target="_blank" rel="noopener noreferrer">
        {text.seeTransaction(selected.networkName)}
      </a>
    </p>
  );
}
