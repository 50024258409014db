import type { VNode } from 'preact';
import { Copyable, NOT_TRANSLATED, DetailItem } from '#shared/web/parts/detail-item.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import {
  CARD_STYLES,
  COPY_SCRIPT,
  inlineAsset,
  type PageAssets,
  type PageBranding,
} from '#shared/web/document/inline-asset.js';
import { stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import {
  subtractDecimals,
  formatUngroupedAmount,
  formatCoinAmount,
} from '#shared/web/formatting/shown-amounts.js';
import { formatDateTime } from '#shared/web/formatting/shown-time.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import { PAYER_PAGE_MESSAGES } from '../../checkout/pages/checkout-page-props.js';
import { OrderPart } from '../../checkout/pages/parts/order-part.js';
import { MoneyMovements } from './money-movements.js';
import { RECEIPT_MESSAGES, type ReceiptPageProps } from './receipt-messages.js';

export const RECEIPT_PAGE_ASSETS = {
  style: inlineAsset(
    ...CARD_STYLES,
    new URL('../../checkout/pages/checkout.browser.css', import.meta.url),
    new URL('./receipt.browser.css', import.meta.url),
  ),
  script: inlineAsset(new URL('./receipt.browser.js', import.meta.url), COPY_SCRIPT),
} satisfies PageAssets;

export interface ReceiptPageModel {
  readonly receipt: Receipt;
  readonly branding?: PageBranding | undefined;
  /** A development network uses test assets. */
  readonly sandbox: boolean;
}

export function renderReceiptPage(model: ReceiptPageModel, language: PageLanguage): string {
  const text = { ...PAYER_PAGE_MESSAGES[language], ...RECEIPT_MESSAGES[language] };
  return htmlDocument(
    <ReceiptPage
      {...model}
      receipt={stripDirectionControls(model.receipt)}
      language={language}
      text={text}
    />,
  );
}

function ReceiptPage({
  receipt,
  branding,
  sandbox,
  language,
  text,
}: ReceiptPageModel & ReceiptPageProps): VNode {
  const { merchant, price, status, order } = receipt;
  const view = { receipt, language, text };
  const shownOrder = order && { merchant: { name: merchant.name }, order };
  return (
    <PayerPage
      language={language}
      title={text.receiptOf(merchant.name)}
      assets={RECEIPT_PAGE_ASSETS}
      merchant={merchant.name}
      branding={branding}
      sandbox={sandbox}
    >
      <main>
        <section aria-labelledby="title">
          <h1 id="title">
            <span class="label">{text.receipt}</span>{' '}
            <span class="price" {...NOT_TRANSLATED}>
              {formatCoinAmount(price.amount, price.coin_code, language)}
            </span>
          </h1>
          <p class={`standing ${status}`}>
            <strong>{text.status[status]}</strong> {text.statusNote[status]}
          </p>
        </section>
        <section class="work" aria-labelledby="facts-title">
          <h2 id="facts-title" class="unseen">
            {text.receipt}
          </h2>
          <ReceiptFacts {...view} />
          <MoneyMovements {...view} />
        </section>
        {shownOrder && (
          <OrderPart
            model={{ ...shownOrder, amount: price.amount, coinCode: price.coin_code, options: [], sandbox }}
            language={language}
            text={text}
          />
        )}
        <section class="ways" aria-label={text.signed}>
          <button type="button" class="button" hidden data-print>
            {text.print}
          </button>
          <a class="button" href={`${new URL(receipt.url).pathname}/document`} download>
            {text.signed}
          </a>
          <p class="note">{text.signedNote}</p>
        </section>
      </main>
      <footer>
        <p>{text.statedAt(formatDateTime(new Date(receipt.stated_at), language))}</p>
        <p class="on-paper">{receipt.url}</p>
        {sandbox && <p>{text.sandboxNote}</p>}
      </footer>
    </PayerPage>
  );
}

function ReceiptFacts({ receipt, language, text }: ReceiptPageProps): VNode {
  const { merchant, order, received, rate, price } = receipt;
  const { symbol, amount, asked_amount: asked } = received;
  const [excess, missing] = [subtractDecimals(amount, asked), subtractDecimals(asked, amount)];
  const shownRate = rate && `1 ${symbol} = ${formatCoinAmount(rate.price, price.coin_code, language)}`;
  return (
    <dl class="facts">
      <DetailItem name={text.paidTo}>
        <bdi>{merchant.name}</bdi>
      </DetailItem>
      <DetailItem name={text.taxId}>
        {merchant.tax_id !== undefined && <bdi>{merchant.tax_id}</bdi>}
      </DetailItem>
      <DetailItem name={text.postalAddress}>
        {merchant.postal_address !== undefined && <bdi class="lines">{merchant.postal_address}</bdi>}
      </DetailItem>
      <DetailItem name={text.paidFor}>
        {order?.description !== undefined && <bdi>{order.description}</bdi>}
      </DetailItem>
      <DetailItem name={text.asked} exact>
        {rate === undefined
          ? formatUngroupedAmount(asked, symbol, language)
          : `${formatCoinAmount(price.amount, price.coin_code, language)} = ${formatUngroupedAmount(asked, symbol, language)}`}
      </DetailItem>
      <DetailItem name={text.received}>
        <strong {...NOT_TRANSLATED}>{formatUngroupedAmount(amount, symbol, language)}</strong>{' '}
        {text.onNetwork(received.network_name)}
      </DetailItem>
      <DetailItem name={text.tooMuch} exact>
        {excess !== '0' && formatUngroupedAmount(excess, symbol, language)}
      </DetailItem>
      <DetailItem name={text.missing} exact>
        {missing !== '0' && formatUngroupedAmount(missing, symbol, language)}
      </DetailItem>
      <DetailItem name={text.reversed} exact>
        {receipt.reversed_amount !== undefined &&
          formatUngroupedAmount(receipt.reversed_amount, symbol, language)}
      </DetailItem>
      <DetailItem name={text.refunded} exact>
        {receipt.refunded_amount !== undefined &&
          formatUngroupedAmount(receipt.refunded_amount, symbol, language)}
      </DetailItem>
      {rate !== undefined && (
        <DetailItem name={text.rateOfPayment}>
          {shownRate}{' '}
          <span class="note">
            ({text.rateNote(rate.sources.join(', '), formatDateTime(new Date(rate.at), language))})
          </span>
        </DetailItem>
      )}
      <DetailItem name={text.time}>
        <time dateTime={receipt.issued_at}>{formatDateTime(new Date(receipt.issued_at), language)}</time>
      </DetailItem>
      <Copyable id="reference" label={text.reference} value={receipt.payment_request_id} text={text} />
    </dl>
  );
}
