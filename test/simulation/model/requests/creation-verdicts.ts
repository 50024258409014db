import { open, refused, together, type Heard, type Verdict } from '../exchange/heard.js';
import { unknownFields } from '../exchange/lists.js';
import { posVerdict } from '../accounts/points-of-sale.js';
import { requestedAmount, isObject, textOf, lower } from '../known/values.js';
import type { Known, PointOfSale } from '../known/known.js';
import type { Asset } from './payment-request.js';

const ORDER = ['total', 'coin_code', 'description', 'merchant', 'items'];
const PEGGED_AND_UNSURE = ['rate_unavailable', 'validation_failed'];

/** The merchant's own order id: 1 to 128 characters, no control characters. */
export function referenceVerdict(reference: unknown): Verdict {
  if (reference === undefined) return { must: [], may: [] };
  if (typeof reference !== 'string') return refused('reference_id is no text', 'validation_failed');
  const length = [...reference].length;
  // eslint-disable-next-line no-control-regex
  if (length < 1 || reference.length > 128 * 2 || length > 128 || /[\u0000-\u001f\u007f]/.test(reference)) {
    return refused('reference_id has 1 to 128 characters and no control characters', 'validation_failed');
  }
  return reference.trim() === reference && reference.length <= 128
    ? { must: [], may: [] }
    : open('validation_failed');
}

function orderVerdict(order: unknown): Verdict {
  if (order === undefined) return { must: [], may: [] };
  if (!isObject(order)) return refused('the order is no object', 'validation_failed');
  const unknown = Object.keys(order).filter((name) => !ORDER.includes(name) && order[name] !== null);
  if (unknown.length > 0)
    return refused(
      `unknown fields in the order: ${unknown.join(', ')}`,
      'unknown_field',
      'validation_failed',
    );
  return open('validation_failed', 'unknown_field');
}

export function termsVerdict(
  assets: readonly Asset[],
  pos: PointOfSale | undefined,
  heard: Heard,
  known: Known,
): Verdict {
  const account = pos?.accountId == null ? undefined : known.accounts.get(pos.accountId);
  if (account === undefined) return open('settlement_address_missing');
  const { sentAt, at } = heard.exchange;
  const each = assets.map(({ network }) => known.termsWithin(account, network, sentAt, at));
  if (each.every((terms) => !terms.includes(undefined))) return { must: [], may: [] };
  const isCertain = each.length > 0 && each.every((terms) => terms.every((fact) => fact === undefined));
  if (!isCertain) return open('settlement_address_missing');
  return refused('no settlement address is set', 'settlement_address_missing');
}

export function directVerdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const pos = known.pointsOfSale.get(heard.params.pos!);
  const parts = [
    posVerdict(heard, known),
    unknownFields(body, ['amount', 'unique_asset_id', 'reference_id', 'order']),
    referenceVerdict(body.reference_id),
    orderVerdict(body.order),
  ];
  const id = lower(body.unique_asset_id);
  const versions = pos?.options.within(exchange.sentAt, exchange.at) ?? [];
  const asset = known.assets.get(id);
  if (asset === undefined || (versions.length > 0 && versions.every((options) => !options.has(id)))) {
    parts.push(refused('the asset is none of the POS’s payment options', 'validation_failed'));
  } else if (versions.length === 0 || versions.some((options) => !options.has(id))) {
    parts.push(open('validation_failed'));
  }
  if (asset !== undefined) {
    parts.push(amountVerdict(body.amount, asset), termsVerdict([asset], pos, heard, known));
  } else if (requestedAmount(body.amount, 18) === 'refused') {
    parts.push(refused('the amount is no amount', 'validation_failed'));
  }
  return together(...parts);
}

/** An amount greater than zero and at least the asset's minimum, with no more fraction digits than the asset has. */
export function amountVerdict(text: unknown, asset: Asset): Verdict {
  const amount = requestedAmount(text, asset.fact.decimals);
  if (amount === 'open') return open('validation_failed');
  if (amount === 'refused') return refused('the amount is no amount of the asset', 'validation_failed');
  const minimum = requestedAmount(asset.fact.minimumAmount, asset.fact.decimals);
  if (typeof minimum === 'bigint' && amount < minimum) {
    return refused('the amount is below the asset’s minimum', 'validation_failed');
  }
  // No largest amount is stated, but the storage of one ends at 78 digits.
  return amount >= 10n ** 30n ? open('validation_failed') : { must: [], may: [] };
}

export function isWithoutRate(asset: Asset, coinCode: string): boolean {
  return asset.fact.symbol === coinCode || asset.fact.currency === coinCode;
}

export function checkoutVerdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const pos = known.pointsOfSale.get(heard.params.pos!);
  const parts = [
    posVerdict(heard, known),
    unknownFields(body, ['amount', 'coin_code', 'reference_id', 'order', 'return_url']),
    referenceVerdict(body.reference_id),
    orderVerdict(body.order),
  ];
  const url = body.return_url;
  if (url !== undefined) {
    const isUrl = typeof url === 'string' && /^https:\/\/[^/\s]+/.test(url);
    parts.push(
      isUrl ? open('validation_failed') : refused('return_url is no HTTPS URL', 'validation_failed'),
    );
  }
  const coin = body.coin_code;
  if (typeof coin !== 'string' || coin === '')
    parts.push(refused('coin_code is required', 'validation_failed'));
  if (requestedAmount(body.amount, 18) === 'refused') {
    parts.push(refused('the amount is no amount', 'validation_failed'));
  }
  const versions = pos?.options.within(exchange.sentAt, exchange.at) ?? [];
  const assets = (versions.length === 1 ? [...versions[0]!] : []).map((id) => known.assets.get(id));
  if (assets.length === 0 || assets.some((asset) => asset === undefined)) {
    return together(...parts, open(...PEGGED_AND_UNSURE, 'settlement_address_missing'));
  }
  const all = assets as readonly Asset[];
  parts.push(termsVerdict(all, pos, heard, known));
  if (!all.every((asset) => isWithoutRate(asset, textOf(coin))))
    return together(...parts, open(...PEGGED_AND_UNSURE));
  const isFine = all.every(({ fact }) => fact.symbol === coin) || !/\.\d{3,}$/.test(textOf(body.amount));
  // A currency may have fewer fraction digits than the asset that is pegged to it.
  if (!isFine) parts.push(open('validation_failed'));
  const amounts = all.map((asset) => amountVerdict(body.amount, asset));
  const isBad = amounts.every(({ must }) => must.length > 0);
  return together(
    ...parts,
    isBad ? amounts[0]! : open(...amounts.flatMap(({ must, may }) => [...must, ...may])),
  );
}
