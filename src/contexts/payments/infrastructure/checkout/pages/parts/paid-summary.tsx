import type { VNode } from 'preact';
import { Copyable, DetailItem } from '#shared/web/parts/detail-item.js';
import {
  subtractDecimals,
  formatUngroupedAmount,
  formatCoinAmount,
} from '#shared/web/formatting/shown-amounts.js';
import { formatRoundedDuration, formatDateTime } from '#shared/web/formatting/shown-time.js';
import type { PageSelectedAsset } from '../checkout-page-model.js';
import type { CheckoutPageProps } from '../checkout-page-props.js';
import { waitsForBlock } from '../checkout-phase.js';

/** The print version contains this part and the order. */
export function PaidSummary({ model, text, language, price }: CheckoutPageProps): VNode | null {
  const { selected, merchant, order } = model;
  if (selected === undefined) return null;
  const { symbol, receivedAmount, rate, paidAt } = selected;
  const excess = subtractDecimals(receivedAmount, selected.amount);
  return (
    <div class="receipt">
      <h3>{text.receipt}</h3>
      <dl class="facts">
        <DetailItem name={text.paidTo}>
          <bdi>{merchant.name}</bdi>
        </DetailItem>
        <DetailItem name={text.taxId}>
          {merchant.tax_id !== undefined && <bdi>{merchant.tax_id}</bdi>}
        </DetailItem>
        <DetailItem name={text.paidFor}>
          {order?.description !== undefined && <bdi>{order.description}</bdi>}
        </DetailItem>
        <DetailItem name={text.amount} exact>
          {price}
        </DetailItem>
        <DetailItem name={text.paidWith}>
          {`${formatUngroupedAmount(receivedAmount, symbol, language)} ${text.onNetwork(selected.networkName)}`}
        </DetailItem>
        <DetailItem name={text.tooMuch} exact>
          {excess !== '0' && formatUngroupedAmount(excess, symbol, language)}
        </DetailItem>
        <DetailItem name={text.rateOfPayment}>
          {rate !== undefined && `1 ${symbol} = ${formatCoinAmount(rate, model.coinCode, language)}`}
        </DetailItem>
        <DetailItem name={text.time}>
          {paidAt !== undefined && (
            <time dateTime={paidAt.toISOString()}>{formatDateTime(paidAt, language)}</time>
          )}
        </DetailItem>
        <Copyable id="reference" label={text.reference} value={model.reference} text={text} />
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

export function ReceiptLink({ model, text }: Pick<CheckoutPageProps, 'model' | 'text'>): VNode | null {
  if (model.receiptCode === undefined) return null;
  return (
    <p class="explorer">
      <a id="receipt" href={`/receipt/${model.receiptCode}`} target="_blank" rel="noopener">
        {text.receiptPage}
      </a>
    </p>
  );
}

type TransactionProps = { readonly selected: PageSelectedAsset } & Pick<CheckoutPageProps, 'text'>;

function TransactionHash({ selected, text }: TransactionProps): VNode | null {
  const { transactionHash: hash } = selected;
  if (hash === undefined) return null;
  return <Copyable id="hash" label={text.transaction} value={hash} text={text} cut />;
}

function TransactionLink({ selected, text }: TransactionProps): VNode | null {
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

export function ReceivedSoFar(view: CheckoutPageProps): VNode | null {
  const { model, phase, text, language } = view;
  const { selected } = model;
  if (selected === undefined || selected.receivedAmount === '0') return null;
  const excess = subtractDecimals(selected.receivedAmount, selected.amount);
  return (
    <>
      {phase === 'confirming' && <PaymentSteps {...view} selected={selected} />}
      {phase === 'closed' && <Confirmations {...view} selected={selected} />}
      <dl class="facts">
        <AmountFact
          label={text.received}
          value={formatUngroupedAmount(selected.receivedAmount, selected.symbol, language)}
        />
        {selected.missingUnits > 0n && (
          <AmountFact
            label={text.missing}
            value={formatUngroupedAmount(selected.missingAmount, selected.symbol, language)}
            strong
          />
        )}
        {excess !== '0' && (
          <AmountFact label={text.tooMuch} value={formatUngroupedAmount(excess, selected.symbol, language)} />
        )}
        {phase !== 'partlyPaid' && <TransactionHash selected={selected} text={text} />}
      </dl>
      <TransactionLink selected={selected} text={text} />
    </>
  );
}

function AmountFact({ label, value, strong }: { label: string; value: string; strong?: boolean }): VNode {
  return (
    <div class={strong === true ? 'fact strong' : 'fact'}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function PaymentSteps(view: CheckoutPageProps & { selected: PageSelectedAsset }): VNode {
  const { text, phase, model } = view;
  return (
    <ol class="steps">
      <li class="done">{text.seen}</li>
      <li aria-current="step">
        {waitsForBlock(phase, model) ? text.waitingForBlock : text.beingConfirmed}
        <Confirmations {...view} />
      </li>
      <li>{text.paid}</li>
    </ol>
  );
}

function Confirmations({
  selected,
  text,
  language,
}: CheckoutPageProps & { selected: PageSelectedAsset }): VNode {
  const { confirmations, requiredConfirmations: needed, confirmationSeconds } = selected;
  const done = Math.min(confirmations, needed);
  const wait = needed > 0 ? (confirmationSeconds * (needed - done)) / needed : 0;
  const shown = text.confirmations(done, needed);
  return (
    <div class="confirmations">
      <p>
        <span>{shown}</span>
        {wait > 0 && <span>{text.expectedWait(text.about(formatRoundedDuration(wait, language)))}</span>}
      </p>
      <progress value={done} max={Math.max(1, needed)} aria-label={shown} />
    </div>
  );
}
