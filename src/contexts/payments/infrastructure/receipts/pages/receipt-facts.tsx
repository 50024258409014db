import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { difference, shownAsset, shownCoin } from '#shared/web/formatting/shown-amounts.js';
import { shownMoment } from '#shared/web/formatting/shown-time.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { Fact } from '#shared/web/parts/fact.js';
import { shownFee } from '../../checkout/pages/page-view.js';
import type { ReceiptView } from './receipt-messages.js';

export function ReceiptFacts({ receipt, language, text }: ReceiptView): VNode {
  const { merchant, order, received, rate, price, network_fee: fee } = receipt;
  const { symbol, amount, asked_amount: asked } = received;
  const [excess, missing] = [difference(amount, asked), difference(asked, amount)];
  const shownRate = rate && `1 ${symbol} = ${shownCoin(rate.price, price.coin_code, language)}`;
  return (
    <dl class="facts">
      <Fact name={text.paidTo}>
        <bdi>{merchant.name}</bdi>
      </Fact>
      {merchant.tax_id !== undefined && (
        <Fact name={text.taxId}>
          <bdi>{merchant.tax_id}</bdi>
        </Fact>
      )}
      {merchant.postal_address !== undefined && (
        <Fact name={text.postalAddress}>
          <bdi class="lines">{merchant.postal_address}</bdi>
        </Fact>
      )}
      {order?.description !== undefined && (
        <Fact name={text.paidFor}>
          <bdi>{order.description}</bdi>
        </Fact>
      )}
      <Fact name={text.asked} exact>
        {rate === undefined
          ? shownAsset(asked, symbol)
          : `${shownCoin(price.amount, price.coin_code, language)} = ${shownAsset(asked, symbol)}`}
      </Fact>
      <Fact name={text.received}>
        <strong {...EXACT}>{shownAsset(amount, symbol)}</strong> {text.onNetwork(received.network_name)}
      </Fact>
      {excess !== '0' && (
        <Fact name={text.tooMuch} exact>
          {shownAsset(excess, symbol)}
        </Fact>
      )}
      {missing !== '0' && (
        <Fact name={text.missing} exact>
          {shownAsset(missing, symbol)}
        </Fact>
      )}
      {receipt.reversed_amount !== undefined && (
        <Fact name={text.reversed} exact>
          {shownAsset(receipt.reversed_amount, symbol)}
        </Fact>
      )}
      {receipt.refunded_amount !== undefined && (
        <Fact name={text.refunded} exact>
          {shownAsset(receipt.refunded_amount, symbol)}
        </Fact>
      )}
      {rate !== undefined && (
        <Fact name={text.rateOfPayment}>
          {shownRate}{' '}
          <span class="note">
            ({text.rateNote(rate.sources.join(', '), shownMoment(new Date(rate.at), language))})
          </span>
        </Fact>
      )}
      {fee !== undefined && (
        <Fact name={text.feeName}>
          {text.networkFeeNote(
            shownFee({ amount: fee.amount, coinCode: fee.coin_code, isLess: fee.is_less }, text, language)!,
          )}
        </Fact>
      )}
      <Fact name={text.time}>
        <time dateTime={receipt.issued_at}>{shownMoment(new Date(receipt.issued_at), language)}</time>
      </Fact>
      <Copyable id="reference" label={text.reference} value={receipt.payment_request_id} text={text} />
    </dl>
  );
}
