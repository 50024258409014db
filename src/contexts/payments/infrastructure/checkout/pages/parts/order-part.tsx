import type { VNode } from 'preact';
import type { OrderItem } from '#contexts/payments/domain/requests/order.js';
import type { PaymentPageModel } from '../checkout-page-model.js';
import type { PayerPageMessages, CheckoutPageProps } from '../checkout-page-props.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { formatUngroupedAmount, formatCoinAmount } from '#shared/web/formatting/shown-amounts.js';

interface OrderPartProps {
  readonly model: PaymentPageModel;
  readonly language: PageLanguage;
  readonly text: PayerPageMessages;
}

/** Placed after the QR code, because the order may be long. */
export function OrderPart({ model, language, text }: OrderPartProps): VNode {
  const { order } = model;
  const { description, tax_id: taxId } = model.merchant;
  if (order === undefined && description === undefined && taxId === undefined)
    return <section id="order" hidden />;
  return (
    <section id="order" aria-labelledby="order-title">
      <h2 id="order-title" dir="auto">
        {order === undefined ? model.merchant.name : text.order}
      </h2>
      {order?.description !== undefined && <p dir="auto">{order.description}</p>}
      {order?.items !== undefined && order.items.length > 0 && (
        <OrderItems items={order.items} language={language} />
      )}
      {order !== undefined && (
        <p class="total">
          <span>{text.total}</span> <b>{formatCoinAmount(order.total, order.coin_code, language)}</b>
        </p>
      )}
      {description !== undefined && (
        <p class="note" dir="auto">
          {description}
        </p>
      )}
      {taxId !== undefined && (
        <p class="note">
          {text.taxId}: <bdi>{taxId}</bdi>
        </p>
      )}
    </section>
  );
}

export function OrderItems(props: { items: readonly OrderItem[]; language: PageLanguage }): VNode {
  return (
    <ul class="items">
      {props.items.map((item) => (
        <OrderItemRow item={item} language={props.language} />
      ))}
    </ul>
  );
}

function OrderItemRow({ item, language }: { item: OrderItem; language: PageLanguage }): VNode {
  const { quantity, unit_price: unitPrice, coin_code: coin } = item;
  return (
    <li>
      <span>
        <bdi>{item.description}</bdi>
        {quantity > 1 && (
          <span class="note">
            {' '}
            {quantity} ×{unitPrice !== undefined && ` ${formatCoinAmount(unitPrice, coin, language)}`}
          </span>
        )}
      </span>{' '}
      <span class="amount">{formatCoinAmount(item.amount, coin, language)}</span>
    </li>
  );
}

export function SummaryPart({ model, text, price, phase, language }: CheckoutPageProps): VNode {
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
          <strong>{formatUngroupedAmount(selected.amount, symbol, language)}</strong>{' '}
          <span>{text.onNetwork(selected.networkName)}</span>
        </p>
      )}
      {selected?.rate !== undefined && phase !== 'partlyPaid' && (
        <p class="note">{text.rate(symbol, formatCoinAmount(selected.rate, model.coinCode, language))}</p>
      )}
    </section>
  );
}
